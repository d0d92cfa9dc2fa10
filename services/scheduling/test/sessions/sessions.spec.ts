import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, findLessonsOutside, getSession, type InputOf, listSessions, makeSession } from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, aSchedule, inDays, rejectionOf } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const make = (instructorId: string, memberId: string, overrides: Partial<InputOf<typeof makeSession>> = {}) =>
  scheduling.harness.call(makeSession, aSession(instructorId, memberId, overrides), asFamily);
const pair = () => [scheduling.people.instructor(), scheduling.people.member()] as const;
const rejected = (work: Promise<unknown>) => rejectionOf(work);

describe('the lessons outside the hours of an instructor', () => {
  it('are those to come of the school that a schedule does not contain, and all of an inactive one', async () => {
    const [ins, mem] = pair();
    const inside = await make(ins, mem, { date: inDays(10), duration_minutes: 60 });
    const outside = await make(ins, mem, { date: inDays(10, 11), duration_minutes: 60 });
    const day = inDays(10).slice(0, 10);
    const found = (hours: object, isActive = true, principal = school) => {
      const input = { instructorId: ins, timezone: 'UTC', schedule: aSchedule(hours), isActive };
      return scheduling.harness.call(findLessonsOutside, input, { principal });
    };
    const ids = [inside.lesson_id, outside.lesson_id];
    const windows = [{ start: '10:00', end: '11:30' }];
    expect(await found({ weekly: [], overrides: [{ date: day, windows }] })).toEqual({
      count: 1,
      lessonIds: [outside.lesson_id],
    });
    expect(await found({ weekly: [], overrides: [{ date: day, unavailable: true }] })).toEqual({
      count: 2,
      lessonIds: ids,
    });
    expect(await found({ weekly: [], overrides: [] })).toEqual({ count: 0, lessonIds: [] });
    expect(await found({ weekly: [], overrides: [] }, false)).toEqual({ count: 2, lessonIds: ids });
    expect(await found({}, false, aPrincipal({ kind: 'school' }))).toEqual({ count: 0, lessonIds: [] });
  });
});

describe('creating a session', () => {
  it('returns the whole session, priced by the hour, and reads it back', async () => {
    const [ins, mem] = pair();
    const made = await make(ins, mem, {
      notes: 'Backstroke',
      date: inDays(10).replace('.000Z', '+02:00'),
      duration_minutes: 50,
    });
    expect(made).toMatchObject({
      instructor_id: ins,
      member_id: mem,
      status: 'scheduled',
      attendance: 'pending',
      notes: 'Backstroke',
      booking_id: null,
      price_cents: 5000,
      currency: 'USD',
      version: 1,
      cancellation: null,
    });
    expect(made.date).toBe(new Date(Date.parse(inDays(10)) - 7_200_000).toISOString());
    expect(Date.parse(made.end_date) - Date.parse(made.date)).toBe(50 * 60_000);
    expect(await scheduling.harness.call(getSession, { session_id: made.id }, asFamily)).toEqual(made);
    expect(await scheduling.harness.call(getSession, { session_id: made.id })).toEqual(made);
  });

  it('warns of expired certificates and of a level that is not taught', async () => {
    const certifiedUntil = inDays(9).slice(0, 10);
    const ins = scheduling.people.instructor({ certifiedUntil, levelsTaught: ['advanced'] });
    const date = inDays(10);
    const input = aSession(ins, scheduling.people.member(), { date });
    const { error, warnings } = await scheduling.harness.request(makeSession, input, asFamily);
    expect({ error, warnings: JSON.parse(warnings!) }).toEqual({
      error: false,
      warnings: [
        { code: 'certificate_expired', date, expires_at: certifiedUntil },
        { code: 'level_not_taught', levels_taught: ['advanced'] },
      ],
    });
  });

  it('rejects an overlap with the instructor, with bookable suggestions', async () => {
    const [ins, mem] = pair();
    await make(ins, mem, { duration_minutes: 60 });
    const error = await rejected(make(ins, scheduling.people.member(), { date: inDays(10, 10, 45) }));
    expect(error).toMatchObject({ reason: 'instructor_busy', code: 'CONFLICT' });
    const suggestions = error.details.suggestions as { start: string }[];
    expect(suggestions).toHaveLength(3);
    for (const { start } of suggestions) await make(ins, scheduling.people.member(), { date: start });
  });

  it('rejects an overlap with the member at any instructor', async () => {
    const [ins, mem] = pair();
    await make(ins, mem);
    expect(await rejected(make(scheduling.people.instructor(), mem, { date: inDays(10, 10, 15) }))).toMatchObject({
      reason: 'member_busy',
    });
  });

  it('lets sessions touch, and keeps both buffers clear', async () => {
    const [ins, mem] = pair();
    await make(ins, mem);
    await make(ins, mem, { date: inDays(10, 10, 30) });
    const buffered = scheduling.people.instructor({
      schedule: aSchedule({ buffer_before_minutes: 10, buffer_after_minutes: 10 }),
    });
    await make(buffered, scheduling.people.member());
    expect(await rejected(make(buffered, scheduling.people.member(), { date: inDays(10, 10, 45) }))).toMatchObject({
      reason: 'instructor_busy',
    });
    await make(buffered, scheduling.people.member(), { date: inDays(10, 10, 50) });
  });

  it('rejects an overlap across midnight UTC', async () => {
    const [, mem] = pair();
    const ins = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
    await make(ins, mem, { date: inDays(10, 23, 30), duration_minutes: 60 });
    expect(await rejected(make(ins, scheduling.people.member(), { date: inDays(11, 0, 15) }))).toMatchObject({
      reason: 'instructor_busy',
    });
    await make(ins, scheduling.people.member(), { date: inDays(11, 0, 30) });
  });

  it('rejects times outside the published hours, unless the school does not enforce them', async () => {
    const [ins, mem] = pair();
    expect(await rejected(make(ins, mem, { date: inDays(10, 3) }))).toMatchObject({
      reason: 'outside_availability',
      code: 'CONFLICT',
      details: { rule: 'hours' },
    });
    const { details, message } = await rejected(make(ins, mem, { date: inDays(1_100, 10) }));
    expect(details).toMatchObject({ rule: 'days_ahead', opens_at: inDays(100, 10) });
    expect(message).toContain(`at most 1000 days ahead. This time can be booked from ${details.opens_at} on.`);
    scheduling.people.policies = { ...scheduling.people.policies, enforceAvailability: false };
    await make(ins, mem, { date: inDays(10, 3) }).finally(() => {
      scheduling.people.policies = { ...scheduling.people.policies, enforceAvailability: true };
    });
  });

  it('rejects the past, unknown participants, inactive instructors, foreign pools and schools that require prepayment', async () => {
    const [ins, mem] = pair();
    expect(await rejected(make(ins, mem, { date: '2020-01-01T00:00:00Z' }))).toMatchObject({
      reason: 'in_past',
      details: { field: 'date' },
    });
    expect(await rejected(make(newId('ins'), mem))).toMatchObject({
      reason: 'not_found',
      details: { field: 'instructor_id' },
    });
    expect(await rejected(make(ins, newId('mem')))).toMatchObject({
      reason: 'not_found',
      details: { field: 'member_id' },
    });
    expect(await rejected(make(ins, mem, { location: { type: 'pool', pool_id: newId('pool') } }))).toMatchObject({
      reason: 'not_found',
      details: { field: 'location.pool_id' },
    });
    expect(await rejected(make(scheduling.people.instructor({ status: 'inactive' }), mem))).toMatchObject({
      reason: 'inactive_instructor',
    });
    scheduling.people.policies = { ...scheduling.people.policies, requirePrepayment: true };
    const error = await rejected(make(ins, mem)).finally(() => {
      scheduling.people.policies = { ...scheduling.people.policies, requirePrepayment: false };
    });
    expect(error).toMatchObject({ reason: 'prepayment_required', code: 'CONFLICT' });
  });

  it('is allowed to the member’s account and the instructor’s school, not to another school that knows the member', async () => {
    const theirs = scheduling.people.instructor({ schoolId: newId('acct') });
    const input = aSession(theirs, scheduling.people.member());
    expect(await rejected(scheduling.harness.call(makeSession, input, { principal: school }))).toMatchObject({
      reason: 'school_only',
    });
  });

  it('stores nothing in a dry run, and returns its conflict', async () => {
    const [ins, mem] = pair();
    const dry = { ...asFamily, dryRun: true };
    const imagined = await scheduling.harness.call(makeSession, aSession(ins, mem), dry);
    expect(imagined).toMatchObject({ status: 'scheduled', price_cents: 3000 });
    expect(await rejected(scheduling.harness.call(getSession, { session_id: imagined.id }, asFamily))).toMatchObject({
      reason: 'resource_not_found',
    });
    await make(ins, mem);
    expect(await rejected(scheduling.harness.call(makeSession, aSession(ins, mem), dry))).toMatchObject({
      reason: 'instructor_busy',
    });
  });

  it('uses a pool of the school, by default the instructor’s first', async () => {
    const pool = await scheduling.harness.call(createPool, {
      name: 'Bath',
      address: 'Water St',
      latitude: 1,
      longitude: 2,
      timezone: 'UTC',
      lanes: 4,
    });
    const ins = scheduling.people.instructor({ defaultPoolId: pool.id });
    expect((await make(ins, scheduling.people.member())).location).toEqual({ type: 'pool', pool_id: pool.id });
    expect(
      (await make(ins, scheduling.people.member(), { date: inDays(11), location: { type: 'home' } })).location,
    ).toEqual({ type: 'home', pool_id: null });
  });
});

describe('listing sessions', () => {
  it('filters, pages both ways and counts exactly', async () => {
    const [ins, mem] = pair();
    const made = [];
    for (const hour of [15, 7, 11, 9, 13]) made.push(await make(ins, mem, { date: inDays(20, hour) }));
    const order = made
      .map(({ id, date }) => ({ id, date }))
      .sort((a, b) => (a.date < b.date ? -1 : 1))
      .map(({ id }) => id);
    const list = (query: object, options = asFamily) =>
      scheduling.harness.call(listSessions, { instructor_id: ins, ...query } as InputOf<typeof listSessions>, options);
    const first = await list({ limit: 2 });
    expect(first.pagination).toMatchObject({ has_more: true, total: 5 });
    const second = await list({ limit: 2, cursor: first.pagination.next_cursor! });
    const third = await list({ limit: 2, cursor: second.pagination.next_cursor! });
    expect([...first.items, ...second.items, ...third.items].map(({ id }) => id)).toEqual(order);
    expect(third.pagination).toEqual({ has_more: false, next_cursor: null, total: 5 });
    expect((await list({ offset: 3 })).items.map(({ id }) => id)).toEqual(order.slice(3));
    expect((await list({ date_from: inDays(20, 9), date_to: inDays(20, 13) })).pagination.total).toBe(2);
    expect((await list({ status: 'cancelled' })).pagination.total).toBe(0);
    expect((await list({ member_id: mem }, { principal: school })).pagination.total).toBe(5);
    expect((await list({}, { principal: aPrincipal() })).pagination.total).toBe(0);
    const foreign = { limit: 2, cursor: first.pagination.next_cursor! };
    expect(await rejected(list(foreign, { principal: school }))).toMatchObject({ reason: 'invalid_cursor' });
    expect(await rejected(list({ ...foreign, status: 'scheduled' }))).toMatchObject({ reason: 'invalid_cursor' });
    expect(await rejected(list({ ...foreign, offset: 1 }))).toMatchObject({ reason: 'mutually_exclusive' });
  });
});

describe('an idempotency key', () => {
  it('gives 20 concurrent requests one session and the same bytes', async () => {
    const [ins, mem] = pair();
    const input = aSession(ins, mem);
    const first = await scheduling.harness.request(makeSession, input, withKey('one'));
    const repeated = await Promise.all(
      Array.from({ length: 20 }, () => scheduling.harness.request(makeSession, input, withKey('one'))),
    );
    for (const answer of repeated) {
      expect(answer.replayed).toBe(true);
      expect(Buffer.from(answer.body).equals(Buffer.from(first.body))).toBe(true);
    }
    expect((await scheduling.harness.call(listSessions, { instructor_id: ins }, asFamily)).pagination.total).toBe(1);
  });

  it('is rejected with another body, and free again after an error of the input', async () => {
    const [ins, mem] = pair();
    await rejected(
      scheduling.harness.call(makeSession, aSession(ins, mem, { date: '2020-01-01T00:00:00Z' }), withKey('two')),
    );
    await scheduling.harness.call(makeSession, aSession(ins, mem), withKey('two'));
    const other = { ...withKey('two'), fingerprint: 'another body' };
    expect(await rejected(scheduling.harness.call(makeSession, aSession(ins, mem), other))).toMatchObject({
      reason: 'idempotency_key_reused',
    });
  });

  it('keeps a conflict, byte for byte', async () => {
    const [ins, mem] = pair();
    await make(ins, mem);
    const clash = () =>
      scheduling.harness.request(makeSession, aSession(ins, scheduling.people.member()), withKey('three'));
    const first = await clash();
    const repeated = await clash();
    expect(repeated).toMatchObject({ error: true, replayed: true });
    expect(Buffer.from(repeated.body).equals(Buffer.from(first.body))).toBe(true);
  });
});
