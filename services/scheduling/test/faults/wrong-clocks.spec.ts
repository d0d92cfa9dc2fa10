import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHold, type InputOf, makeSession, type Operation } from '@swim/contracts';
import { type Answered, AppError, newId, timeOfId } from '@swim/platform';
import {
  freePort,
  type RequestOptions,
  type ServiceProcess,
  startProcess,
  type TestHarness,
  until,
  withClockOff,
} from '@swim/testing';
import { aSession, asFamily, type KnownPeople, startSurroundings, withKey } from '../harness.js';

const MAIN = new URL('../../bundle/main.js', import.meta.url);
const MINUTE_MS = 60_000;
const RACERS = 16;
const PASSING = ['deadline_exceeded', 'unavailable', 'busy_retry', 'idempotency_in_progress'];

let harness: TestHarness;
let people: KnownPeople;
beforeAll(async () => {
  ({ harness, people } = await startSurroundings());
  people.policies.enforceAvailability = false;
});
afterAll(() => harness?.stop());

const replica = async (offsetMs: number): Promise<ServiceProcess> =>
  startProcess(MAIN, { ...harness.env, HEALTH_PORT: String(await freePort()), NODE_OPTIONS: withClockOff(offsetMs) });
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();
const fromNow = (time: Date | string) => Math.abs(new Date(time).getTime() - Date.now());

/** The result of a request, or the reason of its error; repeats one that timed out on a busy machine. */
async function outcome<O extends Operation>(operation: O, input: InputOf<O>, options: RequestOptions = asFamily) {
  return until(async (): Promise<{ value: Answered<O> } | { reason: string } | null> => {
    try {
      return { value: await harness.call(operation, input, options) };
    } catch (error) {
      const { reason } = error as AppError;
      if (!(error instanceof AppError)) throw error;
      return PASSING.includes(reason) ? null : { reason };
    }
  }, 'the call is answered');
}

describe.each([
  ['ahead', 10],
  ['behind', -10],
])('a replica whose clock is ten minutes %s', (_, minutes) => {
  let process: ServiceProcess;
  beforeAll(async () => {
    process = await replica(minutes * MINUTE_MS);
  });
  afterAll(() => process?.kill('SIGTERM'));

  it('accepts a start in five minutes, and rejects a start five minutes ago', async () => {
    const [ins, mem] = [people.instructor(), people.member()];
    const past = await outcome(makeSession, aSession(ins, mem, { date: inMinutes(-5) }));
    expect(past).toEqual({ reason: 'in_past' });
    const soon = await outcome(makeSession, aSession(ins, mem, { date: inMinutes(5) }));
    expect(soon).toMatchObject({ value: { status: 'scheduled' } });
  });

  it('gives ids and timestamps of the true time', async () => {
    const made = await outcome(makeSession, aSession(people.instructor(), people.member()));
    if (!('value' in made)) throw new Error(made.reason);
    const { id, created_at, updated_at } = made.value;
    for (const time of [timeOfId(id), created_at, updated_at]) expect(fromNow(time)).toBeLessThan(5 * MINUTE_MS);
  });

  it('keeps a hold for the requested time', async () => {
    const held = await outcome(createHold, {
      instructor_id: people.instructor(),
      member_ids: [people.member()],
      sessions: [{ date: inMinutes(24 * 60), duration_minutes: 30 }],
      expires_in_minutes: 7,
    });
    if (!('value' in held)) throw new Error(held.reason);
    const leftMs = Date.parse(held.value.expires_at!) - Date.now();
    expect(leftMs).toBeGreaterThan(2 * MINUTE_MS);
    expect(leftMs).toBeLessThanOrEqual(7 * MINUTE_MS + 1_000);
  });
});

describe('two replicas whose clocks are twenty minutes apart', () => {
  let processes: ServiceProcess[];
  beforeAll(async () => {
    processes = await Promise.all([replica(10 * MINUTE_MS), replica(-10 * MINUTE_MS)]);
  });
  afterAll(() => Promise.all(processes?.map((each) => each.kill('SIGTERM')) ?? []));

  it('let one of many concurrent claims take a time', async () => {
    const ins = people.instructor();
    // A racer that times out after it has taken the time is the same one when it is repeated.
    const race = () => outcome(makeSession, aSession(ins, people.member()), withKey(newId('req')));
    const races = Array.from({ length: RACERS }, race);
    const reasons = (await Promise.all(races)).map((each) => ('value' in each ? 'made' : each.reason));
    expect(reasons.toSorted()).toEqual([...Array.from({ length: RACERS - 1 }, () => 'instructor_busy'), 'made']);
  });

  it('neither ends the other’s hold nor releases its time', async () => {
    const [ins, sessions] = [people.instructor(), [{ date: inMinutes(48 * 60), duration_minutes: 30 }]];
    const hold = { instructor_id: ins, member_ids: [people.member()], sessions };
    expect(await outcome(createHold, hold)).toMatchObject({ value: { status: 'active' } });
    for (let time = 0; time < 8; time++) {
      const date = sessions[0]!.date;
      expect(await outcome(makeSession, aSession(ins, people.member(), { date }))).toEqual({
        reason: 'instructor_busy',
      });
    }
  });
});
