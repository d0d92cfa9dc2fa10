import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  cancelLesson,
  createClosure,
  createHold,
  type ErasedMember,
  getLesson,
  getWaitlistEntry,
  type InputOf,
  joinWaitlist,
  type Lesson,
  listHolds,
  makeSession,
  memberErased,
  removeHold,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, aSchedule, inDays, partOf, rejectionOf, until } from '@swim/testing';
import { MemberErasureService } from '../../src/lifecycle/member-erasure.service.js';
import { wholeness } from '../calendar/calendar-checks.js';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';
import { aLesson as aLessonOf } from '../lessons/places.js';
import { aFamily, heldPlaces, refused } from './held-places.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const PAST = new Date(0);
const asSchool = { principal: school };
const { call, aLesson, lessons, hold, read, leftIn, database } = heldPlaces(() => scheduling);

describe('a hold of places in lessons', () => {
  it('has one for each member in each lesson, and gives them back when it is removed', async () => {
    const principal = aFamily();
    const member_ids = [1, 2].map(() => scheduling.people.member(principal.accountId));
    const of = await lessons(inDays(11), inDays(10));
    const { held } = await hold(of, { member_ids }, principal);
    expect(held).toMatchObject({
      account_id: principal.accountId,
      instructor_id: of[0]!.instructor_id,
      lesson_ids: of.map(({ id }) => id),
      sessions: of.map(({ date, end_date, duration_minutes }) => ({ date, end_date, duration_minutes })),
      location: null,
      status: 'active',
    });
    expect(await read(held, principal)).toEqual(held);
    expect((await call(listHolds, {}, { principal })).items).toEqual([held]);
    for (const lesson of of) expect(await leftIn(lesson)).toBe(4);
    const elsewhere = aSession(scheduling.people.instructor(), member_ids[1]!);
    expect(await refused(call(makeSession, elsewhere, { principal }))).toEqual(['member_busy', 'date']);
    await call(removeHold, { hold_id: held.id }, { principal });
    for (const lesson of of) expect(await leftIn(lesson)).toBe(6);
    await call(makeSession, elsewhere, { principal });
  });

  it('is all or nothing, and names each lesson without a place', async () => {
    const [open, full] = [await aLesson(), await aLesson({ date: inDays(11), capacity: 1 })];
    const sooner = await aLesson({ date: inDays(1) });
    await hold([full]);
    const { reason, details } = await rejectionOf(hold([open, full]));
    expect(reason).toBe('lesson_full');
    expect(details).toMatchObject({ field: 'lesson_ids.1', conflicts: [{ index: 1, lesson_id: full.id, reason }] });
    expect((details.suggestions as { lesson_id: string }[])[0]?.lesson_id).toBe(sooner.id);
    expect(await leftIn(open)).toBe(6);
  });

  it('is not made of more places than there are, also when families race for them', async () => {
    const lesson = await aLesson({ capacity: 3 });
    const race = async (): Promise<unknown> => {
      const [tried] = await Promise.allSettled([hold([lesson])]);
      if (tried!.status === 'fulfilled') return 'held';
      return tried!.reason.reason === 'busy_retry' ? race() : tried!.reason.reason;
    };
    const outcomes = await Promise.all(Array.from({ length: 12 }, race));
    expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(3);
    expect(new Set(outcomes)).toEqual(new Set(['held', 'lesson_full']));
    expect(await leftIn(lesson)).toBe(0);
  });

  it('shows another family nothing but the places that are left', async () => {
    const lesson = await aLesson();
    const { held } = await hold([lesson]);
    const other = aFamily();
    expect(await refused(read(held, other))).toEqual(['resource_not_found', undefined]);
    const seen = await call(getLesson, { lesson_id: lesson.id }, { principal: other });
    expect([seen.places_left, seen.sessions]).toEqual([5, []]);
    expect(JSON.stringify(seen)).not.toContain(held.member_ids[0]);
  });

  it('counts as another hold does', async () => {
    const principal = aFamily();
    const lesson = await aLesson();
    for (let count = 0; count < 3; count++) await hold([lesson], {}, principal);
    expect(await refused(hold([lesson], {}, principal))).toEqual(['limit_reached', 'lesson_ids']);
    expect(await leftIn(lesson)).toBe(3);
  });

  it('is only validated by a dry run', async () => {
    const lesson = await aLesson({ capacity: 1 });
    const input = { lesson_ids: [lesson.id], member_ids: [scheduling.people.member()] };
    const dryRun = { ...asFamily, dryRun: true };
    expect(await call(createHold, input, dryRun)).toMatchObject({ status: 'active', lesson_ids: [lesson.id] });
    expect(await leftIn(lesson)).toBe(1);
    await hold([lesson]);
    expect(await refused(call(createHold, input, dryRun))).toEqual(['lesson_full', 'lesson_ids.0']);
  });

  it('is made once for two requests under one key', async () => {
    const lesson = await aLesson();
    const input = { lesson_ids: [lesson.id], member_ids: [scheduling.people.member()] };
    const first = await call(createHold, input, withKey('places'));
    expect(await call(createHold, input, withKey('places'))).toEqual(first);
    expect(await leftIn(lesson)).toBe(5);
    await call(removeHold, { hold_id: first.id }, asFamily);
  });

  it('ends with its time, and gives the places back', async () => {
    const lesson = await aLesson({ capacity: 1 });
    const { held, book, principal } = await hold([lesson]);
    const ended = { $set: { expiresAt: PAST, dueAt: PAST } };
    await database().collection<{ _id: string }>('holds').updateOne({ _id: held.id }, ended);
    await until(async () => (await leftIn(lesson)) === 1, 'the place is free');
    expect(await read(held, principal)).toMatchObject({ status: 'expired' });
    expect((await rejectionOf(book())).details).toMatchObject({ field: 'hold_id', status: 'expired' });
  });

  it('offers no time of the instructor when it ends', async () => {
    const lesson = await aLesson();
    const { held, principal } = await hold([lesson]);
    const { instructor_id } = lesson;
    const range = { date_from: lesson.date, date_to: lesson.end_date, duration_minutes: 30 };
    const member_id = scheduling.people.member();
    const { id } = await call(joinWaitlist, { instructor_id, member_id, ...range }, asFamily);
    await call(removeHold, { hold_id: held.id }, { principal });
    expect(await call(getWaitlistEntry, { waitlist_id: id }, asFamily)).toMatchObject({ status: 'waiting' });
    expect(await leftIn(lesson)).toBe(6);
  });

  it('ends when its member is erased', async () => {
    const lesson = await aLesson();
    const { held, principal } = await hold([lesson]);
    const event = {
      env: 'test',
      type: memberErased.type,
      object: { id: held.member_ids[0], account_id: principal.accountId },
      audience: [principal.accountId],
      occurredAt: new Date().toISOString(),
    };
    await partOf(scheduling.service, MemberErasureService).erase(event as unknown as BusEvent<ErasedMember>);
    expect(await leftIn(lesson)).toBe(6);
    expect(await refused(read(held, principal))).toEqual(['resource_not_found', undefined]);
  });
});

describe('a hold of places is rejected', () => {
  const rejected = (input: Partial<InputOf<typeof createHold>>, options: object = asFamily) =>
    refused(call(createHold, { member_ids: [scheduling.people.member()], ...input }, options));
  const inLessons = (...of: Lesson[]) => ({ lesson_ids: of.map(({ id }) => id) });

  it('for lessons that the family cannot book, of which the school holds all', async () => {
    const hidden = await aLesson({ bookable: false });
    const open = await aLesson();
    expect(await rejected(inLessons(open, hidden))).toEqual(['not_found', 'lesson_ids.1']);
    expect(await rejected({ lesson_ids: [newId('lsn')] })).toEqual(['not_found', 'lesson_ids.0']);
    const { lesson_id } = await call(
      makeSession,
      aSession(scheduling.people.instructor(), scheduling.people.member()),
      asFamily,
    );
    expect(await rejected({ lesson_ids: [lesson_id] })).toEqual(['not_found', 'lesson_ids.0']);
    await call(createHold, { member_ids: [scheduling.people.member()], ...inLessons(hidden) }, asSchool);
  });

  it('for lessons that overlap, or another instructor than that of the first', async () => {
    const [first, beside] = await lessons(inDays(10), inDays(10, 10, 15));
    expect(await rejected(inLessons(first!, beside!))).toEqual(['overlapping_sessions', 'lesson_ids']);
    const other = { ...inLessons(first!), instructor_id: beside!.instructor_id };
    expect(await rejected(other)).toEqual(['invalid_value', 'instructor_id']);
  });

  it('for a lesson in another currency, or of another school', async () => {
    const instructor_id = scheduling.people.instructor({ currency: 'EUR' });
    const [first, euros] = [await aLesson(), await aLesson({ instructor_id, date: inDays(11) })];
    expect(await rejected(inLessons(first, euros))).toEqual(['currency_mismatch', 'lesson_ids']);
    const otherSchool = aPrincipal({ kind: 'school', accountId: newId('acct') });
    const foreign = scheduling.people.instructor({ schoolId: otherSchool.accountId });
    const elsewhere = await aLessonOf(
      scheduling,
      { instructor_id: foreign, date: inDays(11) },
      { principal: otherSchool },
    );
    expect(await rejected(inLessons(first, elsewhere))).toEqual(['lessons_of_several_schools', 'lesson_ids']);
  });

  it('for a lesson that has begun or is cancelled', async () => {
    const [over, cancelled] = await lessons(inDays(10), inDays(11));
    const begun = { $set: { start: new Date(scheduling.clock.now().getTime() - 60_000) } };
    await database().collection<{ _id: string }>('lessons').updateOne({ _id: over!.id }, begun);
    expect(await rejected(inLessons(over!))).toEqual(['in_past', 'lesson_ids.0']);
    await call(cancelLesson, { lesson_id: cancelled!.id }, asSchool);
    expect(await rejected(inLessons(cancelled!))).toEqual(['invalid_state', 'lesson_ids.0']);
  });

  it('for members who do not fit, too soon, or are busy; levels, ages and notice do not bind the school', async () => {
    const fit = await aLesson({ min_age_years: 30 });
    expect(await rejected(inLessons(fit))).toEqual(['not_eligible', 'lesson_ids.0']);
    const schedule = aSchedule({ minimum_notice_minutes: 30 * 24 * 60 });
    const soon = await aLesson({ instructor_id: scheduling.people.instructor({ schedule }), date: inDays(11) });
    expect(await rejected(inLessons(soon))).toEqual(['outside_availability', 'lesson_ids.0']);
    const ofSchool = { member_ids: [scheduling.people.member()], ...inLessons(fit, soon) };
    await call(createHold, ofSchool, asSchool);
    const member = scheduling.people.member();
    await call(makeSession, aSession(scheduling.people.instructor(), member), asFamily);
    const lesson = await aLesson();
    const { reason, details } = await rejectionOf(
      call(createHold, { ...inLessons(lesson), member_ids: [member] }, asFamily),
    );
    expect([reason, details.field, details.member_id]).toEqual(['member_busy', 'lesson_ids.0', member]);
  });

  it('for a lesson that a closure keeps, as a booking is', async () => {
    const lesson = await aLesson();
    const { held, book, principal } = await hold([lesson]);
    const time = { instructor_ids: [lesson.instructor_id], from: lesson.date, to: inDays(11) };
    await call(createClosure, { ...time, reason: 'The boiler is broken', lessons: 'keep' }, asSchool);
    expect(await read(held, principal)).toMatchObject({ status: 'expired' });
    expect(await refused(book())).toEqual(['invalid_state', 'hold_id']);
    const facts = { field: 'lesson_ids.0', closure_reason: 'The boiler is broken', closed_until: inDays(11) };
    for (const tried of [() => hold([lesson]), () => book({ holdId: null })]) {
      const { reason, details } = await rejectionOf(tried());
      expect([reason, details]).toMatchObject(['closed', { ...facts, conflicts: [{ lesson_id: lesson.id, reason }] }]);
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
