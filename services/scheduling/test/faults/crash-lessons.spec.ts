import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelLesson,
  claimBooking,
  createLesson,
  getLesson,
  getSession,
  makeSession,
  recordLessonAttendance,
  updateLesson,
} from '@swim/contracts';
import { inDays } from '@swim/testing';
import { aSession, asFamily, school, withKey } from '../harness.js';
import { conversionOf } from '../holds/hold-conversion.js';
import { Crashing } from './crashing.js';

let crashing: Crashing;
beforeAll(async () => {
  crashing = await Crashing.start();
});
afterAll(() => crashing?.stop());

const asSchool = { principal: school };

/** A private lesson of two members. */
async function aPair() {
  const { people, harness } = crashing;
  const instructor_id = people.instructor();
  const member_ids = [people.member(), people.member()];
  const sessions = [{ date: inDays(10), duration_minutes: 30 }];
  const booking = { ...conversionOf(people, { id: '', instructor_id, member_ids, sessions }), holdId: null };
  const { sessionIds } = await harness.insist(claimBooking, booking, asFamily);
  await crashing.wholeness();
  const lesson = await crashing.database.collection('sessions').findOne({ _id: sessionIds[0] as never });
  return { instructor_id, member_ids, sessionIds, lesson_id: lesson!.lessonId as string };
}

describe('a process that dies after any single write', () => {
  it('loses and doubles nothing of the cancellation of a lesson with two sessions', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const { lesson_id, sessionIds, instructor_id, member_ids } = await aPair();
      const input = { lesson_id, reason: 'Storm' };
      const { died, value } = await crashing.dieAt(n, cancelLesson, input, withKey(`cancel ${n}`, school));
      expect(value).toMatchObject({ id: lesson_id, status: 'cancelled', version: 2 });
      await crashing.wholeness();
      const lesson = await crashing.harness.insist(getLesson, { lesson_id }, asSchool);
      expect(lesson).toMatchObject({ status: 'cancelled', version: 2 });
      expect(lesson.sessions.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
      await crashing.harness.insist(makeSession, aSession(instructor_id, member_ids[0]!), asFamily);
      for (const id of sessionIds) await crashing.publishedOnce(id, ['session.created', 'session.cancelled']);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(6);
  }, 420_000);

  it('moves a lesson with all of its sessions or none', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const { lesson_id, sessionIds, instructor_id, member_ids } = await aPair();
      const input = { lesson_id, changes: { date: inDays(12) } };
      const { died, value } = await crashing.dieAt(n, updateLesson, input, withKey(`move ${n}`, school));
      expect(value).toMatchObject({ id: lesson_id, date: inDays(12), version: 2 });
      await crashing.wholeness();
      expect(await crashing.harness.insist(getLesson, { lesson_id }, asSchool)).toMatchObject({ version: 2 });
      for (const session_id of sessionIds)
        expect(await crashing.harness.insist(getSession, { session_id }, asFamily)).toMatchObject({ date: inDays(12) });
      await crashing.harness.insist(makeSession, aSession(instructor_id, member_ids[0]!), asFamily);
      for (const id of sessionIds) await crashing.publishedOnce(id, ['session.created', 'session.rescheduled']);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(9);
  }, 420_000);

  it('loses and doubles nothing of the cancellation of an empty lesson, also before its claim is fulfilled', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const instructor_id = crashing.people.instructor();
      const lesson = { instructor_id, date: inDays(10), duration_minutes: 30, capacity: 3, price_cents: 1_500 };
      const { id } = await crashing.harness.insist(createLesson, lesson, asSchool);
      const { died } = await crashing.dieAt(n, cancelLesson, { lesson_id: id }, withKey(`empty ${n}`, school));
      await crashing.wholeness();
      await crashing.harness.insist(createLesson, lesson, asSchool);
      await crashing.publishedOnce(id, ['lesson.created', 'lesson.cancelled']);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(3);
  }, 420_000);

  it('loses and doubles nothing of the attendance of a lesson, whose repeated request answers the same', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const { lesson_id, sessionIds } = await aPair();
      const start = new Date(Date.now() - 60_000);
      await crashing.database.collection('sessions').updateMany({ lessonId: lesson_id }, { $set: { start } });
      const entries = sessionIds.map((session_id) => ({ session_id, attendance: 'attended' as const }));
      const input = { lesson_id, entries, recorded_at: start.toISOString() };
      const { died, value } = await crashing.dieAt(n, recordLessonAttendance, input, withKey(`roll ${n}`, school));
      expect(value.entries).toEqual(sessionIds.map((session_id) => ({ session_id, status: 'recorded' })));
      for (const id of sessionIds) await crashing.publishedOnce(id, ['session.created', 'session.attendance_recorded']);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(3);
  }, 420_000);
});
