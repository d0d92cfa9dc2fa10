import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  cancelLesson,
  cancelSession,
  claimBooking,
  createPool,
  getLesson,
  getSession,
  type InputOf,
  type Lesson,
  makeSession,
  type Session,
  updateLesson,
} from '@swim/contracts';
import { aPrincipal, collectMessages, inDays, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { wholeness } from '../calendar/calendar-checks.js';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { conversionOf } from '../holds/hold-conversion.js';
import { aLesson, takePlace } from './places.js';

let scheduling: SchedulingHarness;
let events: BusEvent[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages(scheduling.harness.connection, 'event.*.scheduling.>');
});
afterAll(() => scheduling?.stop());

type Changes = InputOf<typeof updateLesson>['changes'];
const asSchool = { principal: school };
const update = (lesson_id: string, changes: Changes, options: RequestOptions = {}) =>
  scheduling.harness.call(updateLesson, { lesson_id, changes }, { ...asSchool, ...options });
const cancel = (lesson_id: string) => scheduling.harness.call(cancelLesson, { lesson_id }, asSchool);
const read = (lesson_id: string) => scheduling.harness.call(getLesson, { lesson_id }, asSchool);
const readSession = (session_id: string) => scheduling.harness.call(getSession, { session_id }, asFamily);
const sessionOf = async (lessonId: string) => (await takePlace(scheduling, lessonId))!;
const whole = () => wholeness(scheduling.harness.database('scheduling_test'));
const reasonOf = async (request: Promise<unknown>) => (await rejectionOf(request)).reason;
const typesOf = (id: string) => events.filter(({ objectId }) => objectId === id).map(({ type }) => type);

/** A lesson with sessions of two members. */
async function aFullLesson(more: Parameters<typeof aLesson>[1] = {}): Promise<{ lesson: Lesson; sessions: Session[] }> {
  const lesson = await aLesson(scheduling, more);
  return { lesson, sessions: [await sessionOf(lesson.id), await sessionOf(lesson.id)] };
}

/** A private lesson of two members. */
async function aPair(): Promise<string> {
  const { people, harness } = scheduling;
  const member_ids = [people.member(), people.member()];
  const sessions = [{ date: inDays(10), duration_minutes: 30 }];
  const held = { id: '', instructor_id: people.instructor(), member_ids, sessions };
  const { sessionIds } = await harness.call(claimBooking, { ...conversionOf(people, held), holdId: null }, asFamily);
  return (await readSession(sessionIds[0]!)).lesson_id;
}

describe('a lesson that its school moves', () => {
  it('takes all of its sessions along, which keep ids and prices, and comes back by the opposite change', async () => {
    const { lesson, sessions } = await aFullLesson();
    const moved = await update(lesson.id, { date: inDays(12), duration_minutes: 45, price_cents: 2_000, version: 1 });
    expect(moved).toMatchObject({
      date: inDays(12),
      duration_minutes: 45,
      price_cents: 2_000,
      version: 2,
      places_left: 4,
    });
    expect(moved.sessions.map(({ id }) => id).sort()).toEqual(sessions.map(({ id }) => id).sort());
    for (const { id } of sessions)
      expect(await readSession(id)).toMatchObject({
        ...{ date: inDays(12), duration_minutes: 45, price_cents: 1_500, version: 2, lesson_id: lesson.id },
      });
    await whole();
    const back = await update(lesson.id, { date: lesson.date, duration_minutes: 30, price_cents: 1_500 });
    expect(back).toMatchObject({
      ...lesson,
      version: 3,
      places_left: 4,
      sessions: moved.sessions,
      updated_at: back.updated_at,
    });
    await whole();
    await until(() => typesOf(lesson.id).length === 3, 'the events of the lesson are published');
    expect(typesOf(lesson.id)).toEqual(['lesson.created', 'lesson.rescheduled', 'lesson.rescheduled']);
    for (const { id } of sessions) {
      await until(() => typesOf(id).length === 3, 'the events of a session are published');
      expect(typesOf(id)).toEqual(['session.created', 'session.rescheduled', 'session.rescheduled']);
    }
  });

  it('says whether its participants are notified', async () => {
    const { lesson, sessions } = await aFullLesson();
    const { id } = sessions[0]!;
    const moves = () => events.filter(({ objectId, type }) => objectId === id && type.endsWith('rescheduled'));
    await update(lesson.id, { date: inDays(12), notify_participants: false });
    await update(lesson.id, { date: inDays(13) });
    await until(() => moves().length === 2, 'both moves are published');
    expect(moves().map(({ cause }) => cause.isQuiet ?? false)).toEqual([true, false]);
  });

  it('goes to another instructor and place of the school, and frees what it had', async () => {
    const baths = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'UTC', lanes: 1 };
    const pool = await scheduling.harness.call(createPool, baths, asSchool);
    const { lesson, sessions } = await aFullLesson();
    const instructor_id = scheduling.people.instructor();
    const location = { type: 'pool' as const, pool_id: pool.id };
    expect(await update(lesson.id, { instructor_id, location })).toMatchObject({ instructor_id, location });
    expect(await readSession(sessions[0]!.id)).toMatchObject({ instructor_id, location, date: lesson.date });
    await whole();
    const other = await aLesson(scheduling, { instructor_id: lesson.instructor_id });
    expect(await reasonOf(update(other.id, { location }))).toBe('pool_full');
    expect(await update(lesson.id, { location: null })).toMatchObject({ location: null });
    expect(await update(other.id, { location })).toMatchObject({ location });
    await whole();
  });

  it('is a private lesson of a group as well, of which nothing else can be changed', async () => {
    const id = await aPair();
    const moved = await update(id, { date: inDays(12) });
    expect(moved).toMatchObject({ date: inDays(12), capacity: 2, places_left: 0 });
    for (const each of moved.sessions) expect(await readSession(each.id)).toMatchObject({ date: inDays(12) });
    expect(await reasonOf(update(id, { capacity: 3 }))).toBe('private_lesson');
    expect(await update(id, { capacity: 2, bookable: false, levels: [] })).toEqual(moved);
    expect(typesOf(id)).toEqual([]);
    await whole();
  });

  it('names its own session whose member is busy, and not what is in the way', async () => {
    const { lesson, sessions } = await aFullLesson();
    const { id, member_id } = sessions[1]!;
    const other = aSession(scheduling.people.instructor(), member_id, { date: inDays(12) });
    const { id: inTheWay } = await scheduling.harness.call(makeSession, other, asFamily);
    const rejection = await rejectionOf(update(lesson.id, { date: inDays(12) }));
    expect(rejection).toMatchObject({ reason: 'member_busy', details: { session_id: id } });
    expect(JSON.stringify(rejection.details)).not.toContain(inTheWay);
    expect(JSON.stringify(rejection.details)).not.toContain(member_id);
    expect(await read(lesson.id)).toMatchObject({ date: lesson.date, version: 1 });
    for (const each of sessions) expect(await readSession(each.id)).toMatchObject(each);
    await whole();
  });

  it('takes along the session of a booking that is confirmed but not made yet, and ends holds', async () => {
    const lesson = await aLesson(scheduling);
    await takePlace(scheduling, lesson.id, { holdMs: 600_000 });
    expect(await update(lesson.id, { date: inDays(12) })).toMatchObject({ places_left: 6, date: inDays(12) });
    await takePlace(scheduling, lesson.id, { unmade: true });
    const moved = await update(lesson.id, { date: inDays(13) });
    expect(moved).toMatchObject({ date: inDays(13), sessions: [{ status: 'scheduled' }] });
    await whole();
  });

  it('is unchanged by a dry run', async () => {
    const { lesson } = await aFullLesson();
    const before = await read(lesson.id);
    const imagined = await update(lesson.id, { date: inDays(12), capacity: 8 }, { dryRun: true });
    expect(imagined).toMatchObject({ date: inDays(12), capacity: 8, places_left: 6, version: 2 });
    expect(await read(lesson.id)).toEqual(before);
    const { updated_at: _, ...moved } = await update(lesson.id, { date: inDays(12), capacity: 8 });
    expect(imagined).toMatchObject(moved);
  });
});

describe('a change that moves nothing', () => {
  it('changes fields of the lesson, whose session stays as it is', async () => {
    const { lesson, sessions } = await aFullLesson({ levels: ['beginner'], max_age_years: 7 });
    const changes = {
      capacity: 2,
      levels: [],
      max_age_years: null,
      min_age_years: 5,
      price_cents: 900,
      bookable: false,
    };
    expect(await update(lesson.id, changes)).toMatchObject({ ...changes, places_left: 0, version: 2 });
    expect(await readSession(sessions[0]!.id)).toMatchObject(sessions[0]!);
    const { bookable: _, ...others } = changes;
    expect(await update(lesson.id, others)).toMatchObject({ version: 2 });
    await until(() => typesOf(lesson.id).length === 2, 'the events are published');
    expect(events.filter(({ objectId }) => objectId === lesson.id).at(-1)).toMatchObject({
      ...{ type: 'lesson.updated', audience: [school.accountId], previous: { capacity: 6, max_age_years: 7 } },
    });
  });

  it('can be what the lesson answers, and then makes neither version nor event', async () => {
    const { lesson } = await aFullLesson();
    const { instructor_id, date, duration_minutes, location, capacity, levels, bookable, version } = lesson;
    const { min_age_years, max_age_years, price_cents } = lesson;
    const same = { instructor_id, date, duration_minutes, capacity, levels, bookable, version };
    const place = location as InputOf<typeof updateLesson>['changes']['location'];
    const again = await update(lesson.id, { ...same, location: place, min_age_years, max_age_years, price_cents });
    expect(again).toEqual(await read(lesson.id));
    expect(again.version).toBe(1);
  });
});

describe('a change of a lesson is rejected', () => {
  it.each<[string, Changes]>([
    ['in_past', { date: inDays(-1) }],
    ['too_far_ahead', { date: inDays(4_100) }],
    ['outside_availability', { date: inDays(12, 3) }],
    ['stale_version', { version: 7, capacity: 3 }],
    ['capacity_below_taken', { capacity: 1 }],
    ['range_reversed', { max_age_years: 4 }],
    ['not_found', { instructor_id: 'ins_01k5zr8q3ve9mbf6w2n0x4ht7c' }],
  ])('%s', async (reason, changes) => {
    const { lesson } = await aFullLesson({ min_age_years: 5 });
    expect(await reasonOf(update(lesson.id, changes))).toBe(reason);
    expect(await read(lesson.id)).toMatchObject({ version: 1, date: lesson.date });
  });

  it('by accounts that may not, for instructors that cannot, and in states that do not allow it', async () => {
    const { lesson } = await aFullLesson();
    const { people } = scheduling;
    expect(await reasonOf(update(lesson.id, { capacity: 9 }, asFamily))).toBe('school_only');
    const hidden = await aLesson(scheduling, { bookable: false });
    expect(await reasonOf(update(hidden.id, { capacity: 9 }, { principal: aPrincipal({ kind: 'school' }) }))).toBe(
      'resource_not_found',
    );
    const to = (instructor_id: string) => reasonOf(update(lesson.id, { instructor_id }));
    expect(await to(people.instructor({ status: 'inactive' }))).toBe('inactive_instructor');
    expect(await to(people.instructor({ schoolId: aPrincipal().accountId }))).toBe('not_found');
    expect(await to(people.instructor({ currency: 'EUR' }))).toBe('currency_mismatch');
    expect(await to((await aLesson(scheduling)).instructor_id)).toBe('instructor_busy');
    const dinars = await aLesson(scheduling, {
      instructor_id: people.instructor({ currency: 'KWD' }),
      price_cents: 1_000,
    });
    expect(await reasonOf(update(dinars.id, { price_cents: 1_005 }))).toBe('not_representable');
    const outside = { date: inDays(12, 3) };
    expect(await update(lesson.id, { ...outside, outside_hours: true })).toMatchObject(outside);
    await cancel(lesson.id);
    expect(await reasonOf(update(lesson.id, { capacity: 9 }))).toBe('invalid_state');
  });
});

describe('at once', () => {
  const settled = async (requests: Promise<unknown>[]) => {
    const results = await Promise.allSettled(requests);
    const passing = ['change_in_progress', 'invalid_state', 'busy_retry', 'capacity_below_taken'];
    for (const each of results) if (each.status === 'rejected') expect(passing).toContain(each.reason.reason);
    return results.filter(({ status }) => status === 'fulfilled').length;
  };
  const consistent = async (id: string) => {
    await whole();
    const { date, status, sessions } = await read(id);
    for (const each of sessions) {
      const session = await readSession(each.id);
      if (status === 'cancelled') expect(session.status).toBe('cancelled');
      if (session.status === 'scheduled') expect(session.date).toBe(date);
    }
  };

  it('two moves of a lesson leave it and its sessions at one of the times', async () => {
    for (let round = 0; round < 3; round++) {
      const { lesson } = await aFullLesson();
      expect(await settled([11, 12, 13].map((day) => update(lesson.id, { date: inDays(day) })))).toBeGreaterThan(0);
      await consistent(lesson.id);
    }
  });

  it('a move and a cancellation leave every session where its lesson is', async () => {
    for (let round = 0; round < 3; round++) {
      const { lesson, sessions } = await aFullLesson();
      const own = scheduling.harness.call(cancelSession, { session_id: sessions[0]!.id }, asFamily);
      await settled([update(lesson.id, { date: inDays(12) }), own, ...(round > 0 ? [cancel(lesson.id)] : [])]);
      await consistent(lesson.id);
    }
  });

  it('a move, bookings and a smaller capacity never take more places than there are', async () => {
    const { lesson } = await aFullLesson({ capacity: 4 });
    const bookings = [1, 2, 3, 4].map(() => takePlace(scheduling, lesson.id).catch(() => null));
    await settled([update(lesson.id, { date: inDays(12) }), update(lesson.id, { capacity: 3 }), ...bookings]);
    await consistent(lesson.id);
    const { capacity, sessions } = await read(lesson.id);
    expect(sessions.length).toBeLessThanOrEqual(capacity);
  });
});
