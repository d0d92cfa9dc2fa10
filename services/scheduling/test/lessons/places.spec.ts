import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  createLesson,
  createPool,
  describeLessons,
  getLesson,
  type InputOf,
  type Lesson,
  makeSession,
  type PlacedMember,
  type Principal,
  updateLesson,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, aSchedule, inDays, partOf, rejectionOf } from '@swim/testing';
import { LessonsRepository } from '../../src/lessons/lessons.repository.js';
import { wholeness } from '../calendar/calendar-checks.js';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { placesIn, takePlace } from './places.js';

jest.setTimeout(120_000);
let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

type Claim = InputOf<typeof claimBooking>;
const asSchool = { principal: school };

const aLesson = (more: Partial<InputOf<typeof createLesson>> = {}): Promise<Lesson> =>
  scheduling.harness.call(
    createLesson,
    {
      instructor_id: scheduling.people.instructor(),
      date: inDays(10),
      duration_minutes: 30,
      capacity: 6,
      price_cents: 1_500,
      ...more,
    },
    asSchool,
  );
const read = ({ id: lesson_id }: Lesson, principal = school) =>
  scheduling.harness.call(getLesson, { lesson_id }, { principal });
const aMember = (accountId = family.accountId, more: Partial<PlacedMember> = {}): PlacedMember => ({
  id: scheduling.people.member(accountId),
  level: 'beginner',
  dateOfBirth: '2020-01-15',
  ...more,
});

const book = (lessons: Lesson[], members = [aMember()], more: Partial<Claim> = {}, principal = family) =>
  scheduling.harness.call(
    claimBooking,
    placesIn(scheduling.people, lessons, members, { accountId: principal.accountId, ...more }),
    {
      principal,
      budgetMs: 60_000,
    },
  );
const whole = () => wholeness(scheduling.harness.database('scheduling_test'));

describe('places in a lesson', () => {
  it('are taken for each member, priced and placed as the lesson is', async () => {
    const [first, second] = [await aLesson(), await aLesson({ date: inDays(11), price_cents: 2_000 })];
    const members = [aMember(), aMember()];
    const { sessions = [], skipped } = await book([first, second], members);
    expect(skipped).toEqual([]);
    expect(
      sessions.map(({ lesson_id, price_cents, instructor_id }) => [lesson_id, price_cents, instructor_id]),
    ).toEqual([
      [first.id, 1_500, first.instructor_id],
      [first.id, 1_500, first.instructor_id],
      [second.id, 2_000, second.instructor_id],
      [second.id, 2_000, second.instructor_id],
    ]);
    expect(await read(first)).toMatchObject({ places_left: 4, version: 1, updated_at: first.updated_at });
    await whole();
  });

  it('are given back by a cancellation, and the lesson stays', async () => {
    const lesson = await aLesson({ capacity: 1 });
    const { sessionIds } = await book([lesson]);
    expect((await rejectionOf(book([lesson]))).reason).toBe('lesson_full');
    await scheduling.harness.call(cancelSession, { session_id: sessionIds[0]! }, asFamily);
    expect(await read(lesson)).toMatchObject({ places_left: 1, status: 'scheduled' });
    await book([lesson]);
    await whole();
  });

  it('are exactly as many as the lesson has, also when families race for them', async () => {
    const lesson = await aLesson({ capacity: 6 });
    const racers = Array.from({ length: 40 }, () => aPrincipal({ accountId: newId('acct') }));
    // As a client, which repeats what is busy.
    const race = async (racer: Principal): Promise<unknown> => {
      const tried = await Promise.allSettled([book([lesson], [aMember(racer.accountId)], {}, racer)]);
      if (tried[0].status === 'fulfilled') return tried[0].value;
      if (!['busy_retry', 'overloaded'].includes(tried[0].reason.reason)) throw tried[0].reason;
      return race(racer);
    };
    const outcomes = await Promise.allSettled(racers.map(race));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.reason] : []));
    expect(new Set(reasons)).toEqual(new Set(['lesson_full']));
    expect(await read(lesson)).toMatchObject({ places_left: 0 });
    await whole();
  });

  it('show a family its own sessions alone', async () => {
    const lesson = await aLesson();
    const other = aPrincipal({ accountId: newId('acct') });
    const { sessionIds } = await book([lesson]);
    await book([lesson], [aMember(other.accountId)], {}, other);
    const seen = await read(lesson, family);
    expect(seen.sessions.map(({ id }) => id)).toEqual(sessionIds);
    expect(seen.places_left).toBe(4);
    expect((await read(lesson)).sessions).toHaveLength(2);
  });
});

describe('a request for places', () => {
  it('names each lesson without a place, with the reason of the first, and suggests lessons that have places, fit, and in which the member is free', async () => {
    const level = 'proficient' as const;
    const fit = { levels: [level] };
    const member = aMember(family.accountId, { level });
    const [free, full, other, own] = [
      await aLesson(fit),
      await aLesson({ ...fit, date: inDays(11), capacity: 1 }),
      await aLesson({ ...fit, date: inDays(2) }),
      await aLesson({ ...fit, date: inDays(3) }),
    ];
    await book([own], [member]);
    await aLesson({ date: inDays(1), levels: ['advanced'] });
    await aLesson({ date: inDays(1), ...fit, min_age_years: 30 });
    await book([full], [aMember(family.accountId, { level })]);
    const { reason, details } = await rejectionOf(book([free, full], [member]));
    expect(reason).toBe('lesson_full');
    expect(details).toMatchObject({ field: 'lesson_ids.1', conflicts: [{ index: 1, lesson_id: full.id, reason }] });
    const suggestions = details.suggestions as { lesson_id: string }[];
    expect(suggestions[0]).toEqual({ lesson_id: other.id, date: other.date });
    for (const { id } of [free, own]) expect(suggestions.map(({ lesson_id }) => lesson_id)).not.toContain(id);
    expect(await read(free)).toMatchObject({ places_left: 6 });
  });

  it('leaves out by skip what has no place for all of its members', async () => {
    const [free, full] = [await aLesson(), await aLesson({ date: inDays(11), capacity: 1 })];
    const { sessionIds, skipped } = await book([free, full], [aMember(), aMember()], { onConflict: 'skip' });
    expect(sessionIds).toHaveLength(2);
    expect(skipped).toEqual([{ lesson_id: full.id, date: full.date, reason: 'lesson_full' }]);
    expect(await read(full)).toMatchObject({ places_left: 1 });
  });

  it('is rejected for a member who is busy', async () => {
    const [lesson, member] = [await aLesson(), aMember()];
    const elsewhere = aSession(scheduling.people.instructor(), member.id);
    await scheduling.harness.call(makeSession, elsewhere, asFamily);
    const { reason, details } = await rejectionOf(book([lesson], [member]));
    expect([reason, details.member_id]).toEqual(['member_busy', member.id]);
  });

  it.each<[string, Partial<InputOf<typeof createLesson>>]>([
    ['level', { levels: ['advanced'] }],
    ['min_age', { min_age_years: 30 }],
    ['max_age', { max_age_years: 3 }],
  ])('of a family must fit the %s of the lesson; the school may book all the same', async (rule, more) => {
    const [lesson, member] = [await aLesson(more), aMember()];
    const { reason, details } = await rejectionOf(book([lesson], [member]));
    expect([reason, details.rule, details.member_id]).toEqual(['not_eligible', rule, member.id]);
    const ofSchool = { accountId: family.accountId };
    expect((await book([lesson], [member], ofSchool, school)).sessionIds).toHaveLength(1);
  });

  it('of a family fits by the age on the date of the lesson in the zone of its pool', async () => {
    const place = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4 };
    const timezones = ['Pacific/Kiritimati', 'Pacific/Niue'];
    const date = inDays(12, 11);
    // Where it is the next day already, the member has a birthday.
    const [year, rest] = [Number(inDays(13).slice(0, 4)), inDays(13).slice(4, 10)];
    const member = aMember(family.accountId, { dateOfBirth: `${year - 8}${rest}` });
    const outcomes: (string | number)[] = [];
    for (const timezone of timezones) {
      const { id: pool_id } = await scheduling.harness.call(createPool, { ...place, timezone }, asSchool);
      const lesson = await aLesson({ date, min_age_years: 8, location: { type: 'pool', pool_id } });
      const booked = book([lesson], [member]);
      outcomes.push(
        await booked.then(
          ({ sessionIds }) => sessionIds.length,
          ({ reason }) => reason,
        ),
      );
    }
    expect(outcomes).toEqual([1, 'not_eligible']);
  });

  it('of a family is bound by the notice of the instructor alone', async () => {
    const schedule = aSchedule({ minimum_notice_minutes: 30 * 24 * 60, maximum_days_ahead: 1 });
    const lesson = await aLesson({ instructor_id: scheduling.people.instructor({ schedule }) });
    const { reason, details } = await rejectionOf(book([lesson]));
    expect([reason, details.rule]).toEqual(['outside_availability', 'notice']);
    expect((await book([lesson], [aMember()], { accountId: family.accountId }, school)).sessionIds).toHaveLength(1);
  });

  it('is for lessons that are bookable; the school books places in all of its own', async () => {
    const lesson = await aLesson({ bookable: false });
    const described = scheduling.harness.call(describeLessons, { lessonIds: [lesson.id] }, asFamily);
    expect(await described).toEqual([null]);
    expect((await rejectionOf(book([lesson]))).reason).toBe('not_found');
    expect((await book([lesson], [aMember()], { accountId: family.accountId }, school)).sessionIds).toHaveLength(1);
    expect(await read(lesson, family)).toMatchObject({ places_left: 5 });
  });

  it('reads again a lesson that has changed since it was read', async () => {
    const lesson = await aLesson({ capacity: 2 });
    const lessons = partOf(scheduling.service, LessonsRepository);
    const { findVisible } = lessons;
    jest.spyOn(lessons, 'findVisible').mockImplementationOnce(async (...input) => {
      const found = await findVisible.apply(lessons, input);
      return found.map((each) => ({ ...each, gen: each.gen + 1 }));
    });
    expect((await book([lesson])).sessionIds).toHaveLength(1);
  });

  it('counts against a smaller capacity while it holds them: capacity_below_taken', async () => {
    const lesson = await aLesson();
    await takePlace(scheduling, lesson.id);
    await takePlace(scheduling, lesson.id, { holdMs: 600_000 });
    const smaller = { lesson_id: lesson.id, changes: { capacity: 1 } };
    const { reason, details } = await rejectionOf(scheduling.harness.call(updateLesson, smaller, asSchool));
    expect([reason, details.places_taken]).toEqual(['capacity_below_taken', 2]);
  });

  it('changes nothing in a dry run, and answers as without it', async () => {
    const lesson = await aLesson({ capacity: 1 });
    expect((await book([lesson], [aMember()], { dryRun: true })).sessionIds).toHaveLength(1);
    expect(await read(lesson)).toMatchObject({ places_left: 1 });
    await book([lesson]);
    expect((await rejectionOf(book([lesson], [aMember()], { dryRun: true }))).reason).toBe('lesson_full');
  });
});
