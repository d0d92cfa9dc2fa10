import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  createClosure,
  createLesson,
  createPool,
  describeClass,
  getLesson,
  updateLesson,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, aSchedule, collectMessages, rejectionOf, until } from '@swim/testing';
import { asFamily, family, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { bookPlace } from '../lessons/places.js';
import { classesOf, dateIn, type Fields } from './classes-client.js';

let scheduling: SchedulingHarness;
let events: BusEvent[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages<BusEvent>(scheduling.harness.connection, 'event.test.scheduling.>');
});
afterAll(() => scheduling?.stop());

const { call, create, fields, lessonsOf, list, open, opened, patch, read, remove } = classesOf(() => scheduling);
const asSchool = { principal: school };
const allDay = (overrides = {}) => scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }), ...overrides });
const leftOut = (days: number, reason: string) => ({ code: 'date_left_out', date: dateIn(days), reason });
const at = (days: number) => `${dateIn(days)}T16:00:00.000Z`;

describe('POST /classes/{id}/open', () => {
  it('makes a lesson for each date, which everyone sees, and publishes events to the school', async () => {
    const input = { instructor_id: allDay(), levels: ['beginner' as const], min_age_years: 5, max_age_years: 9 };
    const made = await create(input);
    const answer = await open(made.id);
    const places = { places_left: 6, next_lesson_at: at(10) };
    expect(answer).toEqual({ ...made, ...places, status: 'open', version: 2, updated_at: answer.updated_at });
    expect(await read(made.id, asFamily)).toEqual(answer);
    const lessons = await lessonsOf(made.id);
    expect(lessons.map(({ date }) => date)).toEqual([at(10), at(17), at(24)]);
    for (const lesson of lessons)
      expect(lesson).toMatchObject({
        ...input,
        ...{ class_id: made.id, account_id: school.accountId, duration_minutes: 45, capacity: 6, places_left: 6 },
        ...{ price_cents: 1_500, bookable: true, status: 'scheduled', location: null, version: 1 },
      });
    const ids = [made.id, ...lessons.map(({ id }) => id)];
    const own = () => events.filter(({ objectId }) => ids.includes(objectId));
    await until(() => own().length === 5, 'all events');
    const emitted = own().map(({ type, audience }) => [type, audience]);
    expect(emitted.sort()).toEqual([
      ['class.created', [school.accountId]],
      ['class.opened', [school.accountId]],
      ...lessons.map(() => ['lesson.created', [school.accountId]]),
    ]);
    const { name: _, description: __, ...object } = answer;
    expect(own().find(({ type }) => type === 'class.opened')).toMatchObject({
      object: { object: 'class', ...object, updated_at: expect.any(String) },
      previous: { status: 'draft', places_left: null, next_lesson_at: null },
    });
  });

  it('leaves out dates with somebody or something in the way, and says why', async () => {
    const baths = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'UTC', lanes: 1 };
    const { id: pool_id } = await call(createPool, baths, asSchool);
    const location = { type: 'pool', pool_id } as const;
    const instructor_id = allDay();
    const { recurrence } = fields();
    const { id } = await create({ instructor_id, location, recurrence: { ...recurrence, count: 4 } });
    const lesson = { duration_minutes: 30, capacity: 1, price_cents: 0 };
    await call(createLesson, { instructor_id, date: at(10), location: { type: 'home' }, ...lesson }, asSchool);
    await call(createLesson, { instructor_id: allDay(), date: at(17), location, ...lesson }, asSchool);
    const day = { from: `${dateIn(24)}T00:00:00Z`, to: `${dateIn(25)}T00:00:00Z` };
    await call(createClosure, { pool_ids: [pool_id], ...day, reason: 'Repairs', lessons: 'keep' }, asSchool);
    const warnings = [leftOut(10, 'instructor_busy'), leftOut(17, 'pool_full'), leftOut(24, 'closed')];
    expect(await opened(id, {}, { dryRun: true })).toEqual(warnings);
    expect(await lessonsOf(id, asSchool)).toEqual([]);
    expect(await opened(id)).toEqual(warnings);
    expect((await lessonsOf(id)).map(({ date }) => date)).toEqual([at(31)]);
    expect(await read(id)).toMatchObject({ next_lesson_at: at(31), places_left: 6 });
    // Opening again answers the same.
    expect(await opened(id)).toEqual(warnings);
    expect(await lessonsOf(id)).toHaveLength(1);
  });

  it('keeps to the published hours, unless `outside_hours` is sent', async () => {
    const weekly = [{ day: 'mon' as const, start: '00:00', end: '24:00' }];
    const instructor_id = scheduling.people.instructor({ schedule: aSchedule({ weekly, maximum_days_ahead: 1 }) });
    const recurrence: Fields['recurrence'] = { ...fields().recurrence, weekdays: ['mon', 'tue'], count: 2 };
    const { id } = await create({ instructor_id, recurrence });
    expect(await opened(id)).toEqual([expect.objectContaining({ reason: 'outside_availability' })]);
    expect(await lessonsOf(id)).toHaveLength(1);
    const { id: other } = await create({ instructor_id: allDay({ schedule: aSchedule({ weekly }) }), recurrence });
    expect(await opened(other, { outside_hours: true })).toEqual([]);
    expect(await lessonsOf(other)).toHaveLength(2);
  });

  it('leaves out what is past; a class of which no date is left stays a draft: no_dates', async () => {
    const start = `${dateIn(-7)}T16:00`;
    const { recurrence } = fields();
    const weekdays = [...new Set([...recurrence.weekdays])];
    const old = { ...recurrence, start_local: start, weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] };
    const { id } = await create({ instructor_id: allDay(), recurrence: { ...old, count: 3 } as Fields['recurrence'] });
    for (const options of [{ dryRun: true }, {}])
      expect((await rejectionOf(open(id, {}, options))).reason).toBe('no_dates');
    expect(await read(id)).toMatchObject({ status: 'draft', version: 1, places_left: null });
    await patch(id, { recurrence: { weekdays, count: 5 } });
    const warnings = (await opened(id)) as { date: string; reason: string }[];
    expect(warnings.map(({ reason }) => reason)).toEqual(warnings.map(() => 'in_past'));
    expect(await lessonsOf(id)).toHaveLength(5 - warnings.length);
  });

  it('stays at four o’clock when the clocks change', async () => {
    const year = new Date().getUTCFullYear() + 1;
    const recurrence: Fields['recurrence'] = {
      ...{ start_local: `${year}-03-10T16:00`, timezone: 'Europe/Berlin', weekdays: ['thu'], count: 5 },
    };
    const { id } = await create({ instructor_id: allDay(), recurrence });
    await open(id);
    const dates = (await lessonsOf(id)).map(({ date }) => new Date(date));
    expect(new Set(dates.map((date) => date.getUTCHours()))).toEqual(new Set([14, 15]));
    const local = (date: Date) => date.toLocaleTimeString('de', { timeZone: 'Europe/Berlin' });
    expect(dates.map(local)).toEqual(dates.map(() => '16:00:00'));
  });

  it('makes 52 lessons under one claim, also when two requests open the class at a time', async () => {
    const instructor_id = allDay();
    const { id } = await create({ instructor_id, recurrence: { ...fields().recurrence, count: 52 } });
    const answers = await Promise.all([open(id), open(id), open(id)]);
    expect(new Set(answers.map(({ version }) => version))).toEqual(new Set([2]));
    const lessons = await lessonsOf(id);
    expect(new Set(lessons.map(({ date }) => date)).size).toBe(52);
    expect(lessons).toHaveLength(52);
    const claims = scheduling.harness.database('scheduling_test').collection('claims');
    expect(await claims.countDocuments({ 'elements.resource': instructor_id, state: 'confirmed' })).toBe(1);
  });

  it('is the school’s, and opens what it sees', async () => {
    const { id } = await create({ instructor_id: allDay() });
    expect((await rejectionOf(open(id, {}, asFamily))).reason).toBe('resource_not_found');
    expect((await rejectionOf(open(newId('cls')))).reason).toBe('resource_not_found');
    await open(id);
    for (const principal of [aPrincipal(), aPrincipal({ kind: 'school' })])
      expect((await rejectionOf(open(id, {}, { principal }))).reason).toBe('school_only');
    expect((await rejectionOf(remove(id))).reason).toBe('invalid_state');
  });

  it('rejects a class whose instructor teaches no more: inactive_instructor', async () => {
    const instructor_id = allDay();
    const { id } = await create({ instructor_id });
    scheduling.people.instructors.get(instructor_id)!.status = 'inactive';
    expect((await rejectionOf(open(id))).reason).toBe('inactive_instructor');
    expect((await read(id)).status).toBe('draft');
  });
});

describe('a lesson of a class that families may not book', () => {
  it('is none for those who enroll', async () => {
    const { id } = await create({ instructor_id: allDay() });
    await open(id);
    const [first, second, third] = await lessonsOf(id);
    await call(updateLesson, { lesson_id: second!.id, changes: { bookable: false } }, asSchool);
    const seen = async (principal: typeof school) => {
      const asked = { classId: id, memberId: scheduling.people.member() };
      return (await call(describeClass, asked, { principal })).lessons.map((lesson) => lesson.id);
    };
    expect(await seen(family)).toEqual([first!.id, third!.id]);
    expect(await seen(school)).toEqual([first!.id, second!.id, third!.id]);
  });
});

describe('the places of a class', () => {
  it('are the least of its lessons to come, also for filters', async () => {
    const instructor_id = allDay();
    const { id } = await create({ instructor_id, capacity: 2 });
    await open(id);
    const [first, second] = await lessonsOf(id);
    const places = async () => [(await read(id)).places_left, await list({ instructor_id, has_places: 'true' })];
    expect(await places()).toEqual([2, [id]]);
    await bookPlace(scheduling, first!);
    await bookPlace(scheduling, second!);
    expect(await places()).toEqual([1, [id]]);
    await bookPlace(scheduling, second!);
    expect(await places()).toEqual([0, []]);
    expect(await list({ instructor_id, has_places: 'false' })).toEqual([id]);
    await call(updateLesson, { lesson_id: second!.id, changes: { capacity: 3 } }, asSchool);
    expect(await places()).toEqual([1, [id]]);
    expect(await call(getLesson, { lesson_id: second!.id }, asFamily)).toMatchObject({ class_id: id, places_left: 1 });
  });

  it('are those of later lessons once one has begun', async () => {
    const instructor_id = allDay();
    const { id } = await create({ instructor_id, capacity: 1 });
    await open(id);
    const [first] = await lessonsOf(id);
    await bookPlace(scheduling, first!);
    expect(await list({ instructor_id, has_places: 'true' })).toEqual([]);
    scheduling.clock.set(new Date(Date.parse(first!.date) + 1_000));
    try {
      expect(await list({ instructor_id, has_places: 'true' })).toEqual([id]);
      expect(await read(id)).toMatchObject({ places_left: 1, next_lesson_at: at(17) });
    } finally {
      scheduling.clock.set(new Date());
    }
  });
});
