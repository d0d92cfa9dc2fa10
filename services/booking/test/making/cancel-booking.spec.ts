import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Booking, cancelBooking, quoteBookingCancellation, type Session } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { aPrincipal, inDays, ofSeveralTries, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, type BookingInput, startFixture, times } from '../harness.js';
import { moneyIn } from '../money/money.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const { create: createAt, pay, read, reserve, settle, refundsOf } = moneyIn(() => fixture);

/** A booking that is free to cancel at any time of the day. */
const create = (changes: Partial<BookingInput> = {}) => createAt({ sessions: times(3), ...changes });

const cancel = (
  { id }: Booking,
  input: { reason?: string; notify_participants?: boolean } = {},
  options: RequestOptions = {},
): Promise<Booking> =>
  fixture.harness.call(cancelBooking, { booking_id: id, ...input }, { principal: fixture.family, ...options });
const quote = ({ id }: Booking, principal = fixture.family) =>
  fixture.harness.call(quoteBookingCancellation, { booking_id: id }, { principal });

/** A booking of two sessions of 5000 cents, of which the first is late to cancel. */
const lateBooking = (changes: Partial<BookingInput> = {}) =>
  create({
    sessions: [{ date: new Date(Date.now() + 5 * 3_600_000).toISOString(), duration_minutes: 60 }, ...times(9)],
    ...changes,
  });
const statusesOf = ({ sessions }: Booking) => sessions.map(({ status }) => status);

describe('the quote of a booking', () => {
  it('is what its cancellation does: fees kept of the money that covers each session, the rest refunded', async () => {
    const booking = await lateBooking();
    await pay(booking, 6_000);
    const quoted = await quote(booking);
    expect(quoted).toMatchObject({
      booking_id: booking.id,
      fee_cents: 2_500,
      refund_cents: 3_500,
      makeup_credit: true,
      currency: 'USD',
      sessions: [
        { session_id: booking.sessions[0]!.id, late: true, fee_cents: 2_500, refund_cents: 2_500 },
        { session_id: booking.sessions[1]!.id, late: false, fee_cents: 0, refund_cents: 1_000 },
      ],
    });
    expect(quoted.free_until).toBe(quoted.sessions[0]!.free_until);
    const cancelled = await cancel(booking);
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      payment_status: 'partially_refunded',
      amount_cents: 2_500,
      amount_paid_cents: 2_500,
      amount_due_cents: 0,
    });
    await until(() => refundsOf(booking).length === 1, 'the refund is requested');
    expect(refundsOf(booking)).toMatchObject([{ amountCents: 3_500 }]);
  });

  it('has no fee for the school', async () => {
    const booking = await lateBooking();
    await pay(booking, 10_000);
    expect(await quote(booking, fixture.school)).toMatchObject({ fee_cents: 0, refund_cents: 10_000 });
    expect(await cancel(booking, {}, { principal: fixture.school })).toMatchObject({ payment_status: 'refunded' });
  });

  it('keeps the policies of the time when it was booked', async () => {
    const policies = { lateFeePercent: 10 };
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, {}, policies);
    const booking = await lateBooking({ instructor_id });
    await pay(booking, 10_000);
    fixture.people.changePolicies(instructor_id, { lateFeePercent: 100 });
    expect(await quote(booking)).toMatchObject({ fee_cents: 500, refund_cents: 9_500 });
  });

  it('is rejected for a booking that has ended, and for strangers', async () => {
    const booking = await create();
    await cancel(booking);
    expect(await rejectionOf(quote(booking))).toMatchObject({
      reason: 'invalid_state',
      details: { status: 'cancelled' },
    });
    expect((await rejectionOf(quote(booking, aPrincipal()))).reason).toBe('resource_not_found');
  });
});

describe('cancelling a booking', () => {
  it('cancels its sessions with the reason, publishes one event, and answers the same again', async () => {
    const booking = await create({ sessions: times(3, 4) });
    const options = { idempotencyKey: newId('req') };
    const cancelled = await cancel(booking, { reason: 'Moving away', notify_participants: false }, options);
    expect(cancelled).toMatchObject({ status: 'cancelled', amount_cents: 0, payment_status: 'unpaid' });
    expect(statusesOf(cancelled)).toEqual(['cancelled', 'cancelled']);
    expect(fixture.calendar.confirmedSessions(booking.id)[0]!.cancellation).toMatchObject({
      reason: 'Moving away',
      participants_notified: false,
      cancelled_by: fixture.family.accountId,
    });
    expect(await cancel(booking, { reason: 'Moving away', notify_participants: false }, options)).toEqual(cancelled);
    expect(await cancel(booking)).toEqual(cancelled);
    const events = await fixture.recorder.atLeast(3, booking.id);
    const { notes: _, metadata: __, ...object } = cancelled;
    expect(events.map(({ type }) => type)).toEqual(['booking.created', 'booking.confirmed', 'booking.cancelled']);
    expect(events[2]).toMatchObject({ object });
    expect(JSON.stringify(await fixture.stored(booking.id))).not.toContain('Moving away');
    expect(await fixture.stored(booking.id)).toMatchObject({ cancelling: null, cancelReason: null });
    expect((await rejectionOf(reserve(booking.id))).reason).toBe('invalid_state');
  });

  it('leaves sessions that have begun: the booking is completed with them', async () => {
    const booking = await create({ sessions: times(3, 4) });
    fixture.calendar.confirmedSessions(booking.id)[0]!.status = 'completed';
    fixture.calendar.confirmedSessions(booking.id)[0]!.version = 2;
    const cancelled = await cancel(booking);
    expect(statusesOf(cancelled)).toEqual(['completed', 'cancelled']);
    expect(cancelled).toMatchObject({ status: 'completed', amount_cents: 5_000 });
  });

  it('ends a pending booking, and its term', async () => {
    const policies = { requirePrepayment: true };
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, {}, policies);
    const booking = await create({ instructor_id });
    await pay(booking, 4_000);
    expect(await cancel(booking)).toMatchObject({ status: 'cancelled', expires_at: null, payment_status: 'refunded' });
    expect(await fixture.stored(booking.id)).toMatchObject({ nextAt: null });
  });

  it('stores nothing in a dry run, and answers what it would', async () => {
    const booking = await lateBooking();
    await pay(booking, 10_000);
    const dry = await cancel(booking, {}, { dryRun: true });
    expect(dry).toMatchObject({ status: 'cancelled', amount_cents: 2_500, amount_paid_cents: 2_500 });
    expect(statusesOf(dry)).toEqual(['cancelled', 'cancelled']);
    expect(await read(booking)).toMatchObject({ status: 'confirmed', amount_paid_cents: 10_000 });
  });

  it('is rejected for completed bookings, for those without a session to come, and for strangers', async () => {
    const booking = await create();
    fixture.calendar.confirmedSessions(booking.id)[0]!.status = 'completed';
    expect((await rejectionOf(cancel(booking))).reason).toBe('already_started');
    expect((await rejectionOf(cancel(booking, {}, { principal: aPrincipal() }))).reason).toBe('resource_not_found');
  });

  it('by ten concurrent requests cancels once and refunds once', async () => {
    const booking = await create();
    await pay(booking);
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(booking).catch((e: AppError) => e)));
    for (const answer of answers) {
      if (answer instanceof AppError) expect(answer.reason).toBe('change_in_progress');
      else expect(answer.status).toBe('cancelled');
    }
    await until(() => refundsOf(booking).length === 1, 'the refund is requested');
    expect(await read(booking)).toMatchObject({ status: 'cancelled', amount_paid_cents: 0 });
  });
});

describe('cancelling a booking while its sessions are cancelled, whose events have not arrived', () => {
  /** Cancels sessions in the calendar alone, as requests for them do, before the nth quote. */
  const meanwhile = (quotes: number, which: (sessions: Session[]) => Session[]) => (booking: Booking) => {
    let seen = 0;
    fixture.calendar.disturb('quote', {
      before: () => {
        if (++seen !== quotes) return;
        for (const session of which(fixture.calendar.confirmedSessions(booking.id)))
          Object.assign(session, { status: 'cancelled', version: session.version + 1 });
      },
    });
  };
  const twoLessons = () => create({ sessions: [...times(3), ...times(9)] });

  it.each([
    ['all of them, before it begins', meanwhile(1, (all) => all)],
    ['some of them, before it begins', meanwhile(1, (all) => all.slice(1))],
    ['all of them, after it began', meanwhile(2, (all) => all)],
    ['some of them, after it began', meanwhile(2, (all) => all.slice(0, 1))],
  ])('answers the cancelled booking: %s', async (_, disturb) => {
    const booking = await twoLessons();
    disturb(booking);
    const cancelled = await cancel(booking);
    expect([cancelled.status, ...statusesOf(cancelled)]).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(await cancel(booking)).toEqual(cancelled);
    expect(await read(booking)).toMatchObject({ status: 'cancelled' });
  });

  it('answers in a dry run what it would', async () => {
    const booking = await twoLessons();
    meanwhile(1, (all) => all)(booking);
    expect(await cancel(booking, {}, { dryRun: true })).toMatchObject({ status: 'cancelled' });
  });
});

describe('cancelling a booking while a payment is in progress', () => {
  // The fault lasts for two seconds only.
  const waits = async () => {
    const booking = await lateBooking();
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId, amountCents: 10_000 });
    const cancelling = cancel(booking);
    await until(async () => (await fixture.stored(booking.id))?.cancelling, 'it is closed to payments');
    expect((await rejectionOf(reserve(booking.id))).reason).toBe('invalid_state');
    await settle(booking.id, paymentId);
    expect(await cancelling).toMatchObject({ status: 'cancelled', amount_cents: 2_500, amount_paid_cents: 2_500 });
  };
  it('waits for its outcome', () => ofSeveralTries(waits));

  it('longer than two seconds returns the booking as it is, and is finished with the outcome', async () => {
    const booking = await create();
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId });
    expect(await cancel(booking)).toMatchObject({ status: 'confirmed' });
    await settle(booking.id, paymentId);
    await until(async () => (await read(booking)).status === 'cancelled', 'the booking is cancelled');
    expect(await read(booking)).toMatchObject({ payment_status: 'refunded' });
  });

  it('is free when it was requested in time, also of a lesson that has begun when the outcome arrives', async () => {
    const booking = await create({ sessions: times(3, 4) });
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId, amountCents: 10_000 });
    expect(await quote(booking)).toMatchObject({ fee_cents: 0 });
    expect(await cancel(booking)).toMatchObject({ status: 'confirmed' });
    // The first lesson has begun, and the second one can no longer be cancelled for free.
    fixture.calendar.aheadMs = Date.parse(inDays(3, 12)) - Date.now();
    await settle(booking.id, paymentId);
    await until(async () => (await read(booking)).status === 'cancelled', 'the booking is cancelled');
    expect(await read(booking)).toMatchObject({ amount_cents: 0, payment_status: 'refunded' });
    expect(fixture.calendar.confirmedSessions(booking.id)).toMatchObject([
      { cancellation: { late: false, fee_cents: 0 } },
      { cancellation: { late: false, fee_cents: 0 } },
    ]);
  });
});

describe('cancelling a booking in an outage of scheduling', () => {
  const quoteFails = (booking: Booking) => {
    let count = 0;
    // The first quote is the precondition of the cancellation, the second one decides its fees.
    fixture.calendar.disturb('quote', {
      before: () => {
        count += 1;
        if (count === 2) throw new AppError('unavailable');
      },
    });
    return booking;
  };

  it('by the school has no fee, even when the family finishes it', async () => {
    const booking = await lateBooking();
    await pay(booking, 10_000);
    await rejectionOf(cancel(quoteFails(booking), {}, { principal: fixture.school }));
    fixture.calendar.calm();
    expect(await cancel(booking)).toMatchObject({ status: 'cancelled', amount_cents: 0, amount_paid_cents: 0 });
    const [session] = fixture.calendar.confirmedSessions(booking.id);
    expect(session!.cancellation).toMatchObject({ cancelled_by: fixture.school.accountId, fee_cents: 0 });
  });

  it('is not finished by a dry run', async () => {
    const booking = await lateBooking();
    await pay(booking, 10_000);
    await rejectionOf(cancel(quoteFails(booking)));
    fixture.calendar.calm();
    expect(await cancel(booking, {}, { dryRun: true })).toMatchObject({ status: 'cancelled', amount_cents: 2_500 });
    expect(await read(booking)).toMatchObject({ status: 'confirmed', amount_paid_cents: 10_000 });
    expect(await cancel(booking)).toMatchObject({ status: 'cancelled', amount_cents: 2_500 });
  });

  it('is finished afterwards, with the fees that were stored before', async () => {
    const booking = await lateBooking();
    await pay(booking, 10_000);
    fixture.calendar.disturb('cancelAll', {
      before: () => {
        throw new AppError('unavailable');
      },
    });
    expect((await rejectionOf(cancel(booking, { reason: 'Ill' }))).code).toBe('SERVER_ERROR');
    fixture.calendar.calm();
    await until(async () => {
      await fixture.letLapse({ _id: booking.id });
      return (await read(booking)).status === 'cancelled';
    }, 'the booking is cancelled');
    expect(await read(booking)).toMatchObject({ amount_cents: 2_500, amount_paid_cents: 2_500 });
    expect(fixture.calendar.confirmedSessions(booking.id)[0]!.cancellation).toMatchObject({
      reason: 'Ill',
      fee_cents: 2_500,
    });
  });
});
