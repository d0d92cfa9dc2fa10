import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  addDemoPool,
  cancelSession,
  createHold,
  createPool,
  eraseTimesOfAccount,
  getHold,
  getPool,
  getSession,
  joinWaitlist,
  listSessions,
  listWaitlist,
  makeSession,
  type Principal,
  resetTimes,
} from '@swim/contracts';
import { EventPublisher } from '@swim/messaging';
import { AppError, newId } from '@swim/platform';
import { aPrincipal, aSchedule, inDays, rejectionOf, until } from '@swim/testing';
import { SessionClaimsService } from '../../src/sessions/cancelling/session-claims.service.js';
import { aSession, type SchedulingHarness, school, startScheduling } from '../harness.js';

const CANARY = 'canary';
const HOUR_MS = 3_600_000;

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => scheduling?.stop());

/** One request; on a busy machine it may reach its deadline before the result is known. */
async function eraseOnce({ accountId }: Principal): Promise<boolean> {
  const pending = scheduling.harness.call(eraseTimesOfAccount, { accountId }, { principal: aPrincipal({ accountId }) });
  return pending.then(
    ({ done }) => done,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'SERVER_ERROR') return false;
      throw error;
    },
  );
}

/** Repeats the request until nothing is left, as people does. */
async function erase(account: Principal): Promise<void> {
  await until(() => eraseOnce(account), 'nothing is left');
}

const read = (session_id: string, principal: Principal) =>
  scheduling.harness.call(getSession, { session_id }, { principal });

/** A family with lessons, one of them cancelled with a reason, a hold and a waitlist entry. */
async function aFamilyWithTimes(school_ = school) {
  const { harness, people } = scheduling;
  const family = aPrincipal();
  const options = { principal: family };
  const instructor = people.instructor({ schoolId: school_.accountId });
  const member = people.member(family.accountId);
  const make = (days: number) => {
    const input = { ...aSession(instructor, member, { date: inDays(days) }), notes: CANARY };
    return harness.call(makeSession, input, { ...options, idempotencyKey: newId('req') });
  };
  const [toCome, cancelled] = [await make(20), await make(21)];
  await harness.call(cancelSession, { session_id: cancelled.id, reason: CANARY }, options);
  const held = { sessions: [{ date: inDays(22), duration_minutes: 30 }], expires_in_minutes: 30 };
  const hold = await harness.call(createHold, { instructor_id: instructor, member_ids: [member], ...held }, options);
  const range = { date_from: inDays(20, 0), date_to: inDays(21, 0), duration_minutes: 30 };
  await harness.call(joinWaitlist, { instructor_id: instructor, member_id: member, ...range }, options);
  return { family, member, instructor, toCome, cancelled, hold };
}

const keyOf = (member: string) =>
  scheduling.harness
    .database('scheduling_keys_test')
    .collection<{ _id: string }>('personal_keys')
    .findOne({ _id: member });

const claimOf = (sessionId: string) =>
  scheduling.harness
    .database('scheduling_test')
    .collection('claims')
    .findOne({ key: `${sessionId}#0` });

async function canaries(): Promise<string[]> {
  const database = scheduling.harness.database('scheduling_test');
  const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const all = await Promise.all(names.map(async (name) => [name, await database.collection(name).find().toArray()]));
  return all.map((each) => JSON.stringify(each)).filter((text) => text.includes(CANARY));
}

describe('when an account is erased', () => {
  it('cancels a family’s future lessons in its name, releases its hold and waitlist entry, and removes all texts', async () => {
    const { family, member, toCome, cancelled, hold, instructor } = await aFamilyWithTimes();
    const other = await aFamilyWithTimes();
    await erase(family);
    for (const { id } of [toCome, cancelled])
      expect(await read(id, school)).toMatchObject({
        status: 'cancelled',
        notes: null,
        cancellation: { cancelled_by: family.accountId, reason: null },
      });
    const left = scheduling.harness.call(getHold, { hold_id: hold.id }, { principal: family });
    expect((await rejectionOf(left)).reason).toBe('resource_not_found');
    const line = await scheduling.harness.call(listWaitlist, { instructor_id: instructor }, { principal: school });
    expect(line.items).toEqual([]);
    // The event of the erased member is not published yet: its key, needed to read its notes in a backup, is destroyed even
    // so.
    expect(await keyOf(member)).toMatchObject({ destroyedAt: expect.any(Date) });
    expect(await keyOf(member)).not.toHaveProperty('wrapped');
    expect(await keyOf(other.member)).toHaveProperty('wrapped');
    // Another family's lessons stay.
    expect(await read(other.toCome.id, other.family)).toMatchObject({ status: 'scheduled', notes: CANARY });
    await erase(family);
    await erase(other.family);
    expect(await canaries()).toEqual([]);
  });

  it('leaves no text of a session whose creation is not published yet', async () => {
    jest.spyOn(EventPublisher.prototype, 'publishAll').mockRejectedValue(new Error('JetStream is away'));
    const family = aPrincipal();
    const pair = [scheduling.people.instructor(), scheduling.people.member(family.accountId)] as const;
    const input = { ...aSession(...pair, { date: inDays(23) }), metadata: { by: CANARY } };
    const { id } = await scheduling.harness.call(makeSession, input, { principal: family });
    expect(await claimOf(id)).toMatchObject({ plan: { metadata: [{ v: CANARY }] } });
    await erase(family);
    expect(await canaries()).toEqual([]);
    expect(await claimOf(id)).toMatchObject({ plan: { metadata: [] } });
  });

  it('cancels other accounts’ lessons at a school without a fee, and removes its pools', async () => {
    const erased = aPrincipal({ kind: 'school' });
    const pool = await scheduling.harness.call(
      createPool,
      { name: CANARY, address: CANARY, latitude: 1, longitude: 2, timezone: 'UTC' },
      { principal: erased, idempotencyKey: newId('req') },
    );
    const { family, toCome } = await aFamilyWithTimes(erased);
    await erase(erased);
    expect(await read(toCome.id, family)).toMatchObject({
      status: 'cancelled',
      cancellation: { cancelled_by: erased.accountId, fee_cents: 0 },
    });
    const gone = scheduling.harness.call(getPool, { pool_id: pool.id }, { principal: family });
    expect((await rejectionOf(gone)).reason).toBe('resource_not_found');
    await erase(family);
    expect(await canaries()).toEqual([]);
  });
});

describe('when a test account is reset', () => {
  const reset = ({ accountId }: Principal, phase: 'end' | 'empty', before = new Date(Date.now() + 1_000)) =>
    scheduling.harness.call(
      resetTimes,
      { accountId, before: before.toISOString(), phase },
      { principal: aPrincipal({ accountId }) },
    );
  const sessionsOf = async (principal: Principal) =>
    (await scheduling.harness.call(listSessions, { limit: 100 }, { principal })).items;

  it('cancels its lessons to come and releases its hold, then hides all of it; the school keeps its side', async () => {
    const { family, toCome, cancelled, hold, instructor } = await aFamilyWithTimes();
    await until(async () => (await reset(family, 'end')).done, 'nothing is in progress');
    expect(await read(toCome.id, family)).toMatchObject({
      status: 'cancelled',
      cancellation: { cancelled_by: family.accountId, participants_notified: false },
    });
    await until(async () => (await reset(family, 'empty')).done, 'nothing is left');
    expect(await sessionsOf(family)).toEqual([]);
    const left = scheduling.harness.call(getHold, { hold_id: hold.id }, { principal: family });
    expect((await rejectionOf(left)).reason).toBe('resource_not_found');
    const line = await scheduling.harness.call(listWaitlist, { instructor_id: instructor }, { principal: school });
    expect(line.items).toEqual([]);
    for (const { id } of [toCome, cancelled]) expect(await read(id, school)).toMatchObject({ status: 'cancelled' });
  });

  /** A family with a hundred lessons at two instructors, and one at a third, for whose time another family waits. */
  async function aFamilyWithManyLessons() {
    const { harness, people } = scheduling;
    const family = aPrincipal();
    const member = people.member(family.accountId);
    const make = async (instructor: string, member_: string, hour: number) => {
      const date = new Date(Date.parse(inDays(30 + Math.floor(hour / 8), 10)) + (hour % 8) * HOUR_MS).toISOString();
      return harness.call(makeSession, aSession(instructor, member_, { date }), { principal: family });
    };
    const freely = () => people.instructor({ schedule: aSchedule({ weekly: [] }) });
    const instructors = [freely(), freely()];
    const made = instructors.map(async (instructor) => {
      const pupil = people.member(family.accountId);
      return Promise.all(Array.from({ length: 50 }, (_, hour) => make(instructor, pupil, hour)));
    });
    const awaited = freely();
    const lesson = await make(awaited, member, 0);
    const other = aPrincipal();
    const entry = { instructor_id: awaited, member_id: people.member(other.accountId), duration_minutes: 30 };
    const range = { date_from: lesson.date, date_to: new Date(Date.parse(lesson.date) + HOUR_MS / 2).toISOString() };
    await harness.call(joinWaitlist, { ...entry, ...range }, { principal: other });
    const sessions = [...(await Promise.all(made)).flat(), lesson];
    return { family, other, instructors, ids: sessions.map(({ id }) => id) };
  }
  const collection = (name: string) => scheduling.harness.database('scheduling_test').collection<{ _id: string }>(name);
  const stored = () => collection('sessions');
  const linesOf = async (principal: Principal) =>
    (await scheduling.harness.call(listWaitlist, {}, { principal })).items.map(({ status }) => status);

  it.each([
    ['at once', false],
    ['also when the process ends before it releases their time', true],
  ])('ends a hundred lessons together, and offers the time that somebody waits for, %s', async (_, crashes) => {
    const { family, other, instructors, ids } = await aFamilyWithManyLessons();
    const died = jest.spyOn(SessionClaimsService.prototype, 'letGoAll');
    if (crashes) died.mockRejectedValueOnce(new Error('The process has ended.'));
    await until(async () => (await reset(family, 'end').catch(() => null))?.done, 'nothing is in progress');
    expect(died).toHaveBeenCalled();
    await until(async () => (await linesOf(other)).join() === 'offered', 'the time is offered');
    const these = { _id: { $in: ids } };
    expect(await stored().countDocuments({ ...these, status: 'cancelled' })).toBe(ids.length);
    // Their events wait for twenty seconds, if the reset has not taken as long.
    await stored().updateMany({ ...these, relayAt: { $gt: new Date() } }, { $set: { relayAt: new Date() } });
    const isTold = async () => (await stored().countDocuments({ ...these, 'outbox.0': { $exists: true } })) === 0;
    await until(isTold, 'all events are published');
    const dropping = { ...these, $or: [{ 'drop.0': { $exists: true } }, { dueAt: { $ne: null } }] };
    await until(async () => (await stored().countDocuments(dropping)) === 0, 'all times are released');
    expect(await collection('claims').findOne({ holders: { $in: ids } } as object)).toBe(null);
    const locked = { _id: { $regex: `^(${instructors.join('|')}):` }, 'busy.0': { $exists: true } };
    expect(await collection('days').findOne(locked as object)).toBe(null);
  });

  it('leaves what was made since, also when the request arrives late', async () => {
    const before = new Date(Date.now() - 1_000);
    const { family, toCome, cancelled, hold } = await aFamilyWithTimes();
    for (const phase of ['end', 'empty'] as const) expect(await reset(family, phase, before)).toEqual({ done: true });
    expect((await sessionsOf(family)).map(({ id }) => id)).toEqual([toCome.id, cancelled.id]);
    expect(await scheduling.harness.call(getHold, { hold_id: hold.id }, { principal: family })).toMatchObject({
      status: 'active',
    });
  });

  it('makes the pool of its demo data once', async () => {
    const owner = aPrincipal({ kind: 'school' });
    const demo = { accountId: owner.accountId, id: newId('pool') };
    const asPeople = { principal: aPrincipal({ accountId: owner.accountId }) };
    for (let times = 0; times < 2; times++) await scheduling.harness.call(addDemoPool, demo, asPeople);
    expect(await scheduling.harness.call(getPool, { pool_id: demo.id }, { principal: owner })).toMatchObject({
      account_id: owner.accountId,
      name: 'Riverside Baths',
    });
  });
});
