import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Booking,
  cancelBooking,
  listBookings,
  quoteBookingCancellation,
  type Session,
  sessionAttendanceRecorded,
  sessionCancelled,
} from '@swim/contracts';
import { publishEvent, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { moneyIn } from './money.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const { create, prepaid, pay, read, reserve, refundsOf } = moneyIn(() => fixture);

/** Changes a session in scheduling, which publishes it. */
async function change(session: Session, changes: Partial<Session>): Promise<void> {
  const { notes: _, ...object } = Object.assign(session, changes, { version: session.version + 1 });
  const audience = [fixture.family.accountId, fixture.school.accountId];
  const type = object.status === 'cancelled' ? sessionCancelled : sessionAttendanceRecorded;
  await publishEvent(fixture.harness, type, { object, audience, n: object.version });
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const miss = (session: Session) =>
  change(session, { date: hoursAgo(2), end_date: hoursAgo(1), attendance: 'no_show' as const });
const lessonsOf = ({ id }: Booking) => fixture.calendar.confirmedSessions(id) as [Session, Session];

/** Waits until the booking keeps this amount; returns it. */
const amountsTo = (booking: Booking, cents: number): Promise<Booking> =>
  until(async () => {
    const now = await read(booking);
    return now.amount_cents === cents ? now : null;
  }, `the booking amounts to ${cents}`);

describe('a booking of two lessons that requires prepayment, of which the first is missed', () => {
  const asFamily = () => ({ principal: fixture.family });
  const prepaidTwo = () => prepaid({ sessions: times(2, 3) });

  it('is paid in part while the other lesson is due, and is confirmed by the last cent of what is due', async () => {
    const booking = await prepaidTwo();
    await pay(booking, 2_000);
    await miss(lessonsOf(booking)[0]);
    const due = { payment_status: 'partially_paid', amount_paid_cents: 2_000, amount_due_cents: 3_000 };
    expect(await amountsTo(booking, 5_000)).toMatchObject({ status: 'pending', ...due });
    await pay(booking, 2_999);
    expect(await read(booking)).toMatchObject({ status: 'pending', payment_status: 'partially_paid' });
    await pay(booking, 1);
    expect(await read(booking)).toMatchObject({ status: 'confirmed', payment_status: 'paid', amount_due_cents: 0 });
  });

  it('owes nothing for the missed lesson: the price of the other one is the payment in full', async () => {
    const booking = await prepaidTwo();
    await miss(lessonsOf(booking)[0]);
    const missed = await amountsTo(booking, 5_000);
    expect(missed).toMatchObject({ status: 'pending', payment_status: 'unpaid', amount_due_cents: 5_000 });
    const tooMuch = await rejectionOf(reserve(booking.id, { amountCents: 5_001 }));
    expect(tooMuch).toMatchObject({ reason: 'amount_exceeds_due', details: { amount_due_cents: 5_000 } });
    await pay(booking);
    const paid = await read(booking);
    expect(paid).toMatchObject({ status: 'confirmed', payment_status: 'paid', amount_due_cents: 0 });
    const { items } = await fixture.harness.call(listBookings, { instructor_id: booking.instructor_id }, asFamily());
    expect(items).toEqual([paid]);
    expect((await rejectionOf(reserve(booking.id))).reason).toBe('already_paid');
    const quote = await fixture.harness.call(quoteBookingCancellation, { booking_id: booking.id }, asFamily());
    expect(quote).toMatchObject({ fee_cents: 0, refund_cents: 5_000, sessions: [{ refund_cents: 5_000 }] });
  });
});

describe('the refund of a cancelled lesson that waits for the attendance of a missed one', () => {
  /** A booking whose first lesson was missed, without a fee, and whose second one is paid. */
  async function missed(): Promise<Booking> {
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, {}, { noShowFeePercent: 0 });
    const booking = await create({ instructor_id, sessions: times(2, 3) });
    await miss(lessonsOf(booking)[0]);
    await amountsTo(booking, 5_000);
    await pay(booking);
    return booking;
  }
  const refundIdOf = (lesson: Session) => until(() => lesson.cancellation?.refund_id, 'the refund is recorded');

  it('is recorded in the lesson once the attendance is final', async () => {
    const booking = await missed();
    const [, other] = lessonsOf(booking);
    const cancellation = {
      ...{ reason: null, cancelled_at: new Date().toISOString(), cancelled_by: fixture.school.accountId },
      ...{ participants_notified: true, late: false, fee_cents: 0, refund_id: null, makeup_credit: null },
    };
    await change(other, { status: 'cancelled', cancellation });
    const recorded = await refundIdOf(other);
    await until(() => refundsOf(booking).length > 0, 'the refund is requested');
    expect(refundsOf(booking)).toMatchObject([{ refundId: recorded, amountCents: 5_000 }]);
    await until(async () => (await fixture.stored(booking.id))!.requestsAt === null, 'nothing is left to request');
  });

  it('is recorded in the lesson too when the booking is cancelled', async () => {
    const booking = await missed();
    const cancelled = { booking_id: booking.id };
    await fixture.harness.call(cancelBooking, cancelled, { principal: fixture.family });
    const recorded = await refundIdOf(lessonsOf(booking)[1]);
    await until(() => refundsOf(booking).length > 0, 'the refund is requested');
    expect(refundsOf(booking)).toMatchObject([{ refundId: recorded, amountCents: 5_000 }]);
  });
});
