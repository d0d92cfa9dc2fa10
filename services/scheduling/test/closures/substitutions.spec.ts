import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  createClosure,
  createPool,
  createSubstitution,
  getLesson,
  getSession,
  type InputOf,
  type Session,
  updateLesson,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aSchedule, collectMessages, inDays, type RequestOptions, rejectionOf, until } from '@swim/testing';
import type { SubstitutionDocument } from '../../src/teaching/substitution.schema.js';
import { asFamily, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';
import { lessonsOf } from '../holds/waitlist-client.js';
import { aLesson } from '../lessons/places.js';

type Requested = InputOf<typeof createSubstitution>;

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const asSchool = { principal: school };
const { book } = lessonsOf(() => scheduling);
const substitute = (
  more: Pick<Requested, 'instructor_id' | 'substitute_id'> & Partial<Requested>,
  options: RequestOptions = asSchool,
) => scheduling.harness.call(createSubstitution, { from: inDays(10, 0), to: inDays(11, 0), ...more }, options);
const instructorOf = async ({ lesson_id }: Session) =>
  (await scheduling.harness.call(getLesson, { lesson_id }, asSchool)).instructor_id;

/** Two lessons of an instructor, of which a substitute is busy during the second. */
async function contested() {
  const [instructor_id, substitute_id] = [scheduling.people.instructor(), scheduling.people.instructor()];
  const fits = await book(instructor_id, inDays(10, 9));
  const busy = await book(instructor_id, inDays(10, 11));
  await book(substitute_id, inDays(10, 11));
  const skipped = [{ lesson_id: busy.lesson_id, reason: 'instructor_busy' }];
  return { instructor_id, substitute_id, fits, busy, skipped };
}

describe('POST /substitutions', () => {
  it('hands over the lessons of the time at unchanged prices', async () => {
    const instructor_id = scheduling.people.instructor();
    const substitute_id = scheduling.people.instructor({ hourlyRateCents: 9_000 });
    const inside = await book(instructor_id, inDays(10, 9));
    const outside = await book(instructor_id, inDays(11, 9));
    expect(await substitute({ instructor_id, substitute_id })).toEqual({ moved: [inside.lesson_id], skipped: [] });
    const moved = await scheduling.harness.call(getSession, { session_id: inside.id }, asFamily);
    expect(moved).toMatchObject({ instructor_id: substitute_id, price_cents: inside.price_cents });
    expect(await instructorOf(outside)).toBe(instructor_id);
  });

  it('says whether the participants are notified', async () => {
    const [instructor_id, substitute_id] = [scheduling.people.instructor(), scheduling.people.instructor()];
    const { id } = await book(instructor_id, inDays(10, 9));
    const moves = await collectMessages<BusEvent>(
      scheduling.harness.connection,
      'event.test.scheduling.session.rescheduled.>',
    );
    await substitute({ instructor_id, substitute_id, notify_participants: false });
    await until(() => moves.some(({ objectId }) => objectId === id), 'the move is published');
    expect(moves.find(({ objectId }) => objectId === id)!.cause.isQuiet).toBe(true);
  });

  it('changes nothing where one does not fit: conflicting_lessons', async () => {
    const { instructor_id, substitute_id, fits, skipped } = await contested();
    const rejected = await rejectionOf(substitute({ instructor_id, substitute_id }));
    expect(rejected).toMatchObject({ reason: 'conflicting_lessons', details: { skipped } });
    expect(await instructorOf(fits)).toBe(instructor_id);
  });

  it('leaves out those that do not fit when asked to', async () => {
    const { instructor_id, substitute_id, fits, busy, skipped } = await contested();
    const input = { instructor_id, substitute_id, on_conflict: 'skip' } as const;
    const expected = { moved: [fits.lesson_id], skipped };
    expect(await substitute(input, { ...asSchool, dryRun: true })).toEqual(expected);
    expect(await instructorOf(fits)).toBe(instructor_id);
    const options = withKey('substitute once', school);
    expect(await substitute(input, options)).toEqual(expected);
    expect(await substitute(input, options)).toEqual(expected);
    expect(await Promise.all([fits, busy].map(instructorOf))).toEqual([substitute_id, instructor_id]);
  });

  it('finds beforehand lessons that are too near to each other, or in another currency', async () => {
    const instructor_id = scheduling.people.instructor();
    const lessons = [await book(instructor_id, inDays(10, 9)), await book(instructor_id, inDays(10, 9, 30))];
    const [first, second] = lessons.map(({ lesson_id }) => lesson_id) as [string, string];
    const busy = scheduling.people.instructor({ schedule: aSchedule({ buffer_after_minutes: 10 }) });
    const skip = { instructor_id, on_conflict: 'skip' } as const;
    const dryRun = { ...asSchool, dryRun: true };
    const near = { moved: [first], skipped: [{ lesson_id: second, reason: 'instructor_busy' }] };
    expect(await substitute({ ...skip, substitute_id: busy }, dryRun)).toEqual(near);
    expect((await substitute({ ...skip, substitute_id: busy })).moved).toHaveLength(1);
    const euros = scheduling.people.instructor({ currency: 'EUR' });
    const [left] = (await substitute({ ...skip, substitute_id: euros }, dryRun)).skipped;
    expect(left).toMatchObject({ reason: 'currency_mismatch' });
  });

  it('finds beforehand lessons in a pool that is closed', async () => {
    const [instructor_id, substitute_id] = [scheduling.people.instructor(), scheduling.people.instructor()];
    const baths = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'UTC', lanes: 1 };
    const { id: pool_id } = await scheduling.harness.call(createPool, baths, asSchool);
    const location = { type: 'pool' as const, pool_id };
    const [open, closed] = [
      await aLesson(scheduling, { instructor_id, location, date: inDays(10, 9) }),
      await aLesson(scheduling, { instructor_id, location, date: inDays(10, 11) }),
    ];
    const closure = { pool_ids: [pool_id], from: closed.date, to: closed.end_date, reason: 'Repairs' };
    await scheduling.harness.call(createClosure, { ...closure, lessons: 'keep' }, asSchool);
    const expected = { moved: [open.id], skipped: [{ lesson_id: closed.id, reason: 'closed' }] };
    const input = { instructor_id, substitute_id, on_conflict: 'skip' } as const;
    expect(await substitute(input, { ...asSchool, dryRun: true })).toEqual(expected);
    expect(await substitute(input)).toEqual(expected);
  });

  it('leaves what the school has decided since, in a process that goes on with it: invalid_state', async () => {
    const [instructor_id, substitute_id, third] = Array.from({ length: 3 }, () => scheduling.people.instructor());
    const booked = [9, 11, 13].map((hour) => book(instructor_id!, inDays(10, hour)));
    const [given, later, left] = (await Promise.all(booked)) as [Session, Session, Session];
    const change = ({ lesson_id }: Session, changes: InputOf<typeof updateLesson>['changes']) =>
      scheduling.harness.call(updateLesson, { lesson_id, changes }, asSchool);
    await change(given, { instructor_id: third! });
    await change(later, { date: inDays(17, 11) });
    // As a process leaves it that was killed before the first lesson.
    const { accountId, keyId: actor } = school;
    const substitutions = scheduling.harness
      .database('scheduling_test')
      .collection<SubstitutionDocument>('substitutions');
    const _id = newId('sub');
    await substitutions.insertOne({
      ...{ _id, accountId, instructorId: instructor_id!, substituteId: substitute_id!, moved: [], skipped: [] },
      ...{ from: new Date(inDays(10, 0)), to: new Date(inDays(11, 0)), attempt: 1, createdAt: new Date() },
      left: [given, later, left].map(({ lesson_id }) => lesson_id),
      cause: { requestId: null, idempotencyKey: null, actor, accountId },
      dueAt: new Date(0),
    });
    const done = await until(async () => {
      const now = (await substitutions.findOne({ _id }))!;
      return now.endedAt ? now : null;
    }, 'the substitution has ended');
    expect(done.moved).toEqual([left.lesson_id]);
    const reason = 'invalid_state';
    expect(done.skipped).toEqual([given, later].map(({ lesson_id }) => ({ lesson_id, reason })));
    const instructors = await Promise.all([given, later, left].map(instructorOf));
    expect(instructors).toEqual([third, instructor_id, substitute_id]);
  });

  it.each<[string, string, () => Partial<Requested>, RequestOptions?]>([
    ['a family', 'school_only', () => ({}), asFamily],
    ['an unknown instructor', 'not_found', () => ({ instructor_id: newId('ins') })],
    [
      'a substitute of another school',
      'not_found',
      () => ({ substitute_id: scheduling.people.instructor({ schoolId: newId('acct') }) }),
    ],
    [
      'an inactive substitute',
      'inactive_instructor',
      () => ({ substitute_id: scheduling.people.instructor({ status: 'inactive' }) }),
    ],
    ['a range without time', 'range_reversed', () => ({ to: inDays(10, 0) })],
  ])('rejects %s: %s', async (_, reason, more, options = asSchool) => {
    const pair = { instructor_id: scheduling.people.instructor(), substitute_id: scheduling.people.instructor() };
    const rejected = await rejectionOf(substitute({ ...pair, ...more() }, options));
    expect(rejected.details.errors?.[0]?.reason ?? rejected.reason).toBe(reason);
  });

  it('rejects the same instructor: invalid_value', async () => {
    const instructor_id = scheduling.people.instructor();
    const rejected = await rejectionOf(substitute({ instructor_id, substitute_id: instructor_id }));
    expect(rejected.details.errors?.[0]?.reason ?? rejected.reason).toBe('invalid_value');
  });
});
