import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  createHold,
  createPool,
  getHold,
  getPool,
  type InputOf,
  listSessions,
  makeSession,
  type Operation,
  releaseBooking,
  removeHold,
  removePool,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { crashPoints, HeldWrites, inDays, type RequestOptions, rejectionOf, until, updateAll } from '@swim/testing';
import { wholeness } from '../calendar/calendar-checks.js';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';
import { conversionOf } from '../holds/hold-conversion.js';

const PATIENCE_MS = 420_000;
const PAST = new Date(0);

let scheduling: SchedulingHarness;
let writes: HeldWrites;
beforeAll(async () => {
  writes = await HeldWrites.before(process.env.TEST_MONGODB_URI!);
  scheduling = await startScheduling({ MONGODB_URI: writes.uri });
});
afterAll(async () => {
  writes?.release();
  await scheduling?.stop();
  await writes?.close();
});

const database = () => scheduling.harness.database('scheduling_test');
const swim = (instructor: string) => insist(makeSession, aSession(instructor, scheduling.people.member()), asFamily);
/** Waits until the time of an instructor is free: a late run releases what it took, at the latest when its lease ends. */
const isFree = (instructor: string, date = inDays(10)) =>
  until(
    () => insist(makeSession, aSession(instructor, scheduling.people.member(), { date }), asFamily).catch(() => null),
    'the time is free',
  );
const sessionsOf = async (instructor_id: string) =>
  (await scheduling.harness.call(listSessions, { instructor_id }, asFamily)).items;

/** Ends the leases of the stopped run, so that later runs take over at once. */
async function endLeases(): Promise<void> {
  const collection = (name: string) => database().collection(name);
  await updateAll(collection('idempotency'), { state: 'running' }, { leaseUntil: PAST });
  await updateAll(collection('claims'), { state: 'taking' }, { until: PAST });
}

/** Makes all work of recovery due, as after its grace period. */
async function endGraces(): Promise<void> {
  const confirmed = {
    state: { $in: ['confirmed', 'released'] },
    dueAt: { $type: 'date' },
    elements: { $ne: [] },
  } as object;
  await updateAll(database().collection('claims'), confirmed, { dueAt: PAST });
  await endLeases();
}

/** Repeats the request under one key until it is answered, and ends the leases of earlier tries. */
const insist = <O extends Operation>(operation: O, input: InputOf<O>, options: RequestOptions) =>
  scheduling.harness.insist(operation, input, options, endLeases);

/**
 * Runs a scenario with its first run stopped before its first write, its second and so on, until a run is not stopped any
 * more; in `npm test` before a sample of them. `meanwhile` runs while the first run is stopped, `after` once it has continued
 * and ended. Returns the number of writes.
 */
async function stoppedEverywhere(
  scenario: () => Promise<{
    first: () => Promise<unknown>;
    meanwhile: () => Promise<unknown>;
    after: () => Promise<unknown>;
  }>,
): Promise<number> {
  let outlived = 0;
  const stoppedBefore = async (n: number) => {
    const { first, meanwhile, after } = await scenario();
    await wholeness(database());
    writes.holdWrite(n);
    let isOver = false;
    const run = first()
      .catch(() => null)
      .finally(() => {
        isOver = true;
      });
    await until(() => writes.isHolding || isOver, 'it is stopped, or over');
    const wasStopped = writes.isHolding;
    if (!wasStopped) {
      outlived = writes.passed;
      writes.release();
    }
    await meanwhile();
    writes.release();
    await run;
    await endGraces();
    await after();
    await endGraces();
    await wholeness(database());
    return wasStopped;
  };
  return crashPoints().each(stoppedBefore, () => outlived);
}

describe('a first run that is stopped before any write and goes on when its retry was answered', () => {
  it.each(['cancelled', 'moved'])(
    'takes no time for a session that was made and %s',
    async (how) => {
      const count = await stoppedEverywhere(async () => {
        const [instructor, member, key] = [
          scheduling.people.instructor(),
          scheduling.people.member(),
          withKey(newId('req')),
        ];
        const requested = aSession(instructor, member);
        return {
          first: () => scheduling.harness.call(makeSession, requested, key),
          meanwhile: async () => {
            const { id: session_id } = await insist(makeSession, requested, key);
            if (how === 'cancelled') await insist(cancelSession, { session_id }, asFamily);
            else await insist(updateSession, { session_id, changes: { date: inDays(11) } }, asFamily);
          },
          after: () => isFree(instructor),
        };
      });
      expect(count).toBeGreaterThanOrEqual(6);
    },
    PATIENCE_MS,
  );

  it(
    'takes no time for a move that was made and undone',
    async () => {
      const count = await stoppedEverywhere(async () => {
        const instructor = scheduling.people.instructor();
        const { id: session_id } = await swim(instructor);
        const there = { session_id, changes: { date: inDays(12) } };
        const key = withKey(newId('req'));
        return {
          first: () => scheduling.harness.call(updateSession, there, key),
          meanwhile: async () => {
            await insist(updateSession, there, key);
            await insist(cancelSession, { session_id }, asFamily);
          },
          after: async () => {
            await isFree(instructor);
            await isFree(instructor, inDays(12));
          },
        };
      });
      expect(count).toBeGreaterThanOrEqual(7);
    },
    PATIENCE_MS,
  );

  it(
    'brings no hold back that was removed, nor its time',
    async () => {
      const count = await stoppedEverywhere(async () => {
        const instructor_id = scheduling.people.instructor();
        const sessions = [{ date: inDays(10), duration_minutes: 30 }];
        const requested = { instructor_id, member_ids: [scheduling.people.member()], sessions };
        const key = withKey(newId('req'));
        let hold_id = '';
        return {
          first: () => scheduling.harness.call(createHold, requested, key),
          meanwhile: async () => {
            hold_id = (await insist(createHold, requested, key)).id;
            await insist(removeHold, { hold_id }, asFamily);
          },
          after: async () => {
            expect((await rejectionOf(scheduling.harness.call(getHold, { hold_id }, asFamily))).reason).toBe(
              'resource_not_found',
            );
            await isFree(instructor_id);
          },
        };
      });
      expect(count).toBeGreaterThanOrEqual(6);
    },
    PATIENCE_MS,
  );

  it(
    'brings no pool back that was removed',
    async () => {
      const pool = { name: 'Baths', address: 'A', latitude: 0, longitude: 0, timezone: 'UTC' };
      const count = await stoppedEverywhere(async () => {
        const key = withKey(newId('req'), school);
        let pool_id = '';
        return {
          first: () => scheduling.harness.call(createPool, pool, key),
          meanwhile: async () => {
            pool_id = (await insist(createPool, pool, key)).id;
            await insist(removePool, { pool_id }, { principal: school });
          },
          after: async () => {
            expect((await rejectionOf(scheduling.harness.call(getPool, { pool_id }, asFamily))).reason).toBe(
              'resource_not_found',
            );
          },
        };
      });
      expect(count).toBeGreaterThanOrEqual(3);
    },
    PATIENCE_MS,
  );

  it.each(['released', 'made by a later run, and cancelled'])(
    'takes no time for a booking that was %s',
    async (how) => {
      const count = await stoppedEverywhere(async () => {
        const instructor = scheduling.people.instructor();
        const requested = {
          id: '',
          instructor_id: instructor,
          member_ids: [scheduling.people.member(), scheduling.people.member()],
        };
        const sessions = [10, 11].map((day) => ({ date: inDays(day), duration_minutes: 30 }));
        const input = { ...conversionOf(scheduling.people, { ...requested, sessions }), holdId: null };
        return {
          first: () => scheduling.harness.call(claimBooking, input, asFamily),
          meanwhile: async () => {
            const { state } = await insist(releaseBooking, { bookingId: input.bookingId, attempt: 1 }, asFamily);
            if (how === 'released' && state === 'released') return;
            const made = await insist(claimBooking, { ...input, attempt: 2 }, asFamily);
            for (const { id } of made.sessions!) await insist(cancelSession, { session_id: id }, asFamily);
          },
          after: async () => {
            const left = (await sessionsOf(instructor)).filter(({ status }) => status !== 'cancelled');
            expect(left).toEqual([]);
            await isFree(instructor);
          },
        };
      });
      expect(count).toBeGreaterThanOrEqual(5);
    },
    PATIENCE_MS,
  );
});
