import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type BusEvent, createClosure, getClosure, type InputOf, listClosedSessions } from '@swim/contracts';
import { collectMessages, inDays, until } from '@swim/testing';
import { type SchedulingHarness, school, startScheduling } from '../harness.js';
import { lessonsOf } from '../holds/waitlist-client.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const call: SchedulingHarness['harness']['call'] = (...request) => scheduling.harness.call(...request);
const asSchool = { principal: school };
const { book, cancel } = lessonsOf(() => scheduling);
const at = (hours: number) => new Date(Date.parse(inDays(10, 0)) + hours * 3_600_000).toISOString();

/** Closes an instructor on the tenth day from now, and waits until that is done. */
async function close(instructor: string, more: Partial<InputOf<typeof createClosure>> = {}): Promise<string> {
  const time = { from: inDays(10, 0), to: inDays(11, 0), reason: 'The boiler is broken', lessons: 'cancel' as const };
  const { id } = await call(createClosure, { ...time, instructor_ids: [instructor], ...more }, asSchool);
  const isDone = async () => (await call(getClosure, { closure_id: id }, asSchool)).status === 'done';
  await until(isDone, 'the closure is done');
  return id;
}

it('the sessions that a closure has cancelled are named to those who write to their participants, and no others', async () => {
  const instructor = scheduling.people.instructor();
  const [inside, earlier] = [await book(instructor, at(10)), await book(instructor, at(12))];
  await cancel(earlier);
  const subject = `event.test.scheduling.session.cancelled.${inside.id}`;
  const cancelled = await collectMessages<BusEvent>(scheduling.harness.connection, subject);
  const closureId = await close(instructor);
  const named = await call(listClosedSessions, { closureId, after: null });
  const { id, account_id: accountId, member_id: memberId, date, end_date: endDate } = inside;
  const times = { date, endDate, version: inside.version + 1 };
  expect(named).toEqual([{ id, accountId, memberId, instructorId: instructor, ...times }]);
  expect(await call(listClosedSessions, { closureId, after: id })).toEqual([]);
  await until(() => cancelled.length === 1, 'the event');
  expect(cancelled[0]!.cause).toMatchObject({ requestId: closureId, isQuiet: true });
});

it('no closed sessions are listed for a closure that notifies nobody', async () => {
  const instructor = scheduling.people.instructor();
  await book(instructor, at(10));
  const closureId = await close(instructor, { notify_participants: false });
  expect(await call(listClosedSessions, { closureId, after: null })).toEqual([]);
});
