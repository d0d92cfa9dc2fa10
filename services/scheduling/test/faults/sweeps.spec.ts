import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createHold, getSession, getWaitlistEntry, joinWaitlist, makeSession } from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, indexesFor, recordQueries, until } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { aPlace } from '../holds/waitlist-client.js';

// One more than the batch of any sweep: the healthy document comes after all of them.
const POISONED = 101;
const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const AGO = new Date('2021-01-01T00:00:00Z');

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());
beforeEach(() => scheduling.clock.set(new Date()));

const collection = (name: string) =>
  scheduling.harness.database('scheduling_test').collection<{ _id: string; [field: string]: unknown }>(name);
const managed = () => ({ readers: [school.accountId], rev: 1, eventCount: 0, createdAt: AGO, updatedAt: AGO });
/** Documents that are due before all others and whose processing fails. */
const poison = (name: string, kind: Parameters<typeof newId>[0], fields: object) =>
  collection(name).insertMany(Array.from({ length: POISONED }, () => ({ _id: newId(kind), ...managed(), ...fields })));
const isDueAgain = (name: string, field: string, filter: object) =>
  until(
    async () => (await collection(name).countDocuments({ ...filter, [field]: { $gt: LONG_AGO } })) === POISONED,
    'each failing document is postponed by itself',
  );
const aLesson = () =>
  scheduling.harness.call(makeSession, aSession(scheduling.people.instructor(), scheduling.people.member()), asFamily);

it('sessions whose completion fails do not block others', async () => {
  await poison('sessions', 'ses', {
    schoolId: school.accountId,
    status: 'scheduled',
    nextDueAt: LONG_AGO,
    drop: [],
  });
  const { id, end_date } = await aLesson();
  scheduling.clock.set(new Date(Date.parse(end_date) + 900_000));
  const read = () => scheduling.harness.call(getSession, { session_id: id }, asFamily);
  await until(async () => (await read()).status === 'completed', 'it is completed');
  await isDueAgain('sessions', 'nextDueAt', { start: { $exists: false } });
});

it('sessions whose recovery fails do not block others', async () => {
  await poison('sessions', 'ses', { status: 'cancelled', nextDueAt: null, dueAt: LONG_AGO, drop: null });
  const { id } = await aLesson();
  await collection('sessions').updateOne({ _id: id }, { $set: { dueAt: AGO } });
  await until(async () => (await collection('sessions').findOne({ _id: id }))!.dueAt === null, 'it is recovered');
  await isDueAgain('sessions', 'dueAt', { drop: null });
});

it('claims whose recovery fails do not block others', async () => {
  await poison('claims', 'req', {
    key: 'poisoned',
    state: 'confirmed',
    elements: [],
    holders: [],
    skipped: [],
    dueAt: LONG_AGO,
    plan: { kind: 'sessions' },
  });
  const lapsed = newId('req');
  await collection('claims').insertOne({
    _id: lapsed,
    key: lapsed,
    state: 'taking',
    elements: [],
    holders: [],
    skipped: [],
    until: AGO,
    dueAt: AGO,
    createdAt: AGO,
  });
  await until(async () => (await collection('claims').findOne({ _id: lapsed })) === null, 'it is released');
  await isDueAgain('claims', 'dueAt', { key: 'poisoned' });
});

it('holds whose sweep fails do not block the end of others', async () => {
  await poison('holds', 'hold', { status: 'claiming', createdAt: null, dueAt: LONG_AGO, lastsMs: 1 });
  const input = {
    instructor_id: scheduling.people.instructor(),
    member_ids: [scheduling.people.member()],
    sessions: [{ date: inDays(10), duration_minutes: 30 }],
  };
  const { id } = await scheduling.harness.call(createHold, input, asFamily);
  await collection('holds').updateOne({ _id: id }, { $set: { expiresAt: AGO, dueAt: AGO } });
  const hasEnded = async () => (await collection('holds').findOne({ _id: id }))!.status === 'expired';
  await until(hasEnded, 'it has ended');
  await isDueAgain('holds', 'dueAt', { status: 'claiming' });
});

it('waitlist entries whose expiry fails do not block others', async () => {
  await poison('waitlist', 'wl', { status: 'waiting', dueAt: LONG_AGO, leftAt: null });
  const input = aPlace(scheduling.people, scheduling.people.instructor());
  const { id } = await scheduling.harness.call(joinWaitlist, input, asFamily);
  await collection('waitlist').updateOne({ _id: id }, { $set: { to: AGO, dueAt: AGO } });
  const read = () => scheduling.harness.call(getWaitlistEntry, { waitlist_id: id }, asFamily);
  await until(async () => (await read()).status === 'expired', 'it has ended');
  await isDueAgain('waitlist', 'dueAt', { from: { $exists: false } });
});

it('sweeps find due documents by an index, and not by reading the whole collection', async () => {
  const dueFields = [
    'sessions nextDueAt',
    'sessions dueAt',
    'sessions relayAt',
    'claims dueAt',
    'lessons lineDueAt',
    'holds dueAt',
    'waitlist dueAt',
    'pools widenedAt',
  ];
  const queries = recordQueries();
  const queryOf = (due: string) =>
    queries.sent.find(({ collection: name, filter }) => due === `${name} ${Object.keys(filter)[0]}`);
  await until(() => dueFields.every(queryOf), 'every sweep has run');
  queries.stop();
  const settled = () => Array.from({ length: 500 }, () => ({ _id: newId('req'), dueAt: null, nextDueAt: null }));
  for (const name of ['sessions', 'claims', 'lessons', 'holds', 'waitlist', 'pools'])
    await collection(name).insertMany(settled());
  const database = scheduling.harness.database('scheduling_test');
  for (const due of dueFields) {
    expect([due, await indexesFor(database, queryOf(due)!)]).toEqual([due, [`${due.split(' ')[1]}_1`]]);
  }
});
