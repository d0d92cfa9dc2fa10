import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  confirmBooking,
  createPool,
  type InputOf,
  makeSession,
  quoteCancellation,
  recordAttendance,
  type Session,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, rejectionOf } from '@swim/testing';
import { wholeness } from '../calendar/calendar-checks.js';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling, TERMS } from '../harness.js';
import { conversionOf } from '../holds/hold-conversion.js';

const BATHS = {
  name: 'Baths',
  address: 'Uferweg 1',
  latitude: 52.5,
  longitude: 13.4,
  timezone: 'Europe/Berlin',
  lanes: 6,
};

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());
beforeEach(() => scheduling.clock.set(new Date()));

const asSchool = { principal: school };
const make = (instructorId: string, overrides: object = {}): Promise<Session> =>
  scheduling.harness.call(makeSession, aSession(instructorId, scheduling.people.member(), overrides), asFamily);
const update = (id: string, changes: object, by = asFamily): Promise<Session> =>
  scheduling.harness.call(updateSession, { session_id: id, changes } as InputOf<typeof updateSession>, by);
async function attendedBy(attendance: Session['attendance']): Promise<Session> {
  const made = await make(scheduling.people.instructor());
  scheduling.clock.set(new Date(Date.parse(made.date) + 60_000));
  return scheduling.harness.call(recordAttendance, { session_id: made.id, attendance }, { principal: school });
}
const database = () => scheduling.harness.database('scheduling_test');
const sessions = () => database().collection<{ _id: string; gen: number; claimId: string }>('sessions');

describe('from its start on a session', () => {
  const cancel = (id: string, by = asFamily, dryRun = false) =>
    scheduling.harness.call(cancelSession, { session_id: id }, { ...by, dryRun });

  it('is neither moved nor cancelled by the family, and quoted no more: already_started; the school may', async () => {
    const [made, other] = [await make(scheduling.people.instructor()), await make(scheduling.people.instructor())];
    await cancel(other.id);
    scheduling.clock.set(new Date(made.date));
    const rejected = [
      () => update(made.id, { date: inDays(12) }),
      () => update(made.id, { duration_minutes: 15 }),
      () => cancel(made.id),
      () => cancel(made.id, asFamily, true),
      () => scheduling.harness.call(quoteCancellation, { session_id: made.id }, asFamily),
    ];
    for (const attempt of rejected)
      expect(await rejectionOf(attempt())).toMatchObject({ reason: 'already_started', code: 'CONFLICT' });
    expect(await update(made.id, { notes: 'She is late.' })).toMatchObject({ notes: 'She is late.' });
    // A repeated cancellation answers the same.
    expect(await cancel(other.id)).toMatchObject({ status: 'cancelled' });
    expect(await update(made.id, { date: inDays(12) }, asSchool)).toMatchObject({ date: inDays(12) });
    scheduling.clock.set(new Date(inDays(12)));
    expect(await cancel(made.id, asSchool)).toMatchObject({ status: 'cancelled' });
  });
});

describe('a move', () => {
  it('of the date alone keeps the price, whatever the instructor’s rate is by then', async () => {
    const instructor = scheduling.people.instructor({ hourlyRateCents: 4_000 });
    const made = await make(instructor);
    scheduling.people.instructors.get(instructor)!.hourlyRateCents = 9_000;
    expect(await update(made.id, { date: inDays(11) })).toMatchObject({ price_cents: 2_000 });
    expect(await update(made.id, { duration_minutes: 60 })).toMatchObject({ price_cents: 9_000 });
  });

  it('to another pool alone is bound to neither published hours nor notice, even by the school after the start', async () => {
    const { harness, people, clock } = scheduling;
    const pools = [await harness.call(createPool, BATHS, asSchool), await harness.call(createPool, BATHS, asSchool)];
    const [one, two] = pools.map(({ id }) => ({ location: { type: 'pool' as const, pool_id: id } }));
    const instructor = people.instructor();
    const made = await make(instructor, one);
    const known = people.instructors.get(instructor)!;
    known.schedule = { ...known.schedule, minimum_notice_minutes: 20 * 1_440 };
    expect(await update(made.id, two!)).toMatchObject({ ...two, date: made.date, version: 2 });
    const longer = rejectionOf(update(made.id, { duration_minutes: 45 }));
    expect(await longer).toMatchObject({ reason: 'outside_availability' });
    clock.set(new Date(Date.parse(made.date) + 60_000));
    expect(await update(made.id, one!, asSchool)).toMatchObject({ ...one, version: 3 });
    expect(await rejectionOf(update(made.id, { duration_minutes: 15 }, asSchool))).toMatchObject({ reason: 'in_past' });
  });

  it('to another instructor uses that instructor’s currency; the session of a booking keeps its own', async () => {
    const { people } = scheduling;
    const [dollars, euros] = [people.instructor(), people.instructor({ currency: 'EUR', hourlyRateCents: 8_000 })];
    const made = await make(dollars);
    expect(await update(made.id, { instructor_id: euros })).toMatchObject({ currency: 'EUR', price_cents: 4_000 });
    const held = { id: '', instructor_id: dollars, member_ids: [people.member()] };
    const booking = conversionOf(people, { ...held, sessions: [{ date: inDays(20), duration_minutes: 30 }] });
    await scheduling.harness.call(claimBooking, { ...booking, holdId: null }, asFamily);
    const booked = await scheduling.harness.call(confirmBooking, { bookingId: booking.bookingId }, asFamily);
    expect(await rejectionOf(update(booked.sessions[0]!.id, { instructor_id: euros }))).toMatchObject({
      reason: 'currency_mismatch',
      details: { field: 'instructor_id' },
    });
  });

  it('of duration keeps the rate and the currency of the booking, when its instructor has others since', async () => {
    const { people } = scheduling;
    const instructor = people.instructor({ hourlyRateCents: 4_000 });
    const terms = { ...TERMS, hourlyRateCents: 4_000 };
    const held = { id: '', instructor_id: instructor, member_ids: [people.member()] };
    const booking = conversionOf(people, { ...held, sessions: [{ date: inDays(20), duration_minutes: 60 }] });
    await scheduling.harness.call(claimBooking, { ...booking, holdId: null, terms }, asFamily);
    const booked = await scheduling.harness.call(confirmBooking, { bookingId: booking.bookingId }, asFamily);
    const [{ id, currency } = { id: '', currency: '' }] = booked.sessions;
    const known = people.instructors.get(instructor)!;
    people.instructors.set(instructor, { ...known, currency: 'JPY', hourlyRateCents: 9_000 });
    expect(await update(id, { duration_minutes: 30 })).toMatchObject({ price_cents: 2_000, currency });
  });

  it('to another time by the school resets attendance', async () => {
    const made = await attendedBy('no_show');
    const move = { session_id: made.id, changes: { date: inDays(20) } };
    const moved = await scheduling.harness.call(updateSession, move, { principal: school });
    expect(moved).toMatchObject({ attendance: 'pending', status: 'scheduled' });
  });

  it.each(['attended', 'no_show'] as const)(
    'by the family is rejected once the lesson is %s: invalid_state',
    async (attendance) => {
      const made = await attendedBy(attendance);
      const rejected = { reason: 'invalid_state', details: { status: 'scheduled', attendance } };
      for (const changes of [{ date: inDays(20) }, { duration_minutes: 15 }])
        expect(await rejectionOf(update(made.id, changes))).toMatchObject(rejected);
      expect(await update(made.id, { notes: 'Brings fins' })).toMatchObject({ attendance, notes: 'Brings fins' });
    },
  );

  it('whose time is taken is rejected without a write of the session', async () => {
    const instructor = scheduling.people.instructor();
    const made = await make(instructor, { date: inDays(20) });
    await make(instructor, { date: inDays(21) });
    await wholeness(database());
    const before = await sessions().findOne({ _id: made.id });
    expect(await rejectionOf(update(made.id, { date: inDays(21) }))).toMatchObject({ reason: 'instructor_busy' });
    expect(await sessions().findOne({ _id: made.id })).toEqual(before);
  });

  it('that another move of the session supersedes is made from the state after it', async () => {
    const made = await make(scheduling.people.instructor(), { date: inDays(20) });
    const changes = [{ date: inDays(21) }, { duration_minutes: 60 }];
    const answers = await Promise.all(changes.map((each) => update(made.id, each)));
    expect(answers.map(({ version }) => version).sort()).toEqual([2, 3]);
    const last = answers.find(({ version }) => version === 3);
    expect(last).toMatchObject({ date: inDays(21), duration_minutes: 60, price_cents: 2 * made.price_cents });
    await wholeness(database());
    expect(await database().collection('claims').countDocuments({ holders: made.id })).toBe(1);
  });

  it('takes the requested time, also after one that crashed between its claim and its change-over', async () => {
    const instructor = scheduling.people.instructor();
    const made = await make(instructor, { date: inDays(20) });
    await diedMoving(made, inDays(21));
    const moved = await update(made.id, { date: inDays(22) });
    expect(moved.date).toBe(inDays(22));
    await wholeness(database());
    expect(await rejectionOf(make(instructor, { date: inDays(22) }))).toMatchObject({ reason: 'instructor_busy' });
    await make(instructor, { date: inDays(21) });
  });
});

/** The state after a crash at the confirmation of a move's claim. */
async function diedMoving({ id, lesson_id, instructor_id, member_id }: Session, to: string): Promise<void> {
  const [startMs, endMs] = [Date.parse(to), Date.parse(to) + 1_800_000];
  const holderOf = { [instructor_id]: lesson_id, [member_id]: id };
  const elements = Object.entries(holderOf).map(([resource, holder]) => ({ resource, startMs, endMs, holder }));
  const key = `${id}#1#${newId('req')}`;
  const [claimId, later] = [newId('req'), new Date(Date.now() + 3_000)];
  const days = database().collection<{ _id: string; busy: object[]; gone: string[] }>('days');
  for (const { resource, holder } of elements) {
    const busy = { s: new Date(startMs), e: new Date(endMs), c: claimId, h: holder };
    await days.updateOne(
      { _id: `${resource}:${to.slice(0, 10)}` },
      { $push: { busy }, $set: { gone: [] } },
      { upsert: true },
    );
  }
  await database()
    .collection<{ _id: string }>('claims')
    .insertOne({
      _id: claimId,
      key,
      confirmedKey: key,
      state: 'confirmed',
      elements,
      holders: [lesson_id, id],
      skipped: [],
      plan: { kind: 'move', sessionId: id, gen: 1, lesson: { id: lesson_id, kind: 'own' } },
      dueAt: later,
      createdAt: new Date(),
    } as never);
}
