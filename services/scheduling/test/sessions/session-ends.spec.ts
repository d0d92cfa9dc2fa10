import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cancelSession, completeSession, makeSession, type Session, updateSession } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { aSchedule, inDays, until, updateAll } from '@swim/testing';
import fc from 'fast-check';
import type { Claim } from '../../src/calendar/claim.schema.js';
import type { SessionDocument } from '../../src/sessions/storage/session.schema.js';
import { beforeEachCommit, Gate } from '../faults/gate.js';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';

const MINUTE_MS = 60_000;
const PAST = new Date(0);

let scheduling: SchedulingHarness;
let gate: Gate | undefined;
beforeAll(async () => {
  scheduling = await startScheduling();
  beforeEachCommit(scheduling, async (now, set) => gate?.pass(now, set));
});
afterAll(() => scheduling?.stop());
beforeEach(() => scheduling.clock.set(new Date()));
afterEach(() => {
  gate?.open();
  gate = undefined;
});

const CHANGE_OVER = (set: Partial<SessionDocument>) => set.claimId !== undefined;
const END = (set: Partial<SessionDocument>) => set.status !== undefined;

const make = (): Promise<Session> => {
  const instructor = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
  return scheduling.harness.call(makeSession, aSession(instructor, scheduling.people.member()), asFamily);
};
const collection = <T extends { _id: string }>(name: string) =>
  scheduling.harness.database('scheduling_test').collection<T>(name);
const claims = () => collection<Claim>('claims');
const ofMoves = ({ id }: Session) => ({ holders: id, state: 'confirmed' as const, 'plan.kind': 'move' });
const claimOfMove = async (session: Session) => (await claims().findOne(ofMoves(session)))!;
/** Makes recovery look after the moves of a session now, as after a crash. */
const lapseMoves = (session: Session) => updateAll(claims(), ofMoves(session), { dueAt: PAST });
const stored = async ({ id }: Session) => (await collection<SessionDocument>('sessions').findOne({ _id: id }))!;
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof AppError) return error.reason;
      throw error;
    },
  );
// The school makes the changes, because it may move a session after its start too.
const move = ({ id }: Session, day = 12) =>
  outcome(
    scheduling.harness.call(updateSession, { session_id: id, changes: { date: inDays(day) } }, { principal: school }),
  );

/** Every way in which a session ends; each resolves when it is done, with its outcome. */
const ENDS: Record<string, (session: Session) => Promise<string>> = {
  'the sweep': async (session) => {
    const due = Date.parse(session.end_date) + 15 * MINUTE_MS;
    scheduling.clock.set(new Date(due));
    // The sweep then completes it, or finds that it has moved.
    await until(async () => ((await stored(session)).nextDueAt?.getTime() ?? due + 1) > due, 'the sweep has looked');
    return 'done';
  },
  'the school': (session) => {
    scheduling.clock.set(new Date(session.date));
    return outcome(scheduling.harness.call(completeSession, { session_id: session.id }, { principal: school }));
  },
  'a cancellation': (session) => outcome(scheduling.harness.call(cancelSession, { session_id: session.id }, asFamily)),
};

/** Expects the session to be in one consistent state, with the claims of that state. */
async function isWhole(session: Session): Promise<SessionDocument> {
  const now = await stored(session);
  if (now.status !== 'scheduled') expect(now.nextDueAt).toBeNull();
  if (now.status === 'completed') expect(now.start.getTime()).toBeLessThanOrEqual(scheduling.clock.now().getTime());
  const expected = now.status === 'cancelled' ? [] : [now.claimId];
  await until(async () => {
    const own = await claims().find({ holders: session.id }).toArray();
    return JSON.stringify(own.map(({ _id }) => _id)) === JSON.stringify(expected);
  }, 'it has the claim of its time and no other');
  return now;
}

describe.each(Object.keys(ENDS))('a session that is moved while %s ends it', (ender) => {
  const end = ENDS[ender]!;

  it('ends at its old time when the change-over is late', async () => {
    const session = await make();
    gate = new Gate(session.id, CHANGE_OVER);
    const moving = move(session);
    await gate.reached;
    expect(await end(session)).toBe('done');
    gate.open();
    expect(await moving).toBe('invalid_state');
    gate = undefined;
    const now = await isWhole(session);
    expect(now.status).not.toBe('scheduled');
    expect(now.start).toEqual(new Date(session.date));
  });

  it('is moved when the end comes late, and a cancellation cancels the moved session', async () => {
    const session = await make();
    gate = new Gate(session.id, END);
    const ending = end(session);
    await gate.reached;
    expect(await move(session)).toBe('done');
    gate.open();
    const ended = await ending;
    gate = undefined;
    const now = await isWhole(session);
    const status = ender === 'a cancellation' ? 'cancelled' : 'scheduled';
    expect(now).toMatchObject({ status, start: new Date(inDays(12)) });
    expect(ended).toBe(ender === 'the school' ? 'not_started' : 'done');
  });
});

describe('a move whose claim recovery has released', () => {
  it('changes its session only with another claim', async () => {
    const session = await make();
    gate = new Gate(session.id, CHANGE_OVER);
    const moving = move(session);
    await gate.reached;
    const own = await claimOfMove(session);
    await lapseMoves(session);
    await until(async () => (await claims().findOne({ _id: own._id })) === null, 'its claim is released');
    gate.open();
    const outcomes: Record<string, string> = { done: inDays(12), change_in_progress: session.date };
    const date = outcomes[await moving];
    gate = undefined;
    const now = await isWhole(session);
    expect(now.start).toEqual(new Date(date!));
    expect(now.claimId).not.toBe(own._id);
  });
});

describe('a session under random sequences of actions', () => {
  const ACTIONS = ['move', 'cancel', 'complete', 'sweep', 'die', 'wait'] as const;
  const step = fc.array(fc.constantFrom(...ACTIONS), { minLength: 1, maxLength: 2 });

  /** Runs a sequence of actions; every move goes a day further than the last. */
  async function live(steps: (typeof ACTIONS)[number][][]): Promise<void> {
    scheduling.clock.set(new Date());
    const session = await make();
    const late: (() => Promise<unknown>)[] = [];
    let day = 12;
    const advanceTo = (ms: number) => scheduling.clock.set(new Date(Math.max(ms, scheduling.clock.now().getTime())));
    const dies = async () => {
      const own = new Gate(session.id, CHANGE_OVER);
      gate = own;
      const moving = move(session, day++);
      const isHeldBack = await Promise.race([own.reached.then(() => true), moving.then(() => false)]);
      // A move that timed out may still reach its gate.
      if (!isHeldBack) return own.open();
      late.push(() => {
        own.open();
        return moving;
      });
      await lapseMoves(session);
    };
    const actions: Record<(typeof ACTIONS)[number], () => Promise<unknown>> = {
      move: () => move(session, day++),
      cancel: () => ENDS['a cancellation']!(session),
      complete: () =>
        outcome(scheduling.harness.call(completeSession, { session_id: session.id }, { principal: school })),
      sweep: async () => advanceTo((await stored(session)).end.getTime() + 15 * MINUTE_MS),
      die: dies,
      wait: async () => advanceTo((await stored(session)).start.getTime()),
    };
    for (const each of steps) await Promise.all(each.map((action) => actions[action]()));
    for (const wake of late) await wake();
    gate = undefined;
    await isWhole(session);
  }

  it('is never completed in the future, and has the claim of its time and no other', async () => {
    const lives = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), live);
    await fc.assert(lives, { numRuns: 8, endOnFailure: true });
  });
});

describe('a session that was completed while it was moved, before the two excluded each other', () => {
  it('is no longer due for completion, and blocks no other session', async () => {
    const broken = await Promise.all(Array.from({ length: 3 }, make));
    const ids = broken.map(({ id }) => id);
    await updateAll(
      collection('sessions'),
      { _id: { $in: ids } },
      { status: 'completed', nextDueAt: PAST, start: new Date(inDays(30)) },
    );
    await until(
      async () => (await collection('sessions').countDocuments({ _id: { $in: ids }, nextDueAt: null })) === 3,
      'they are no longer due',
    );
    for (const session of broken) expect(await stored(session)).toMatchObject({ status: 'completed', version: 1 });
  });
});
