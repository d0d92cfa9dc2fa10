import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  confirmBooking,
  createHold,
  createPool,
  createSession,
  getAvailability,
  getHold,
  type InputOf,
  type Principal,
  releaseBooking,
  removeHold,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, inDays, refusalOfCall, until } from '@swim/testing';
import { wholeness } from './calendar-checks.js';
import { conversionOf as conversion, type Held } from './hold-conversion.js';
import {
  aSession,
  asFamily,
  family,
  type SchedulingParts,
  school,
  startScheduling,
  withKey,
} from './scheduling-parts.js';

let scheduling: SchedulingParts;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

type WantedHold = InputOf<typeof createHold>;

const aHold = (overrides: Partial<WantedHold> = {}): WantedHold => ({
  instructor_id: overrides.instructor_id ?? scheduling.people.instructor(),
  member_ids: [scheduling.people.member()],
  sessions: [{ date: inDays(10), duration_minutes: 30 }],
  ...overrides,
});
const hold = (wanted: WantedHold, caller: object = asFamily) => scheduling.parts.call(createHold, wanted, caller);
const read = (id: string, principal: Principal = family) =>
  scheduling.parts.call(getHold, { hold_id: id }, { principal });
const remove = (id: string, principal: Principal = family) =>
  scheduling.parts.call(removeHold, { hold_id: id }, { principal });
const single = (instructor_id: string, date: string) =>
  scheduling.parts.call(createSession, aSession(instructor_id, scheduling.people.member(), { date }), asFamily);

const conversionOf = (held: Held, overrides: Partial<InputOf<typeof claimBooking>> = {}) =>
  conversion(scheduling.people, held, overrides);
const convert = (input: InputOf<typeof claimBooking>) => scheduling.parts.call(claimBooking, input, asFamily);
const confirm = (bookingId: string) => scheduling.parts.call(confirmBooking, { bookingId }, asFamily);

const database = () => scheduling.parts.database('scheduling_test');
const PAST = new Date(0);

/** Puts the end of a hold's claim into the past; nobody is sent to look at it. */
const runOutOfTime = (id: string) =>
  database()
    .collection('claims')
    .updateOne({ key: id }, { $set: { until: PAST } });
/** Puts the end of a hold into the past: the sweep looks at it. */
const runOut = (id: string) =>
  database()
    .collection<{ _id: string }>('holds')
    .updateOne({ _id: id }, { $set: { expiresAt: PAST, dueAt: PAST } });

describe('a hold', () => {
  it('keeps all its times from everybody else, and no longer once it is given up', async () => {
    const wanted = aHold({ sessions: [10, 11].map((day) => ({ date: inDays(day), duration_minutes: 45 })) });
    const held = await hold(wanted);
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
    expect(await refusalOfCall(single(wanted.instructor_id, inDays(11)))).toMatchObject({ reason: 'instructor_busy' });
    const { slots } = await scheduling.parts.call(
      getAvailability,
      { instructor_id: wanted.instructor_id, date_from: inDays(10), date_to: inDays(12), duration_minutes: 30 },
      asFamily,
    );
    expect(slots.some(({ start }) => Date.parse(start) === Date.parse(inDays(10)))).toBe(false);
    await remove(held.id);
    expect(await refusalOfCall(read(held.id))).toMatchObject({ reason: 'resource_not_found' });
    await single(wanted.instructor_id, inDays(11));
  });

  it('is seen by its account and the instructor’s school, and by nobody else', async () => {
    const held = await hold(aHold());
    expect(await read(held.id, school)).toEqual(await read(held.id));
    const stranger = aPrincipal();
    expect(await refusalOfCall(read(held.id, stranger))).toMatchObject({ reason: 'resource_not_found' });
    expect(await refusalOfCall(remove(held.id, stranger))).toMatchObject({ reason: 'resource_not_found' });
  });

  it('takes nothing when one of its times is taken, and says which with suggestions', async () => {
    const wanted = aHold({ sessions: [12, 13].map((day) => ({ date: inDays(day), duration_minutes: 30 })) });
    await single(wanted.instructor_id, inDays(13));
    const error = await refusalOfCall(hold(wanted));
    expect(error).toMatchObject({ reason: 'conflicting_dates' });
    expect(error.details.conflicts).toMatchObject([{ date: inDays(13), reason: 'instructor_busy' }]);
    await single(wanted.instructor_id, inDays(12));
  });

  it('is bound to the published hours', async () => {
    const night = `${inDays(10).slice(0, 10)}T03:00:00.000Z`;
    const error = await refusalOfCall(hold(aHold({ sessions: [{ date: night, duration_minutes: 30 }] })));
    expect(error.details.conflicts).toMatchObject([{ reason: 'outside_availability' }]);
  });

  it('takes a lane of the pool', async () => {
    const pool = await scheduling.parts.call(
      createPool,
      { name: 'Lido', address: 'Bay 1', latitude: 1, longitude: 2, timezone: 'UTC', lanes: 1 },
      { principal: school },
    );
    const location = { type: 'pool' as const, pool_id: pool.id };
    const held = await hold(aHold({ location }));
    expect(held.location).toEqual(location);
    const error = await refusalOfCall(hold(aHold({ location })));
    expect(error.details.conflicts).toMatchObject([{ reason: 'pool_full' }]);
  });

  it('is refused for people who cannot meet, and for the past', async () => {
    const { people } = scheduling;
    const small = people.instructor({ maxGroupSize: 1 });
    const refused = async (wanted: WantedHold, principal = family) => {
      const { reason, details } = await refusalOfCall(hold(wanted, { principal }));
      return [reason, details.field];
    };
    expect(await refused(aHold({ instructor_id: newId('ins') }))).toEqual(['not_found', 'instructor_id']);
    expect(await refused(aHold({ instructor_id: people.instructor({ status: 'inactive' }) }))).toEqual([
      'inactive_instructor',
      'instructor_id',
    ]);
    expect(await refused(aHold({ member_ids: [people.member(), newId('mem')] }))).toEqual([
      'not_found',
      'member_ids.1',
    ]);
    const other = people.member(aPrincipal().accountId);
    expect(await refused(aHold({ member_ids: [people.member(), other] }), school)).toEqual([
      'members_of_several_accounts',
      'member_ids',
    ]);
    expect(await refused(aHold({ instructor_id: small, member_ids: [people.member(), people.member()] }))).toEqual([
      'group_too_large',
      'member_ids',
    ]);
    expect(await refused(aHold({ sessions: [{ date: '2020-01-01T10:00:00Z', duration_minutes: 30 }] }))).toEqual([
      'in_past',
      'sessions.0.date',
    ]);
  });

  it('is only rehearsed by a dry run', async () => {
    const wanted = aHold();
    const told = await hold(wanted, { ...asFamily, dryRun: true });
    expect(told).toMatchObject({ status: 'active', instructor_id: wanted.instructor_id });
    expect(await refusalOfCall(read(told.id))).toMatchObject({ reason: 'resource_not_found' });
    await single(wanted.instructor_id, inDays(10));
    expect(await refusalOfCall(hold(wanted, { ...asFamily, dryRun: true }))).toMatchObject({
      reason: 'conflicting_dates',
    });
  });

  it('is one when it is asked for twice under one key, and racing ones are one for each time', async () => {
    const wanted = aHold();
    expect(await hold(wanted, withKey('hold-1'))).toEqual(await hold(wanted, withKey('hold-1')));
    const instructor_id = scheduling.people.instructor();
    const racers = await Promise.allSettled(Array.from({ length: 20 }, () => hold(aHold({ instructor_id }))));
    expect(racers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('keeps its time a moment longer than it lasts, for those who wait for it', async () => {
    // What passes between its claim and itself goes off that moment: much of it on a busy machine, not each time.
    await until(async () => {
      const held = await hold(aHold());
      const claim = await database().collection('claims').findOne({ key: held.id });
      const longerMs = claim!.until.getTime() - Date.parse(held.expires_at);
      expect(longerMs).toBeLessThanOrEqual(5_000);
      return longerMs > 4_000;
    }, 'a hold is made in less than a second');
  });

  it('lets others have its time once it has run out, and says so', async () => {
    const wanted = aHold();
    const held = await hold(wanted);
    await runOutOfTime(held.id);
    await single(wanted.instructor_id, inDays(10));
    await runOut(held.id);
    await until(async () => (await read(held.id)).status === 'expired', 'the hold is expired');
  });
});

describe('a booking with a hold', () => {
  it('gets the time, with the sessions that were held', async () => {
    const held = await hold(aHold({ member_ids: [scheduling.people.member(), scheduling.people.member()] }));
    const input = conversionOf(held);
    const { sessionIds } = await convert(input);
    expect(await convert(input)).toEqual({ sessionIds, skipped: [] });
    expect(await refusalOfCall(single(held.instructor_id, inDays(10)))).toMatchObject({ reason: 'instructor_busy' });
    const { sessions } = await confirm(input.bookingId);
    expect(sessions.map(({ id }) => id).sort()).toEqual([...sessionIds].sort());
    for (const session of sessions) {
      expect(session).toMatchObject({ booking_id: input.bookingId, price_cents: 3_000, notes: 'bring fins' });
      expect(held.member_ids).toContain(session.member_id);
    }
    expect(await read(held.id)).toMatchObject({ status: 'converted', booking_id: input.bookingId });
    expect(await refusalOfCall(remove(held.id))).toMatchObject({ reason: 'invalid_state' });
    await scheduling.parts.call(cancelSession, { session_id: sessions[0]!.id }, asFamily);
    expect(await refusalOfCall(single(held.instructor_id, inDays(10)))).toMatchObject({ reason: 'instructor_busy' });
    await scheduling.parts.call(cancelSession, { session_id: sessions[1]!.id }, asFamily);
    await single(held.instructor_id, inDays(10));
  });

  it('is refused when instructor, members or sessions are others', async () => {
    const held = await hold(aHold());
    const other = { ...held, member_ids: [scheduling.people.member()] };
    const later = { ...held, sessions: [{ ...held.sessions[0]!, date: inDays(11) }] };
    const longer = { ...held, sessions: [{ ...held.sessions[0]!, duration_minutes: 45 }] };
    const coach = { ...held, instructor_id: scheduling.people.instructor() };
    for (const wrong of [other, later, longer, coach]) {
      expect(await refusalOfCall(convert(conversionOf(wrong)))).toMatchObject({
        reason: 'hold_mismatch',
        details: { field: 'hold_id' },
      });
    }
    const elsewhere = conversionOf(held, { location: { type: 'pool', pool_id: newId('pool') } });
    expect(await refusalOfCall(convert(elsewhere))).toMatchObject({ reason: 'hold_mismatch' });
    expect(await read(held.id)).toMatchObject({ status: 'active' });
  });

  it('is refused when the hold is unknown, over, or another booking’s', async () => {
    const held = await hold(aHold());
    const unknown = conversionOf(held, { holdId: newId('hold') });
    expect(await refusalOfCall(convert(unknown))).toMatchObject({ reason: 'not_found', details: { field: 'hold_id' } });
    await convert(conversionOf(held));
    expect(await refusalOfCall(convert(conversionOf(held)))).toMatchObject({
      reason: 'invalid_state',
      details: { field: 'hold_id', status: 'converted' },
    });
    const late = await hold(aHold());
    await runOut(late.id);
    expect(await refusalOfCall(convert(conversionOf(late)))).toMatchObject({ details: { status: 'expired' } });
  });

  it('is only rehearsed by a dry run', async () => {
    const held = await hold(aHold());
    expect((await convert(conversionOf(held, { dryRun: true }))).sessionIds).toHaveLength(1);
    expect(await read(held.id)).toMatchObject({ status: 'active' });
    await convert(conversionOf(held));
  });

  it('is one of those that race for the hold', async () => {
    const held = await hold(aHold());
    const racers = Array.from({ length: 12 }, () => conversionOf(held));
    const results = await Promise.allSettled([...racers.map(convert), remove(held.id)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = racers[results.findIndex(({ status }) => status === 'fulfilled')];
    if (winner) expect((await confirm(winner.bookingId)).sessions).toHaveLength(1);
  });

  it('gives the time back when it fails', async () => {
    const held = await hold(aHold());
    const input = conversionOf(held);
    await convert(input);
    await scheduling.parts.call(releaseBooking, { bookingId: input.bookingId }, asFamily);
    await single(held.instructor_id, inDays(10));
    await until(async () => {
      await runOut(held.id);
      return (await read(held.id)).status === 'expired';
    }, 'the hold is over');
  });
});

it('the calendar is whole after all of this', async () => {
  const claims = database().collection('claims');
  const held = await claims.find({ state: 'held' }).toArray();
  await claims.updateMany({ state: 'held' }, { $set: { until: PAST, dueAt: PAST } });
  expect(held.length).toBeGreaterThan(0);
  await wholeness(database());
});
