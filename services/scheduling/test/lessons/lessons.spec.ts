import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelLesson,
  createClosure,
  createLesson,
  createPool,
  getLesson,
  type InputOf,
  type Lesson,
  listLessons,
  makeSession,
  updateLesson,
} from '@swim/contracts';
import { aPrincipal, inDays, type RequestOptions, rejectionOf } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { takePlace } from './places.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const asSchool = { principal: school };
const aLesson = (more: Partial<InputOf<typeof createLesson>> = {}): InputOf<typeof createLesson> => ({
  instructor_id: scheduling.people.instructor(),
  date: inDays(10),
  duration_minutes: 30,
  capacity: 6,
  price_cents: 1_500,
  ...more,
});
const create = (more: Partial<InputOf<typeof createLesson>> = {}, options: RequestOptions = {}): Promise<Lesson> =>
  scheduling.harness.call(createLesson, aLesson(more), { principal: school, ...options });
const list = async (query: InputOf<typeof listLessons>, options: RequestOptions = asFamily): Promise<string[]> =>
  (await scheduling.harness.call(listLessons, query, options)).items.map(({ id }) => id);

describe('a lesson of a school', () => {
  it('has its places, and takes its instructor before anyone is in it', async () => {
    const instructor_id = scheduling.people.instructor();
    const lesson = await create({ instructor_id, levels: ['beginner'], min_age_years: 4, max_age_years: 7 });
    expect(lesson).toMatchObject({ capacity: 6, places_left: 6, bookable: true, sessions: [], currency: 'USD' });
    expect(await scheduling.harness.call(getLesson, { lesson_id: lesson.id }, asFamily)).toEqual(lesson);
    const other = scheduling.harness.call(makeSession, aSession(instructor_id, scheduling.people.member()), asFamily);
    expect((await rejectionOf(other)).reason).toBe('instructor_busy');
  });

  it('is made once by a repeated request, and not by a dry run', async () => {
    const input = { instructor_id: scheduling.people.instructor() };
    const options = { idempotencyKey: 'a lesson once' };
    expect((await create(input, { dryRun: true })).places_left).toBe(6);
    expect(await create(input, options)).toEqual(await create(input, options));
  });

  it('that is not bookable is seen by its school alone', async () => {
    const { id: lesson_id } = await create({ bookable: false });
    const read = (principal = aPrincipal()) => scheduling.harness.call(getLesson, { lesson_id }, { principal });
    expect((await rejectionOf(read())).reason).toBe('resource_not_found');
    expect(await read(school)).toMatchObject({ id: lesson_id });
  });

  it.each<[string, string, Partial<InputOf<typeof createLesson>>, RequestOptions]>([
    ['by a family', 'school_only', {}, { principal: aPrincipal() }],
    ['in the past', 'in_past', { date: inDays(-1) }, {}],
    ['in eleven years', 'too_far_ahead', { date: inDays(4_100) }, {}],
    ['outside the hours of the instructor', 'outside_availability', { date: inDays(10, 3) }, {}],
  ])('%s is rejected: %s', async (_, reason, more, options) => {
    expect((await rejectionOf(create(more, options))).reason).toBe(reason);
  });

  it.each<[string, string, object]>([
    ['too_small', 'capacity', { capacity: 0 }],
    ['too_large', 'capacity', { capacity: 31 }],
    ['required', 'price_cents', { price_cents: undefined }],
  ])('is rejected with %s at %s for %j', async (reason, field, more) => {
    const { details } = await rejectionOf(create(more));
    expect(details.errors).toMatchObject([{ reason, field }]);
  });

  it('may take place outside the hours of its instructor where the school says so, or does not enforce them', async () => {
    expect(await create({ date: inDays(10, 3), outside_hours: true })).toMatchObject({ date: inDays(10, 3) });
    const { policies } = scheduling.people;
    scheduling.people.policies = { ...policies, enforceAvailability: false };
    expect(await create({ date: inDays(10, 3) })).toMatchObject({ date: inDays(10, 3) });
    scheduling.people.policies = policies;
  });

  it('is rejected for an instructor that is unknown, inactive, of another school or busy', async () => {
    const { people } = scheduling;
    const foreign = people.instructor({ schoolId: aPrincipal().accountId });
    const reasonOf = async (instructor_id: string) => (await rejectionOf(create({ instructor_id }))).reason;
    expect(await reasonOf('ins_01k5zr8q3ve9mbf6w2n0x4ht7c')).toBe('not_found');
    expect(await reasonOf(foreign)).toBe('not_found');
    expect(await reasonOf(people.instructor({ status: 'inactive' }))).toBe('inactive_instructor');
    const busy = people.instructor();
    await create({ instructor_id: busy });
    expect(await reasonOf(busy)).toBe('instructor_busy');
  });

  it('has a price that the currency can express', async () => {
    const instructor_id = scheduling.people.instructor({ currency: 'KWD' });
    expect((await rejectionOf(create({ instructor_id, price_cents: 1_005 }))).reason).toBe('not_representable');
  });
});

describe('a lesson that takes no places', () => {
  it.each<[string, (lesson: Lesson) => Promise<unknown>]>([
    ['full', ({ id }) => takePlace(scheduling, id)],
    ['cancelled', ({ id: lesson_id }) => scheduling.harness.call(cancelLesson, { lesson_id }, asSchool)],
    [
      'closed',
      ({ instructor_id, date, end_date }) => {
        const closure = { instructor_ids: [instructor_id], from: date, to: end_date, reason: 'Repairs' };
        return scheduling.harness.call(createClosure, { ...closure, lessons: 'keep' }, asSchool);
      },
    ],
    ['begun', async ({ date }) => scheduling.clock.set(new Date(Date.parse(date) + 60_000))],
  ])('because it is %s has none left, in its list as well', async (_, change) => {
    const instructor_id = scheduling.people.instructor();
    const lesson = await create({ instructor_id, capacity: 1 });
    expect(await list({ instructor_id, has_places: true })).toEqual([lesson.id]);
    await change(lesson);
    const now = await scheduling.harness.call(getLesson, { lesson_id: lesson.id }, asSchool);
    const listed = [await list({ instructor_id, has_places: true }), await list({ instructor_id, has_places: false })];
    scheduling.clock.set(new Date());
    expect([now.places_left, ...listed]).toEqual([0, [], [lesson.id]]);
  });
});

describe('the list of lessons', () => {
  it('is filtered by level, age, places and instructor, and sorted by date', async () => {
    const instructor_id = scheduling.people.instructor();
    const later = await create({ instructor_id, date: inDays(12), levels: ['advanced'], min_age_years: 8 });
    const first = await create({ instructor_id, levels: ['beginner'], max_age_years: 7, capacity: 1 });
    const open = await create({ instructor_id, date: inDays(11) });
    const ids = [first, open, later].map(({ id }) => id);
    expect(await list({ instructor_id })).toEqual(ids);
    expect(await list({ instructor_id, level: 'beginner' })).toEqual([first.id, open.id]);
    expect(await list({ instructor_id, age_years: 8 })).toEqual([open.id, later.id]);
    expect(await list({ instructor_id, has_places: true })).toEqual(ids);
    expect(await list({ instructor_id, has_places: false })).toEqual([]);
    expect(await list({ instructor_id, bookable: false })).toEqual([]);
    expect(await list({ instructor_id, date_from: inDays(11), date_to: inDays(12) })).toEqual([open.id]);
  });

  it('is filtered by school, pool, whether families may book, change and ids', async () => {
    const baths = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'UTC' };
    const { id: pool_id } = await scheduling.harness.call(createPool, baths, asSchool);
    const instructor_id = scheduling.people.instructor();
    const inPool = await create({ instructor_id, location: { type: 'pool', pool_id } });
    const hidden = await create({ instructor_id, date: inDays(11), bookable: false });
    const found = (query: InputOf<typeof listLessons>) => list({ instructor_id, ...query }, asSchool);
    expect(await found({ account_id: school.accountId })).toEqual([inPool.id, hidden.id]);
    expect(await found({ account_id: aPrincipal().accountId })).toEqual([]);
    expect(await found({ pool_id })).toEqual([inPool.id]);
    expect(await found({ bookable: true })).toEqual([inPool.id]);
    expect(await found({ bookable: false })).toEqual([hidden.id]);
    expect(await found({ ids: hidden.id })).toEqual([hidden.id]);
    const changes = { capacity: 7 };
    const { updated_at } = await scheduling.harness.call(updateLesson, { lesson_id: inPool.id, changes }, asSchool);
    expect(await found({ updated_from: updated_at })).toEqual([inPool.id]);
    expect(await found({ updated_to: updated_at })).toEqual([hidden.id]);
  });
});
