import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { createPool, type InputOf, makeSession, type Session, updateSession } from '@swim/contracts';
import { newId } from '@swim/platform';
import { aSchedule, inDays, type RequestOptions, rejectionOf } from '@swim/testing';
import type { SessionDocument } from '../../src/sessions/storage/session.schema.js';
import { wholeness } from '../calendar/calendar-checks.js';
import { beforeEachCommit, Gate, type SetFields } from '../faults/gate.js';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';

const BATHS = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'UTC', lanes: 1 };
const HOME = { type: 'home' } as const;

let scheduling: SchedulingHarness;
let pass: ((now: SessionDocument, set: SetFields) => Promise<void>) | undefined;
beforeAll(async () => {
  scheduling = await startScheduling();
  beforeEachCommit(scheduling, (now, set) => pass?.(now, set));
});
afterAll(() => scheduling?.stop());
afterEach(() => (pass = undefined));

const make = (overrides: object): Promise<Session> => {
  const instructor = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
  return scheduling.harness.call(makeSession, aSession(instructor, scheduling.people.member(), overrides), asFamily);
};
const update = (session_id: string, changes: object, options: RequestOptions = asFamily): Promise<Session> =>
  scheduling.harness.call(updateSession, { session_id, changes } as InputOf<typeof updateSession>, options);
const database = () => scheduling.harness.database('scheduling_test');

/** Expects the session to have the time and the pool of its claim. */
async function hasItsClaim({ id }: Session): Promise<void> {
  const { claims, sessions } = await wholeness(database());
  const { claimId, start, end, instructorId, memberId, location } = sessions.find(({ _id }) => _id === id)!;
  const time = { startMs: start.getTime(), endMs: end.getTime() };
  const { elements } = claims.find(({ _id }) => _id === claimId)!;
  expect(elements.map(({ resource, startMs, endMs }) => ({ resource, startMs, endMs }))).toEqual(
    [instructorId, memberId, ...(location?.pool_id ? [location.pool_id] : [])].map((resource) => ({
      resource,
      ...time,
    })),
  );
}

it('a change to the time and the place that a session has is a move when a move supersedes it', async () => {
  const { id: pool_id } = await scheduling.harness.call(createPool, BATHS, { principal: school });
  const there = { location: { type: 'pool', pool_id }, date: inDays(10) } as const;
  const session = await make(there);
  const gate = new Gate(session.id, (set) => set.notes === 'Fins' && set.claimId === undefined);
  pass = (now, set) => gate.pass(now, set);
  const changing = update(session.id, { ...there, notes: 'Fins' });
  await gate.reached;
  await update(session.id, { date: inDays(12), location: HOME });
  gate.open();
  expect(await changing).toMatchObject({ ...there, notes: 'Fins', version: 3 });
  await hasItsClaim(session);
});

it('a key that is used again after a rejection takes the time of its second move', async () => {
  const most = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key ${n}`, 'x']));
  const session = await make({ metadata: most, location: HOME });
  const key = withKey(newId('req'));
  const tooMuch = { date: inDays(12), metadata: { more: 'x' } };
  expect((await rejectionOf(update(session.id, tooMuch, key))).reason).toBe('too_long');
  expect(await update(session.id, { date: inDays(13) }, key)).toMatchObject({ date: inDays(13) });
  await hasItsClaim(session);
});
