import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  confirmBooking,
  createHold,
  createPool,
  getAvailability,
  getHold,
  type InputOf,
  makeSession,
  type Principal,
  releaseBooking,
  removeHold,
} from '@swim/contracts';
import { newId, timeOfId } from '@swim/platform';
import { aPrincipal, inDays, rejectionOf, until, updateAll } from '@swim/testing';
import { wholeness } from '../calendar/calendar-checks.js';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';
import { conversionOf as conversion, type Held } from './hold-conversion.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

type HoldInput = InputOf<typeof createHold> & { instructor_id: string };

const aHold = (overrides: Partial<HoldInput> = {}): HoldInput => ({
  instructor_id: overrides.instructor_id ?? scheduling.people.instructor(),
  member_ids: [scheduling.people.member()],
  sessions: [{ date: inDays(10), duration_minutes: 30 }],
  ...overrides,
});
// Made by the school, which may have more of them at once than a family.
/** Tries to hold the time of an instructor; whether a hold has it now. */
const isTaken = (instructor_id: string): Promise<boolean> =>
  hold(aHold({ instructor_id })).then(
    () => true,
    ({ reason }: { reason?: string }) => reason === 'conflicting_dates' || reason === 'instructor_busy',
  );
const hold = (input: HoldInput, options: object = { principal: school }) =>
  scheduling.harness.call(createHold, input, options);
const read = (id: string, principal: Principal = family) =>
  scheduling.harness.call(getHold, { hold_id: id }, { principal });
const remove = (id: string, principal: Principal = family) =>
  scheduling.harness.call(removeHold, { hold_id: id }, { principal });
const single = (instructor_id: string, date: string) =>
  scheduling.harness.call(makeSession, aSession(instructor_id, scheduling.people.member(), { date }), asFamily);

const conversionOf = (held: Held, overrides: Partial<InputOf<typeof claimBooking>> = {}) =>
  conversion(scheduling.people, held, overrides);
const convert = (input: InputOf<typeof claimBooking>) => scheduling.harness.call(claimBooking, input, asFamily);
const confirm = (bookingId: string) => scheduling.harness.call(confirmBooking, { bookingId }, asFamily);

const database = () => scheduling.harness.database('scheduling_test');
const PAST = new Date(0);

/** Puts the end of a hold's claim into the past, without making it due for recovery. */
const runOutOfTime = (id: string) =>
  database()
    .collection('claims')
    .updateOne({ key: id }, { $set: { until: PAST } });
/** Puts the end of a hold into the past, which makes it due for the sweep. */
const runOut = (id: string) =>
  database()
    .collection<{ _id: string }>('holds')
    .updateOne({ _id: id }, { $set: { expiresAt: PAST, dueAt: PAST } });

describe('a hold', () => {
  it('keeps all its times from other accounts until it is removed', async () => {
    const input = aHold({ sessions: [10, 11].map((day) => ({ date: inDays(day), duration_minutes: 45 })) });
    const held = await hold(input);
    expect(held).toMatchObject({
      account_id: family.accountId,
      status: 'active',
      booking_id: null,
      waitlist_id: null,
      sessions: [
        { date: inDays(10), duration_minutes: 45 },
        { date: inDays(11), duration_minutes: 45 },
      ],
    });
    const lastsMinutes = (Date.parse(held.expires_at) - Date.parse(held.created_at)) / 60_000;
    expect(lastsMinutes).toBeGreaterThan(4.9);
    expect(lastsMinutes).toBeLessThan(5.2);
    expect(await rejectionOf(single(input.instructor_id, inDays(11)))).toMatchObject({ reason: 'instructor_busy' });
    const { slots } = await scheduling.harness.call(
      getAvailability,
      { instructor_id: input.instructor_id, date_from: inDays(10), date_to: inDays(12), duration_minutes: 30 },
      asFamily,
    );
    expect(slots.some(({ start }) => Date.parse(start) === Date.parse(inDays(10)))).toBe(false);
    await remove(held.id);
    expect(await rejectionOf(read(held.id))).toMatchObject({ reason: 'resource_not_found' });
    await single(input.instructor_id, inDays(11));
  });

  it('is visible to its account and the instructor’s school only', async () => {
    const held = await hold(aHold());
    expect(await read(held.id, school)).toEqual(await read(held.id));
    const stranger = aPrincipal();
    expect(await rejectionOf(read(held.id, stranger))).toMatchObject({ reason: 'resource_not_found' });
    expect(await rejectionOf(remove(held.id, stranger))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('takes nothing when one of its times is taken, and names that time with suggestions', async () => {
    const input = aHold({ sessions: [12, 13].map((day) => ({ date: inDays(day), duration_minutes: 30 })) });
    await single(input.instructor_id, inDays(13));
    const error = await rejectionOf(hold(input));
    expect(error).toMatchObject({ reason: 'conflicting_dates' });
    expect(error.details.conflicts).toMatchObject([{ index: 1, date: inDays(13), reason: 'instructor_busy' }]);
    await single(input.instructor_id, inDays(12));
  });

  it('must lie within the published hours', async () => {
    const night = `${inDays(10).slice(0, 10)}T03:00:00.000Z`;
    const error = await rejectionOf(hold(aHold({ sessions: [{ date: night, duration_minutes: 30 }] })));
    expect(error.details.conflicts).toMatchObject([{ reason: 'outside_availability' }]);
  });

  it('takes a lane of the pool', async () => {
    const pool = await scheduling.harness.call(
      createPool,
      { name: 'Lido', address: 'Bay 1', latitude: 1, longitude: 2, timezone: 'UTC', lanes: 1 },
      { principal: school },
    );
    const location = { type: 'pool' as const, pool_id: pool.id };
    const held = await hold(aHold({ location }));
    expect(held.location).toEqual(location);
    const error = await rejectionOf(hold(aHold({ location })));
    expect(error.details.conflicts).toMatchObject([{ reason: 'pool_full' }]);
  });

  it('is rejected for participants that cannot meet, and for the past', async () => {
    const { people } = scheduling;
    const small = people.instructor({ maxGroupSize: 1 });
    const rejected = async (input: HoldInput, principal = family) => {
      const { reason, details } = await rejectionOf(hold(input, { principal }));
      return [reason, details.field];
    };
    expect(await rejected(aHold({ instructor_id: newId('ins') }))).toEqual(['not_found', 'instructor_id']);
    expect(await rejected(aHold({ instructor_id: people.instructor({ status: 'inactive' }) }))).toEqual([
      'inactive_instructor',
      'instructor_id',
    ]);
    expect(await rejected(aHold({ member_ids: [people.member(), newId('mem')] }))).toEqual([
      'not_found',
      'member_ids.1',
    ]);
    const other = people.member(aPrincipal().accountId);
    expect(await rejected(aHold({ member_ids: [people.member(), other] }), school)).toEqual([
      'members_of_several_accounts',
      'member_ids',
    ]);
    expect(await rejected(aHold({ instructor_id: small, member_ids: [people.member(), people.member()] }))).toEqual([
      'group_too_large',
      'member_ids',
    ]);
    expect(await rejected(aHold({ sessions: [{ date: '2020-01-01T10:00:00Z', duration_minutes: 30 }] }))).toEqual([
      'in_past',
      'sessions.0.date',
    ]);
  });

  it('is only validated by a dry run', async () => {
    const input = aHold();
    const answered = await hold(input, { ...asFamily, dryRun: true });
    expect(answered).toMatchObject({ status: 'active', instructor_id: input.instructor_id });
    expect(await rejectionOf(read(answered.id))).toMatchObject({ reason: 'resource_not_found' });
    await single(input.instructor_id, inDays(10));
    expect(await rejectionOf(hold(input, { ...asFamily, dryRun: true }))).toMatchObject({
      reason: 'conflicting_dates',
    });
  });

  it('is made once for two requests under one key, and once for each time by concurrent requests', async () => {
    const input = aHold();
    expect(await hold(input, withKey('hold-1'))).toEqual(await hold(input, withKey('hold-1')));
    const instructor_id = scheduling.people.instructor();
    const racers = await Promise.allSettled(Array.from({ length: 20 }, () => hold(aHold({ instructor_id }))));
    expect(racers.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
    // On a busy machine all of them may be rejected with busy_retry.
    await until(() => isTaken(instructor_id), 'a request holds the time');
    const active = { instructorId: instructor_id, status: 'active' };
    expect(await database().collection('holds').countDocuments(active)).toBe(1);
  });

  it('keeps its time a moment longer than it lasts, for the waitlist', async () => {
    // The delay between the claim and the hold shortens that moment: much on a busy machine, but not each time.
    await until(async () => {
      const held = await hold(aHold());
      const claim = await database().collection('claims').findOne({ key: held.id });
      const longerMs = claim!.until.getTime() - Date.parse(held.expires_at);
      expect(longerMs).toBeLessThanOrEqual(5_000);
      return longerMs > 4_000;
    }, 'a hold is made in less than a second');
  });

  it('releases its time once it has expired, and is then shown as expired', async () => {
    const input = aHold();
    const held = await hold(input);
    await runOutOfTime(held.id);
    await single(input.instructor_id, inDays(10));
    await runOut(held.id);
    await until(async () => (await read(held.id)).status === 'expired', 'the hold is expired');
  });
});

describe('a booking with a hold', () => {
  it('gets the time, with the sessions of the hold', async () => {
    const held = await hold(aHold({ member_ids: [scheduling.people.member(), scheduling.people.member()] }));
    const input = conversionOf(held);
    const claimed = await convert(input);
    const { sessionIds } = claimed;
    expect(await convert(input)).toEqual(claimed);
    expect(await rejectionOf(single(held.instructor_id, inDays(10)))).toMatchObject({ reason: 'instructor_busy' });
    const { sessions } = await confirm(input.bookingId);
    expect(sessions.map(({ id }) => id).sort()).toEqual([...sessionIds].sort());
    for (const session of sessions) {
      expect(session).toMatchObject({ booking_id: input.bookingId, price_cents: 3_000, notes: 'bring fins' });
      expect(held.member_ids).toContain(session.member_id);
      // Not when the hold was made: a client that lists what has changed since then has to find them.
      expect([session.created_at, session.updated_at]).toEqual(Array(2).fill(timeOfId(input.bookingId).toISOString()));
    }
    expect(await read(held.id)).toMatchObject({ status: 'converted', booking_id: input.bookingId });
    expect(await rejectionOf(remove(held.id))).toMatchObject({ reason: 'invalid_state' });
    await scheduling.harness.call(cancelSession, { session_id: sessions[0]!.id }, asFamily);
    expect(await rejectionOf(single(held.instructor_id, inDays(10)))).toMatchObject({ reason: 'instructor_busy' });
    await scheduling.harness.call(cancelSession, { session_id: sessions[1]!.id }, asFamily);
    await single(held.instructor_id, inDays(10));
  });

  it('is rejected when instructor, members or sessions differ', async () => {
    const held = await hold(aHold());
    const other = { ...held, member_ids: [scheduling.people.member()] };
    const later = { ...held, sessions: [{ ...held.sessions[0]!, date: inDays(11) }] };
    const longer = { ...held, sessions: [{ ...held.sessions[0]!, duration_minutes: 45 }] };
    const coach = { ...held, instructor_id: scheduling.people.instructor() };
    for (const wrong of [other, later, longer, coach]) {
      expect(await rejectionOf(convert(conversionOf(wrong)))).toMatchObject({
        reason: 'hold_mismatch',
        details: { field: 'hold_id' },
      });
    }
    const elsewhere = conversionOf(held, { location: { type: 'pool', pool_id: newId('pool') } });
    expect(await rejectionOf(convert(elsewhere))).toMatchObject({ reason: 'hold_mismatch' });
    expect(await read(held.id)).toMatchObject({ status: 'active' });
  });

  it('is rejected when the hold is unknown, has ended, or belongs to another booking', async () => {
    const held = await hold(aHold());
    const unknown = conversionOf(held, { holdId: newId('hold') });
    expect(await rejectionOf(convert(unknown))).toMatchObject({ reason: 'not_found', details: { field: 'hold_id' } });
    await convert(conversionOf(held));
    expect(await rejectionOf(convert(conversionOf(held)))).toMatchObject({
      reason: 'invalid_state',
      details: { field: 'hold_id', status: 'converted' },
    });
    const late = await hold(aHold());
    await runOut(late.id);
    expect(await rejectionOf(convert(conversionOf(late)))).toMatchObject({ details: { status: 'expired' } });
  });

  it('is only validated by a dry run', async () => {
    const held = await hold(aHold());
    expect((await convert(conversionOf(held, { dryRun: true }))).sessionIds).toHaveLength(1);
    expect(await read(held.id)).toMatchObject({ status: 'active' });
    await convert(conversionOf(held));
  });

  it('converts the hold once under concurrent requests', async () => {
    const held = await hold(aHold());
    const racers = Array.from({ length: 12 }, () => conversionOf(held));
    const results = await Promise.allSettled([...racers.map(convert), remove(held.id)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = racers[results.findIndex(({ status }) => status === 'fulfilled')];
    if (winner) expect((await confirm(winner.bookingId)).sessions).toHaveLength(1);
  });

  it('does not get the time in a run that was released, but in a later one', async () => {
    const held = await hold(aHold());
    const input = conversionOf(held);
    const release = { bookingId: input.bookingId, attempt: 1 };
    expect(await scheduling.harness.call(releaseBooking, release, asFamily)).toEqual({ state: 'released' });
    expect((await rejectionOf(convert(input))).reason).toBe('invalid_state');
    expect(await read(held.id)).toMatchObject({ status: 'active' });
    expect((await convert({ ...input, attempt: 2 })).sessions).toHaveLength(1);
    expect(await scheduling.harness.call(releaseBooking, release, asFamily)).toEqual({ state: 'confirmed' });
  });
});

it('the calendar is consistent after all tests', async () => {
  const claims = database().collection('claims');
  const held = await claims.find({ state: 'held' }).toArray();
  await updateAll(claims, { state: 'held' }, { until: PAST, dueAt: PAST });
  expect(held.length).toBeGreaterThan(0);
  await wholeness(database());
});
