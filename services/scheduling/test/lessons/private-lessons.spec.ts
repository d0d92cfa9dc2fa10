import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  confirmBooking,
  getLesson,
  type InputOf,
  type Session,
  updateSession,
} from '@swim/contracts';
import { aPrincipal, inDays, partOf, rejectionOf, until } from '@swim/testing';
import { SessionClaimsService } from '../../src/sessions/cancelling/session-claims.service.js';
import { SessionsRepository } from '../../src/sessions/storage/sessions.repository.js';
import { wholeness } from '../calendar/calendar-checks.js';
import { asFamily, family, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { conversionOf } from '../holds/hold-conversion.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const asSchool = { principal: school };
const lessonOf = ({ lesson_id }: Session, options: object = asSchool) =>
  scheduling.harness.call(getLesson, { lesson_id }, options);
const move = ({ id: session_id }: Session, changes: object) =>
  scheduling.harness.call(updateSession, { session_id, changes } as InputOf<typeof updateSession>, asFamily);
const cancel = ({ id: session_id }: Session) => scheduling.harness.call(cancelSession, { session_id }, asFamily);
const whole = () => wholeness(scheduling.harness.database('scheduling_test'));

/** The sessions of a booking of one lesson for two members. */
async function aPair(instructor = scheduling.people.instructor()): Promise<[Session, Session]> {
  const sessions = [{ date: inDays(10), duration_minutes: 30 }];
  const member_ids = [scheduling.people.member(), scheduling.people.member()];
  const booking = conversionOf(scheduling.people, { id: '', instructor_id: instructor, member_ids, sessions });
  await scheduling.harness.call(claimBooking, { ...booking, holdId: null }, asFamily);
  const made = await scheduling.harness.call(confirmBooking, { bookingId: booking.bookingId }, asFamily);
  return made.sessions as [Session, Session];
}

describe('the lesson of a group', () => {
  it('holds the members of the request, and is bookable by nobody else', async () => {
    const [a, b] = await aPair();
    expect(a.lesson_id).toBe(b.lesson_id);
    const lesson = await lessonOf(a);
    expect(lesson).toMatchObject({ capacity: 2, places_left: 0, bookable: false, status: 'scheduled', version: 1 });
    expect(lesson.sessions.map(({ id }) => id).sort()).toEqual([a.id, b.id].sort());
    expect(await lessonOf(a, { principal: family })).toEqual(lesson);
    expect((await rejectionOf(lessonOf(a, { principal: aPrincipal() }))).reason).toBe('resource_not_found');
  });

  it('is left by a member that moves, which can come back, alone or after the others have followed', async () => {
    const [a, b] = await aPair();
    const [here, there] = [{ date: inDays(10) }, { date: inDays(12) }];
    const left = await move(a, there);
    expect(left.lesson_id).not.toBe(b.lesson_id);
    expect(await lessonOf(b)).toMatchObject({ places_left: 1, sessions: [{ id: b.id }] });
    expect((await move(a, here)).lesson_id).toBe(b.lesson_id);
    expect(await lessonOf(left)).toMatchObject({ status: 'cancelled', sessions: [] });
    const again = await move(a, there);
    expect((await move(b, there)).lesson_id).toBe(again.lesson_id);
    expect(await lessonOf(again)).toMatchObject({ ...there, places_left: 0, status: 'scheduled' });
    expect(await lessonOf(a)).toMatchObject({ status: 'cancelled' });
    await whole();
  });

  it('ends with its last session, and frees its instructor then', async () => {
    const instructor = scheduling.people.instructor();
    const [a, b] = await aPair(instructor);
    await cancel(a);
    expect(await lessonOf(b)).toMatchObject({ status: 'scheduled', places_left: 1 });
    expect((await rejectionOf(aPair(instructor))).reason).toBe('conflicting_dates');
    await cancel(b);
    expect(await lessonOf(b)).toMatchObject({ status: 'cancelled' });
    await aPair(instructor);
    await whole();
  });
});

it('keeps the place of a session that comes back before its first place was given back', async () => {
  const [a, b] = await aPair();
  const claims = partOf(scheduling.service, SessionClaimsService);
  jest.spyOn(claims, 'letGo').mockResolvedValueOnce();
  await move(a, { date: inDays(12) });
  expect((await move(a, { date: inDays(10) })).lesson_id).toBe(b.lesson_id);
  expect(await lessonOf(b)).toMatchObject({ places_left: 0, capacity: 2 });
  await whole();
});

it('rejects a session that would join a lesson which is on its way elsewhere: change_in_progress', async () => {
  const [a, b] = await aPair();
  await move(a, { date: inDays(12) });
  const lessons = scheduling.harness.database('scheduling_test').collection<{ _id: string }>('lessons');
  const reserve = (moving: string | null) => lessons.updateOne({ _id: b.lesson_id }, { $set: { moving } });
  await reserve('the claim of a move whose process was killed');
  expect((await rejectionOf(move(a, { date: inDays(10) }))).reason).toBe('change_in_progress');
  await reserve(null);
  expect((await move(a, { date: inDays(10) })).lesson_id).toBe(b.lesson_id);
  await whole();
});

describe('a session that is alone in its lesson', () => {
  it('takes the lesson along when it moves, also to a time that overlaps its own', async () => {
    const [a, b] = await aPair();
    await cancel(a);
    const moved = await move(b, { date: inDays(10, 10, 15) });
    expect(moved.lesson_id).toBe(b.lesson_id);
    expect(await lessonOf(b)).toMatchObject({ date: moved.date, version: 2, status: 'scheduled' });
    await whole();
  });

  it('takes along a lesson that is completed already', async () => {
    const [a, b] = await aPair();
    await cancel(a);
    const lessons = scheduling.harness.database('scheduling_test').collection<{ _id: string }>('lessons');
    await lessons.updateOne({ _id: b.lesson_id }, { $set: { status: 'completed', nextDueAt: null } });
    expect((await move(b, { date: inDays(11) })).lesson_id).toBe(b.lesson_id);
    expect(await lessonOf(b)).toMatchObject({ status: 'scheduled', date: inDays(11) });
  });

  it('ends its lesson when it is cancelled while the lesson follows it', async () => {
    const [a, b] = await aPair();
    await cancel(a);
    const sessions = partOf(scheduling.service, SessionsRepository);
    const { change } = sessions;
    jest.spyOn(sessions, 'change').mockImplementationOnce(async (...input) => {
      const changed = await change.apply(sessions, input);
      await cancel(b);
      return changed;
    });
    await move(b, { date: inDays(11) });
    await until(async () => (await lessonOf(b)).status === 'cancelled', 'the lesson has ended');
    await whole();
  });
});
