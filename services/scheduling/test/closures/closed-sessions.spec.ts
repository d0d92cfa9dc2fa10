import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type BusEvent,
  createClosure,
  createHold,
  getClosure,
  getLesson,
  getSession,
  type InputOf,
  listClosedSessions,
  paidOfBooking,
} from '@swim/contracts';
import { aSchedule, collectMessages, inDays, rejectionOf, until } from '@swim/testing';
import type { ClosureDocument } from '../../src/calendar/closed/closure.schema.js';
import { asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { lessonsOf } from '../holds/waitlist-client.js';
import { aLesson, takePlace } from '../lessons/places.js';

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

it('a closure gives makeup credits where it is to, and money where the school offers none', async () => {
  const money = { paidCents: 1_500, creditedCents: 0, waivedCents: 0, refundableCents: 1_500, missedFees: [] };
  scheduling.harness.serve(paidOfBooking, () => ({ ...money, owesFees: true }));
  const lesson = await aLesson(scheduling, { date: at(10) });
  const [offered, refused] = [
    await takePlace(scheduling, lesson.id),
    await takePlace(scheduling, lesson.id, { makeupCredits: false }),
  ];
  await close(lesson.instructor_id, { refund_as: 'credit' });
  const cancellationOf = async (session_id: string) => (await call(getSession, { session_id }, asFamily)).cancellation;
  const returned = { cancelled_by: school.accountId, fee_cents: 0 };
  expect(await cancellationOf(offered!.id)).toMatchObject({
    ...returned,
    makeup_credit: expect.stringMatching(/^crd_/),
  });
  expect(await cancellationOf(refused!.id)).toMatchObject({ ...returned, makeup_credit: null });
});

it('a closure over a closure, and over a change of the clocks, cancels each lesson once', async () => {
  const now = new Date();
  const sundayOf = (year: number) => Date.UTC(year, 2, 31 - new Date(Date.UTC(year, 2, 31)).getUTCDay());
  const year = now.getUTCFullYear();
  const sunday = sundayOf(year) > now.getTime() ? sundayOf(year) : sundayOf(year + 1);
  const atHour = (hours: number) => new Date(sunday + hours * 3_600_000).toISOString();
  const schedule = aSchedule({ weekly: [], maximum_days_ahead: 500 });
  const instructor = scheduling.people.instructor({ timezone: 'Europe/Berlin', schedule });
  // The clocks skip an hour at 01:00 UTC.
  const inside = [await book(instructor, atHour(0.5)), await book(instructor, atHour(1.5))];
  const outside = await book(instructor, atHour(3));
  const quiet = { to: atHour(3), notify_participants: false };
  await Promise.all([1, 0].map((hour) => close(instructor, { ...quiet, from: atHour(hour) })));
  const read = (id: string) => call(getSession, { session_id: id }, asFamily);
  for (const { id } of inside) {
    const { status, version, cancellation } = await read(id);
    expect([status, version, cancellation?.participants_notified]).toEqual(['cancelled', 2, false]);
  }
  expect((await read(outside.id)).status).toBe('scheduled');
});

it('a process that goes on with the lessons of a closure leaves one that the school has moved out of its time', async () => {
  const instructor = scheduling.people.instructor();
  const closureId = await close(instructor);
  const moved = await book(instructor, inDays(12, 10));
  // As a process leaves it that was killed before it cancelled the lesson.
  const closures = scheduling.harness.database('scheduling_test').collection<ClosureDocument>('closures');
  const left = { status: 'running' as const, step: 'cancel', batch: [moved.lesson_id], dueAt: new Date(0) };
  await closures.updateOne({ _id: closureId }, { $set: left });
  await until(async () => (await closures.findOne({ _id: closureId }))!.step === null, 'the closure is done');
  const { status } = await call(getLesson, { lesson_id: moved.lesson_id }, asSchool);
  expect(status).toBe('scheduled');
});

it('no closed sessions are listed for a closure that notifies nobody', async () => {
  const instructor = scheduling.people.instructor();
  await book(instructor, at(10));
  const closureId = await close(instructor, { notify_participants: false });
  expect(await call(listClosedSessions, { closureId, after: null })).toEqual([]);
});

it('a hold names each of its dates that is closed, and is rejected as closed where all of them are', async () => {
  const instructor_id = scheduling.people.instructor();
  await close(instructor_id);
  await book(instructor_id, inDays(11, 10));
  const hold = (...dates: string[]) => {
    const sessions = dates.map((date) => ({ date, duration_minutes: 30 }));
    return rejectionOf(
      call(createHold, { instructor_id, member_ids: [scheduling.people.member()], sessions }, asFamily),
    );
  };
  const facts = { closure_reason: 'The boiler is broken', closed_until: inDays(11, 0) };
  const conflicts = [0, 1].map((index) => ({ ...facts, index, reason: 'closed', date: at(9 + index) }));
  const all = await hold(at(9), at(10));
  expect(all).toMatchObject({ reason: 'closed', details: { field: 'sessions', ...facts, conflicts } });
  const some = await hold(at(9), inDays(11, 10));
  const [first] = conflicts;
  expect(some).toMatchObject({
    reason: 'conflicting_dates',
    details: { conflicts: [first, { reason: 'instructor_busy' }] },
  });
});
