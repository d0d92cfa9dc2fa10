import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Booking,
  cancelBooking,
  quoteBookingCancellation,
  reserveRefund,
  sessionUpdated,
  settleRefund,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { rejectionOf, until } from '@swim/testing';
import { change, sessionsIn } from '../faults/session-events.js';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { moneyIn } from './money.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const { create, pay, prepaid, read, record, refundsOf, reserve, settle } = moneyIn(() => fixture);
const { sessionsOf, becomes, publish } = sessionsIn(() => fixture);
const asFamily = () => ({ principal: fixture.family });
const cancel = ({ id }: Booking, refund_as: 'credit' | 'payment_method' = 'payment_method') =>
  fixture.harness.call(cancelBooking, { booking_id: id, refund_as }, asFamily());

/** The school records that it has given money back. */
async function giveBack({ id: bookingId }: Booking, paymentId: string, amountCents: number | null): Promise<void> {
  const asSchool = { principal: fixture.school };
  const refund = { bookingId, paymentId, refundId: newId('rfd'), amountCents, dryRun: false };
  await fixture.harness.call(reserveRefund, refund, asSchool);
  const settled = { bookingId, refundId: refund.refundId, outcome: 'succeeded' as const };
  await fixture.harness.call(settleRefund, settled, asSchool);
}

describe('money that the school recorded', () => {
  it('is paid, and confirms a booking that requires prepayment', async () => {
    const booking = await prepaid();
    await record(booking, 2_000);
    expect(await read(booking)).toMatchObject({ status: 'pending', payment_status: 'partially_paid' });
    await record(booking, 3_000, 'voucher');
    const paid = { status: 'confirmed', payment_status: 'paid', amount_paid_cents: 5_000, amount_to_return_cents: 0 };
    expect(await read(booking)).toMatchObject(paid);
  });

  it('is to be returned after a cancellation, until the school records that: then nothing is waived', async () => {
    const booking = await create({ sessions: times(3) });
    const paymentId = await record(booking);
    const quote = await fixture.harness.call(quoteBookingCancellation, { booking_id: booking.id }, asFamily());
    expect(quote).toMatchObject({ refund_cents: 5_000, fee_cents: 0, makeup_credit: true });
    await cancel(booking);
    expect(await read(booking)).toMatchObject({
      status: 'cancelled',
      payment_status: 'paid',
      amount_cents: 0,
      amount_paid_cents: 5_000,
      amount_due_cents: 0,
      amount_to_return_cents: 5_000,
    });
    await giveBack(booking, paymentId, 2_000);
    expect(await read(booking)).toMatchObject({ payment_status: 'partially_refunded', amount_to_return_cents: 3_000 });
    await giveBack(booking, paymentId, null);
    const returned = { payment_status: 'refunded', amount_paid_cents: 0, amount_to_return_cents: 0 };
    expect(await read(booking)).toMatchObject(returned);
    const movements = (await fixture.stored(booking.id))?.movements;
    expect(movements).not.toContainEqual(expect.objectContaining({ kind: 'waiver' }));
    expect(refundsOf(booking)).toEqual([]);
  });

  it('is to be returned after a lower price, and after an expiry', async () => {
    const booking = await create({ sessions: times(7) });
    await record(booking);
    await publish(sessionUpdated, change(sessionsOf(booking)[0]!, { price_cents: 3_000 }));
    await becomes(booking, { amount_cents: 3_000, amount_to_return_cents: 2_000, payment_status: 'paid' });
    const pending = await prepaid({ sessions: times(8) });
    await record(pending, 2_000);
    await until(async () => {
      await fixture.letLapse({ _id: pending.id });
      return (await read(pending)).status === 'expired';
    }, 'the booking expires');
    expect(await read(pending)).toMatchObject({ amount_cents: 0, amount_due_cents: 0, amount_to_return_cents: 2_000 });
    expect([...refundsOf(booking), ...refundsOf(pending)]).toEqual([]);
  });

  it('beyond what is to be returned, a refund is goodwill and waives as much', async () => {
    const booking = await create();
    const paymentId = await record(booking);
    await giveBack(booking, paymentId, 1_500);
    const waived = { amount_paid_cents: 3_500, amount_due_cents: 0, amount_to_return_cents: 0 };
    expect(await read(booking)).toMatchObject({ ...waived, payment_status: 'partially_refunded' });
  });

  it('stands beside a card, whose part is refunded by itself, newest payment first', async () => {
    const booking = await create({ sessions: times(3, 4) });
    await pay(booking, 4_000);
    await record(booking, 6_000);
    await cancel(booking);
    await until(() => refundsOf(booking).length === 1, 'the part of the card is refunded');
    expect(refundsOf(booking)[0]).toMatchObject({ amountCents: 4_000 });
    expect(await read(booking)).toMatchObject({ amount_paid_cents: 6_000, amount_to_return_cents: 6_000 });
  });

  it('becomes a makeup credit where the family chooses one', async () => {
    const booking = await create({ sessions: times(5) });
    await record(booking);
    await cancel(booking, 'credit');
    expect(await read(booking)).toMatchObject({ amount_paid_cents: 0, amount_to_return_cents: 0 });
  });

  it('is recorded also after many failures of cards, and not beyond what is due', async () => {
    const booking = await create({ sessions: times(6) });
    for (let tries = 0; tries < 20; tries++) {
      const paymentId = newId('pay');
      await reserve(booking.id, { paymentId, amountCents: 5_000 });
      await settle(booking.id, paymentId, 'failed');
    }
    expect((await rejectionOf(pay(booking))).reason).toBe('too_many_attempts');
    await record(booking, 4_000);
    expect((await rejectionOf(record(booking, 1_001))).reason).toBe('amount_exceeds_due');
    const byFamily = reserve(booking.id, { amountCents: 1_000, method: 'cash' });
    expect((await rejectionOf(byFamily)).reason).toBe('school_only');
  });
});
