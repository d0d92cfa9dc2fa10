import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  type Closure,
  createClosure,
  createHold,
  createLesson,
  createPool,
  getAvailability,
  getClosure,
  getHold,
  getLesson,
  getSession,
  type InputOf,
  listClosures,
  makeSession,
  recordAttendance,
  removeClosure,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, collectMessages, inDays, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';
import { aPlace, lessonsOf, lineOf } from '../holds/waitlist-client.js';

type Requested = InputOf<typeof createClosure>;

let scheduling: SchedulingHarness;
let events: BusEvent[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages<BusEvent>(scheduling.harness.connection, 'event.test.scheduling.closure.>');
});
afterAll(() => scheduling?.stop());

const call: SchedulingHarness['harness']['call'] = (...request) => scheduling.harness.call(...request);
const asSchool = { principal: school };
const { book } = lessonsOf(() => scheduling);
const line = lineOf(() => scheduling.harness);

/** Closes an instructor on the tenth day from now, unless something else is given. */
const close = (more: Partial<Requested>, options: RequestOptions = {}): Promise<Closure> =>
  call(
    createClosure,
    { from: inDays(10, 0), to: inDays(11, 0), reason: 'The boiler is broken', lessons: 'cancel', ...more },
    { ...asSchool, ...options },
  );
const read = (closure_id: string, options: RequestOptions = asSchool) => call(getClosure, { closure_id }, options);
const finished = (id: string) =>
  until(async () => {
    const closure = await read(id);
    return closure.status === 'done' ? closure : null;
  }, 'the closure is done');
const remove = (closure_id: string, options: RequestOptions = asSchool) => call(removeClosure, { closure_id }, options);
const session = (id: string) => call(getSession, { session_id: id }, asFamily);
const aPool = async () =>
  (
    await call(
      createPool,
      { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'UTC' },
      asSchool,
    )
  ).id;
const at = (hours: number) => new Date(Date.parse(inDays(10, 0)) + hours * 3_600_000).toISOString();
const slotsOf = async (instructor_id: string) =>
  (
    await call(
      getAvailability,
      { instructor_id, timezone: 'UTC', duration_minutes: 30, date_from: inDays(10, 0), date_to: inDays(11, 0) },
      asFamily,
    )
  ).slots;

describe('POST /closures', () => {
  it('cancels the lessons in the time as by the school, and publishes that to the school', async () => {
    const instructor = scheduling.people.instructor();
    const inside = await book(instructor, at(10));
    const outside = await book(instructor, inDays(11, 10));
    const closed = await close({ instructor_ids: [instructor] });
    expect(closed).toMatchObject({ status: 'running', lessons: 1, sessions: 1, cancelled: 0 });
    expect(await finished(closed.id)).toMatchObject({ lessons: 1, sessions: 1, cancelled: 1 });
    expect(await session(inside.id)).toMatchObject({
      status: 'cancelled',
      cancellation: { cancelled_by: school.accountId, reason: 'The boiler is broken', fee_cents: 0 },
    });
    expect((await session(outside.id)).status).toBe('scheduled');
    const own = () => events.filter(({ objectId }) => objectId === closed.id);
    await until(() => own().length === 2, 'both events');
    expect(own().map(({ type, audience }) => [type, audience])).toEqual([
      ['closure.created', [school.accountId]],
      ['closure.done', [school.accountId]],
    ]);
  });

  it('offers nothing in the time, and says until when it is closed: closed', async () => {
    const instructor = scheduling.people.instructor();
    await close({ instructor_ids: [instructor], from: at(10), to: at(12) });
    await close({ instructor_ids: [instructor], from: at(11), to: at(13), reason: 'A course' });
    const rejected = await rejectionOf(book(instructor, at(10)));
    expect(rejected).toMatchObject({
      reason: 'closed',
      details: { closure_reason: 'The boiler is broken', closed_until: at(13) },
    });
    const { suggestions } = rejected.details as unknown as { suggestions: { start: string; end: string }[] };
    expect(suggestions.length).toBeGreaterThan(0);
    const isOutside = ({ start, end }: { start: string; end: string }) =>
      Date.parse(end) <= Date.parse(at(10)) || Date.parse(start) >= Date.parse(at(13));
    expect(suggestions.every(isOutside)).toBe(true);
    expect((await slotsOf(instructor)).every(isOutside)).toBe(true);
    await book(instructor, at(13));
  });

  it('closes the pool of an instructor without counted lanes', async () => {
    const pool = await aPool();
    const instructor = scheduling.people.instructor({ defaultPoolId: pool, poolIds: [pool] });
    const inside = await book(instructor, at(10));
    expect(inside.location?.pool_id).toBe(pool);
    const { id } = await close({ pool_ids: [pool] });
    await finished(id);
    expect((await session(inside.id)).status).toBe('cancelled');
    expect(await slotsOf(instructor)).toEqual([]);
    expect((await rejectionOf(book(instructor, at(14)))).reason).toBe('closed');
  });

  it('lets buffers reach into the time', async () => {
    const schedule = { ...scheduling.people.instructors.get(scheduling.people.instructor())!.schedule };
    const instructor = scheduling.people.instructor({ schedule: { ...schedule, buffer_after_minutes: 30 } });
    const before = await book(instructor, at(10));
    const closed = await close({ instructor_ids: [instructor], from: at(10.5), to: at(12) });
    expect(closed).toMatchObject({ status: 'done', lessons: 0 });
    expect((await session(before.id)).status).toBe('scheduled');
    expect((await rejectionOf(book(instructor, at(10.25)))).reason).toBe('closed');
  });

  it('rejects a move into the time: closed', async () => {
    const instructor = scheduling.people.instructor();
    const { id } = await book(instructor, inDays(11, 10));
    await close({ instructor_ids: [instructor] });
    const moved = call(updateSession, { session_id: id, changes: { date: at(10) } }, asFamily);
    expect((await rejectionOf(moved)).reason).toBe('closed');
  });

  it('ends holds in the time, and returns offers to the line', async () => {
    const instructor = scheduling.people.instructor();
    const held = await call(
      createHold,
      {
        instructor_id: instructor,
        member_ids: [scheduling.people.member()],
        sessions: [{ date: at(9), duration_minutes: 30 }],
        expires_in_minutes: 30,
      },
      asFamily,
    );
    const booked = await book(instructor, at(10));
    const entry = await line.join(aPlace(scheduling.people, instructor, { date_from: at(10), date_to: at(10.5) }));
    await lessonsOf(() => scheduling).cancel(booked);
    await line.reaches(entry, 'offered');
    const closed = await close({ instructor_ids: [instructor] });
    expect(closed).toMatchObject({ status: 'done', lessons: 0 });
    expect((await call(getHold, { hold_id: held.id }, asFamily)).status).toBe('expired');
    expect(await line.read(entry.id)).toMatchObject({ status: 'waiting', offer: null });
    await remove(closed.id);
    await line.reaches(entry, 'offered');
  });

  it('keeps the lessons when asked to, and accepts no new places', async () => {
    const instructor_id = scheduling.people.instructor();
    const input = { instructor_id, date: at(10), duration_minutes: 30, capacity: 6, price_cents: 1_500 };
    const { id: lesson_id } = await call(createLesson, input, asSchool);
    expect(await close({ instructor_ids: [instructor_id], lessons: 'keep' })).toMatchObject({
      status: 'done',
      lessons: 1,
      sessions: 0,
      cancelled: 0,
    });
    expect(await call(getLesson, { lesson_id }, asFamily)).toMatchObject({ status: 'scheduled', places_left: 0 });
  });

  it('leaves lessons that have begun, or of which attendance is recorded', async () => {
    const instructor = scheduling.people.instructor();
    const { id } = await book(instructor, at(10));
    scheduling.clock.set(new Date(Date.parse(at(10)) + 60_000));
    try {
      expect(await close({ instructor_ids: [instructor] })).toMatchObject({ status: 'done', lessons: 0 });
      await call(recordAttendance, { session_id: id, attendance: 'attended' }, asSchool);
    } finally {
      scheduling.clock.set(new Date());
    }
    expect(await close({ instructor_ids: [instructor] })).toMatchObject({ status: 'done', lessons: 0 });
    expect((await session(id)).status).toBe('scheduled');
  });

  it('counts in a dry run, and closes nothing', async () => {
    const instructor = scheduling.people.instructor();
    await book(instructor, at(10));
    const counted = await close({ instructor_ids: [instructor] }, { dryRun: true });
    expect(counted).toMatchObject({ status: 'running', lessons: 1, sessions: 1, cancelled: 0 });
    expect((await rejectionOf(read(counted.id))).reason).toBe('resource_not_found');
    await book(instructor, at(14));
  });

  it('closes once when it is repeated with its key', async () => {
    const instructor = scheduling.people.instructor();
    const options = withKey('close once', school);
    const first = await close({ instructor_ids: [instructor] }, options);
    expect(await close({ instructor_ids: [instructor] }, options)).toEqual(first);
  });

  it.each<[string, string, () => Partial<Requested>, RequestOptions?]>([
    ['a family', 'school_only', () => ({ instructor_ids: [newId('ins')] }), asFamily],
    ['an unknown instructor', 'not_found', () => ({ instructor_ids: [newId('ins')] })],
    ['an unknown pool', 'not_found', () => ({ pool_ids: [newId('pool')] })],
    ['the past', 'in_past', () => ({ instructor_ids: [newId('ins')], from: inDays(-2), to: inDays(-1) })],
    ['a time too far ahead', 'too_far_ahead', () => ({ instructor_ids: [newId('ins')], to: inDays(366 * 11) })],
    ['a range without time', 'range_reversed', () => ({ instructor_ids: [newId('ins')], to: inDays(10, 0) })],
    ['neither pools nor instructors', 'required', () => ({})],
    ['both', 'mutually_exclusive', () => ({ instructor_ids: [newId('ins')], pool_ids: [newId('pool')] })],
    ['3,001 days', 'range_too_long', () => ({ instructor_ids: [newId('ins')], to: inDays(3_011, 0) })],
  ])('rejects %s: %s', async (_, reason, more, options = asSchool) => {
    const rejected = await rejectionOf(close(more(), options));
    expect(rejected.details.errors?.[0]?.reason ?? rejected.reason).toBe(reason);
  });

  it('rejects the instructor of another school: not_found', async () => {
    const theirs = scheduling.people.instructor({ schoolId: newId('acct') });
    expect((await rejectionOf(close({ instructor_ids: [theirs] }))).reason).toBe('not_found');
  });
});

describe('closures of a school', () => {
  it('are seen by it alone', async () => {
    const { id } = await close({ instructor_ids: [scheduling.people.instructor()] });
    expect((await call(listClosures, {}, asSchool)).items.map((each) => each.id)).toContain(id);
    const stranger = { principal: aPrincipal({ kind: 'school' }) };
    expect((await call(listClosures, {}, stranger)).items).toEqual([]);
    expect((await rejectionOf(read(id, stranger))).reason).toBe('resource_not_found');
    expect((await rejectionOf(remove(id, stranger))).reason).toBe('resource_not_found');
  });

  it('give back the time when they are removed, but for what another one closes', async () => {
    const instructor = scheduling.people.instructor();
    const first = await close({ instructor_ids: [instructor], from: at(10), to: at(12) });
    await close({ instructor_ids: [instructor], from: at(11), to: at(13) });
    await remove(first.id, { ...asSchool, dryRun: true });
    expect(await read(first.id)).toEqual(first);
    await remove(first.id);
    expect((await rejectionOf(read(first.id))).reason).toBe('resource_not_found');
    await book(instructor, at(10));
    expect((await rejectionOf(book(instructor, at(11)))).reason).toBe('closed');
    const removed = () => events.find(({ type, objectId }) => objectId === first.id && type === 'closure.removed');
    expect((await until(removed, 'closure.removed')).object).toMatchObject({ status: 'done' });
  });

  it('cannot be removed while they run: invalid_state', async () => {
    const instructor = scheduling.people.instructor();
    await book(instructor, at(10));
    const { id } = await close({ instructor_ids: [instructor] });
    expect((await rejectionOf(remove(id))).reason).toBe('invalid_state');
    await finished(id);
    await remove(id);
  });

  it('restore no lesson when they are removed', async () => {
    const instructor = scheduling.people.instructor();
    const { id } = await book(instructor, at(10));
    const closed = await close({ instructor_ids: [instructor] });
    await finished(closed.id);
    await remove(closed.id);
    expect((await session(id)).status).toBe('cancelled');
  });
});

it('leaves nothing inside that was booked while the time was being closed', async () => {
  const instructor = scheduling.people.instructor();
  const bookings = Array.from({ length: 12 }, (_, index) =>
    call(makeSession, aSession(instructor, scheduling.people.member(), { date: at(8 + index / 2) }), asFamily).catch(
      (error) => error,
    ),
  );
  const closed = await close({ instructor_ids: [instructor] });
  await Promise.all(bookings);
  await finished(closed.id);
  const days = scheduling.harness.database('scheduling_test').collection<{ _id: string; busy: unknown[] }>('days');
  await until(async () => {
    const found = await days.find({ _id: { $regex: `^${instructor}` } }).toArray();
    return found.every(({ busy }) => busy.length === 0);
  }, 'the time is empty');
});
