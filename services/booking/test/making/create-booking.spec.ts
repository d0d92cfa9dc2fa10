import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Booking, type BusEvent, createBooking, getBooking, listBookings } from '@swim/contracts';
import { derivedId, newId } from '@swim/platform';
import { aPrincipal, collectMessages, inDays, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, type BookingInput, startFixture, times } from '../harness.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const create = (input: BookingInput, options = {}): Promise<Booking> =>
  fixture.harness.call(createBooking, input, { principal: fixture.family, ...options });
const rejected = (input: BookingInput, options = {}) => rejectionOf(create(input, options));
const listed = async (memberId: string) =>
  (await fixture.harness.call(listBookings, { member_id: memberId }, { principal: fixture.family })).items;

it('a booking of which nobody is to be notified says so in its events', async () => {
  const published = await collectMessages<BusEvent>(fixture.harness.connection, 'event.*.booking.>');
  const [quiet, loud] = [fixture.bookingInput({ notify_participants: false }), fixture.bookingInput()];
  const made = [await create(quiet), await create(loud)];
  const causesOf = ({ id }: Booking) => published.flatMap(({ objectId, cause }) => (objectId === id ? [cause] : []));
  await until(() => made.every((each) => causesOf(each).length === 2), 'both are published');
  expect(made.map((each) => causesOf(each).map(({ isQuiet }) => isQuiet ?? false))).toEqual([
    [true, true],
    [false, false],
  ]);
});

describe('a booking', () => {
  it('is returned complete: dates, sessions, price, status', async () => {
    const input = fixture.bookingInput({
      sessions: times(3, 2),
      notes: 'First lessons',
      payment_method_id: fixture.method,
    });
    const second = fixture.people.aMember(fixture.family.accountId);
    const member_ids = [...input.member_ids, second];
    const made = await create({ ...input, member_ids });
    expect(made).toMatchObject({
      account_id: fixture.family.accountId,
      instructor_id: input.instructor_id,
      member_ids,
      payment_method_id: input.payment_method_id,
      notes: 'First lessons',
      status: 'confirmed',
      payment_status: 'unpaid',
      amount_cents: 20_000,
      amount_paid_cents: 0,
      currency: 'USD',
      expires_at: null,
      version: 1,
    });
    expect(made.skipped).toBeUndefined();
    const order = [2, 3].flatMap((day) => member_ids.map((member_id) => [inDays(day), member_id]));
    expect(made.sessions.map(({ date, member_id }) => [date, member_id])).toEqual(order);
    expect(made.sessions[0]).toEqual({
      id: derivedId('ses', made.id, `1/${member_ids[0]}`),
      lesson_id: made.sessions[1]!.lesson_id,
      instructor_id: made.instructor_id,
      member_id: member_ids[0],
      date: inDays(2),
      end_date: inDays(2, 11),
      duration_minutes: 60,
      status: 'scheduled',
      version: 1,
    });
    expect([...made.session_ids].sort()).toEqual(made.sessions.map(({ id }) => id).sort());
    expect(await fixture.harness.call(getBooking, { booking_id: made.id }, { principal: fixture.family })).toEqual(
      made,
    );
  });

  it('publishes created, then confirmed, to its account and its school, without its notes and metadata', async () => {
    const texts = { notes: 'a canary of notes', metadata: { team: 'a canary of metadata' } };
    const made = await create(fixture.bookingInput(texts), { requestId: 'req_test' });
    expect(made).toMatchObject(texts);
    const events = await fixture.recorder.atLeast(2, made.id);
    expect(events.map(({ type, n }) => [type, n])).toEqual([
      ['booking.created', 1],
      ['booking.confirmed', 2],
    ]);
    for (const event of events) {
      expect(event.audience).toEqual([fixture.family.accountId, fixture.school.accountId]);
      const { notes: _, metadata: __, ...object } = made;
      expect(event.object).toEqual(object);
      expect(event.cause).toEqual({
        requestId: 'req_test',
        idempotencyKey: null,
        actor: fixture.family.keyId,
        accountId: fixture.family.accountId,
      });
    }
    expect(JSON.stringify(events)).not.toContain('canary');
  });

  it('may be made by the school for a member that it may read, and belongs to the member’s account', async () => {
    const made = await create(fixture.bookingInput(), { principal: fixture.school });
    expect(made.account_id).toBe(fixture.family.accountId);
    expect((await fixture.harness.call(getBooking, { booking_id: made.id }, { principal: fixture.family })).id).toBe(
      made.id,
    );
  });

  it('is pending where the school requires prepayment, and publishes created only', async () => {
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, {}, { requirePrepayment: true });
    const made = await create(fixture.bookingInput({ instructor_id }));
    expect(made).toMatchObject({ status: 'pending', payment_status: 'unpaid', amount_cents: 5_000 });
    expect(Date.parse(made.expires_at!)).toBeGreaterThan(Date.parse(made.created_at));
    const [event] = await fixture.recorder.atLeast(1, made.id);
    expect(event).toMatchObject({ type: 'booking.created', object: { status: 'pending' } });
  });

  it('skips taken dates on request, returns the skipped ones, and costs the booked ones', async () => {
    const taken = await create(fixture.bookingInput({ sessions: times(5) }));
    const input = fixture.bookingInput({
      instructor_id: taken.instructor_id,
      sessions: times(4, 5, 6),
      on_conflict: 'skip',
    });
    const made = await create(input);
    expect(made.sessions.map(({ date }) => date)).toEqual([inDays(4), inDays(6)]);
    expect(made.skipped).toEqual([{ date: inDays(5), reason: 'instructor_busy' }]);
    expect(made.amount_cents).toBe(10_000);
    expect(await fixture.harness.call(getBooking, { booking_id: made.id }, { principal: fixture.family })).toEqual(
      made,
    );
  });

  it('returns an empty list of skipped dates when none had to be skipped', async () => {
    expect((await create(fixture.bookingInput({ on_conflict: 'skip' }))).skipped).toEqual([]);
  });

  it('is returned by a dry run as it would be made, and nothing is stored', async () => {
    const input = fixture.bookingInput({ sessions: times(7, 8) });
    const tried = await create(input, { dryRun: true, idempotencyKey: 'a dry run' });
    expect(tried).toMatchObject({
      status: 'confirmed',
      amount_cents: 10_000,
      member_ids: input.member_ids,
      version: 1,
    });
    expect(tried.sessions).toHaveLength(2);
    expect(await fixture.stored(tried.id)).toBeNull();
    expect(fixture.calendar.confirmedSessions(tried.id)).toEqual([]);
    expect(fixture.calendar.calls).toEqual(['claim']);
    expect(await create(input)).toMatchObject({ amount_cents: 10_000 });
  });
});

describe('a booking is rejected', () => {
  it('for an unknown instructor', async () => {
    const error = await rejected(fixture.bookingInput({ instructor_id: newId('ins') }));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'not_found', field: 'instructor_id' } });
  });

  it('for a payment method that is not in the account’s wallet', async () => {
    const error = await rejected(fixture.bookingInput({ payment_method_id: newId('pm') }));
    expect(error).toMatchObject({ details: { reason: 'not_found', field: 'payment_method_id' } });
  });

  it('for an inactive instructor', async () => {
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, { status: 'inactive' });
    const error = await rejected(fixture.bookingInput({ instructor_id }));
    expect(error).toMatchObject({ details: { reason: 'inactive_instructor', field: 'instructor_id' } });
  });

  it('for a member of another account, as for an unknown one', async () => {
    const stranger = fixture.people.aMember(newId('acct'));
    const own = fixture.people.aMember(fixture.family.accountId);
    const foreign = await rejected(fixture.bookingInput({ member_ids: [own, stranger] }));
    const absent = await rejected(fixture.bookingInput({ member_ids: [own, newId('mem')] }));
    expect(foreign.toBody()).toEqual(absent.toBody());
    expect(foreign).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'not_found', field: 'member_ids.1' },
    });
  });

  it('for members of several accounts', async () => {
    const readers = [fixture.school.accountId];
    const member_ids = [newId('acct'), newId('acct')].map((account) => fixture.people.aMember(account, readers));
    const error = await rejected(fixture.bookingInput({ member_ids }), { principal: fixture.school });
    expect(error).toMatchObject({ details: { reason: 'members_of_several_accounts', field: 'member_ids' } });
  });

  it('for a group larger than the instructor teaches', async () => {
    const member_ids = [1, 2, 3, 4].map(() => fixture.people.aMember(fixture.family.accountId));
    const error = await rejected(fixture.bookingInput({ member_ids }));
    expect(error).toMatchObject({ details: { reason: 'group_too_large', field: 'member_ids' } });
  });

  it('for a date in the past', async () => {
    const error = await rejected(fixture.bookingInput({ sessions: times(1, -1) }));
    expect(error).toMatchObject({ details: { reason: 'in_past', field: 'sessions.1.date' } });
  });

  it('for a school that books another school’s instructor for a member it may only read', async () => {
    const other = aPrincipal({ kind: 'school' });
    const member_ids = [fixture.people.aMember(fixture.family.accountId, [other.accountId])];
    const error = await rejected(fixture.bookingInput({ member_ids }), { principal: other });
    expect(error).toMatchObject({ code: 'AUTHORIZATION_ERROR', details: { reason: 'school_only' } });
  });

  it('for one or many taken dates: 409 that names each, and nothing remains', async () => {
    const taken = await create(fixture.bookingInput({ sessions: times(10) }));
    for (const days of [[10], [9, 10, 11]]) {
      const index = days.indexOf(10);
      const input = fixture.bookingInput({ instructor_id: taken.instructor_id, sessions: times(...days) });
      const error = await rejected(input);
      expect(error).toMatchObject({
        code: 'CONFLICT',
        details: {
          reason: 'conflicting_dates',
          conflicts: [{ index, date: inDays(10), reason: 'instructor_busy', suggestions: [] }],
        },
      });
      expect(await listed(input.member_ids[0]!)).toEqual([]);
    }
    expect(fixture.calendar.allSessions.filter((each) => each.instructor_id === taken.instructor_id)).toHaveLength(1);
  });

  it('when every date that could be skipped is taken', async () => {
    const taken = await create(fixture.bookingInput({ sessions: times(12) }));
    const input = fixture.bookingInput({
      instructor_id: taken.instructor_id,
      sessions: times(12),
      on_conflict: 'skip',
    });
    expect(await rejected(input)).toMatchObject({ code: 'CONFLICT', details: { reason: 'conflicting_dates' } });
  });

  it.each<[string, Partial<BookingInput>, string, string]>([
    ['no session', { sessions: [] }, 'sessions', 'too_short'],
    [
      'fifty-three sessions',
      { sessions: times(...Array.from({ length: 53 }, (_, day) => day + 1)) },
      'sessions',
      'too_long',
    ],
    ['sessions that overlap each other', { sessions: times(1, 1) }, 'sessions', 'overlapping_sessions'],
    ['no member', { member_ids: [] }, 'member_ids', 'too_short'],
    [
      'a duration of zero',
      { sessions: [{ date: inDays(1), duration_minutes: 0 }] },
      'sessions.0.duration_minutes',
      'too_small',
    ],
  ])('with %s', async (_, changes, field, reason) => {
    expect(await rejected(fixture.bookingInput(changes))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { field, reason },
    });
  });

  it('with the same member twice', async () => {
    const member = fixture.people.aMember(fixture.family.accountId);
    const error = await rejected(fixture.bookingInput({ member_ids: [member, member] }));
    expect(error).toMatchObject({ details: { field: 'member_ids', reason: 'duplicate_value' } });
  });
});
