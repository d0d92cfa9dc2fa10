import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelLesson,
  describeLessons,
  getLesson,
  type Hold,
  type Lesson,
  removeHold,
  updateLesson,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, until } from '@swim/testing';
import { wholeness } from '../calendar/calendar-checks.js';
import { type SchedulingHarness, school, startScheduling } from '../harness.js';
import { aFamily, heldPlaces, refused } from './held-places.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const PAST = new Date(0);
const asSchool = { principal: school };
const { call, aLesson, lessons, hold, convert, booking, read, leftIn, database } = heldPlaces(() => scheduling);

describe('a booking with a hold of places', () => {
  it('gets them, with the sessions of the hold, at the place and with the instructor of each lesson', async () => {
    const of = await lessons(inDays(10), inDays(11));
    const { held, book, principal } = await hold(of);
    const { sessions = [] } = await book();
    expect(sessions.map((each) => [each.lesson_id, each.instructor_id, each.date, each.price_cents])).toEqual(
      of.map((each) => [each.id, each.instructor_id, each.date, each.price_cents]),
    );
    expect(await read(held, principal)).toMatchObject({ status: 'converted', lesson_ids: of.map(({ id }) => id) });
    for (const lesson of of) expect(await leftIn(lesson)).toBe(5);
    expect(await refused(book({ bookingId: newId('bkg') }))).toEqual(['invalid_state', 'hold_id']);
    expect((await call(getLesson, { lesson_id: of[0]!.id }, { principal })).sessions).toHaveLength(1);
  });

  it('must be for its lessons, in any order, and its members', async () => {
    const [first, second, third] = await lessons(inDays(10), inDays(11), inDays(12));
    const { held, principal } = await hold([first!, second!]);
    const mismatch = ['hold_mismatch', 'hold_id'];
    expect(await refused(convert(booking(held, [first!]), principal))).toEqual(mismatch);
    expect(await refused(convert(booking(held, [first!, third!]), principal))).toEqual(mismatch);
    const other = [scheduling.people.member(principal.accountId)];
    expect(await refused(convert(booking(held, [first!, second!], other), principal))).toEqual(mismatch);
    const timed = booking(held, [first!, second!]);
    const slots = timed.slots.map(({ lessonId: _, ...slot }) => slot);
    expect(await refused(convert({ ...timed, slots }, principal))).toEqual(mismatch);
    expect((await convert(booking(held, [second!, first!]), principal)).sessions).toHaveLength(2);
  });

  it('gets them also when the school offers the lesson no longer', async () => {
    const lesson = await aLesson();
    const { held, book, principal } = await hold([lesson]);
    const changes = { bookable: false, levels: ['proficient' as const] };
    await call(updateLesson, { lesson_id: lesson.id, changes }, asSchool);
    const described = { lessonIds: [lesson.id], holdId: held.id };
    expect(await call(describeLessons, described, { principal })).toMatchObject([{ id: lesson.id }]);
    expect(await call(describeLessons, described, { principal: aFamily() })).toEqual([null]);
    expect((await book()).sessions).toHaveLength(1);
  });

  it.each<[string, (lesson: Lesson) => Promise<unknown>]>([
    ['moved', ({ id }) => call(updateLesson, { lesson_id: id, changes: { date: inDays(12) } }, asSchool)],
    ['cancelled', ({ id }) => call(cancelLesson, { lesson_id: id }, asSchool)],
  ])('is rejected once one of its lessons was %s', async (_, change) => {
    const [stays, changes] = await lessons(inDays(10), inDays(11));
    const { held, book, principal } = await hold([stays!, changes!]);
    await change(changes!);
    expect(await read(held, principal)).toMatchObject({ status: 'expired' });
    expect(await refused(book())).toEqual(['invalid_state', 'hold_id']);
    expect(await leftIn(stays!)).toBe(6);
  });

  it.each<[string, (lesson: Lesson, held: Hold) => Promise<unknown>]>([
    ['a move', ({ id }) => call(updateLesson, { lesson_id: id, changes: { date: inDays(12) } }, asSchool)],
    ['a cancellation', ({ id }) => call(cancelLesson, { lesson_id: id }, asSchool)],
    ['its removal', (_, { id }) => call(removeHold, { hold_id: id }, asSchool)],
    [
      'its end',
      (_, { id }) =>
        database()
          .collection<{ _id: string }>('holds')
          .updateOne({ _id: id }, { $set: { expiresAt: PAST, dueAt: PAST } }),
    ],
  ])('races %s: it is made whole or not at all', async (_, rival) => {
    for (let round = 0; round < 6; round++) {
      const of = await lessons(inDays(10), inDays(11));
      const { held, book, principal } = await hold(of);
      const [booked] = await Promise.allSettled([
        book(),
        rival(of[1]!, held).catch(({ reason }) => expect(reason).toMatch(/invalid_state|change_in_progress/)),
      ]);
      const isBooked = booked!.status === 'fulfilled';
      if (!isBooked) expect(['invalid_state', 'not_found']).toContain(booked!.reason.reason);
      await until(async () => (await leftIn(of[0]!)) === (isBooked ? 5 : 6), 'the other lesson has what is left');
      const status = await read(held, principal).then(
        (now) => now.status,
        ({ reason }) => reason,
      );
      expect(isBooked ? ['converted'] : ['expired', 'resource_not_found']).toContain(status);
    }
  });
});

it('the calendar is consistent after all tests', async () => {
  const held = { state: 'held', until: { $gt: new Date() } };
  await database()
    .collection('claims')
    .updateMany(held, { $set: { until: PAST, dueAt: PAST } });
  await wholeness(database());
});
