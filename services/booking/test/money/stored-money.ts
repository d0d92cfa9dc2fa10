import { cancelBooking, recordDispute, settleRefund } from '@swim/contracts';
import { until, updateAll } from '@swim/testing';
import { type BookingFixture, times } from '../harness.js';
import { moneyIn } from './money.js';

const LONG_AGO = new Date(Date.now() - 3_600_000);
const ALL = ['bookings', 'credits', 'payments', 'refunds'];

/** A document as an audit reads it. */
export type Stored = Record<string, unknown> & { _id: string };

/** What booking and payment store of money. Payment does not run: its documents are written as it writes them. */
export const storedMoneyIn = (fixture: () => BookingFixture) => {
  const { create, pay, refundsOf } = moneyIn(fixture);
  const collectionOf = (name: string) =>
    fixture()
      .harness.database(name === 'bookings' || name === 'credits' ? 'booking_test' : 'payment_test')
      .collection<Stored>(name);

  /** Makes all documents older than an audit leaves out. */
  const age = () => Promise.all(ALL.map((name) => updateAll(collectionOf(name), {}, { updatedAt: LONG_AGO })));

  /** What payment stores of a charge; its own service is not running here. */
  async function storePayment(bookingId: string, id: string, changes: Partial<Stored> = {}): Promise<void> {
    const stored = { bookingId, status: 'succeeded', amountCents: 5_000, refundedCents: 0, currency: 'USD' };
    await collectionOf('payments').insertOne({ _id: id, ...stored, ...changes, updatedAt: LONG_AGO });
  }

  /** A booking of 5000 cents that is paid, as booking and payment store it. */
  async function aPaidBooking(changes = {}): Promise<{ id: string; paymentId: string; sessionId: string }> {
    const booking = await create(changes);
    const paymentId = await pay(booking);
    await storePayment(booking.id, paymentId);
    return { id: booking.id, paymentId, sessionId: booking.session_ids[0]! };
  }

  const cancel = (id: string, refund_as: 'credit' | 'payment_method' = 'payment_method') =>
    fixture().harness.call(cancelBooking, { booking_id: id, refund_as }, { principal: fixture().family });

  /** A booking that was paid and cancelled, whose refund is requested. */
  async function aRefundRequest(day: number) {
    const paid = await aPaidBooking({ sessions: times(day) });
    await cancel(paid.id);
    const { refundId } = await until(() => refundsOf(paid as never)[0], 'the refund is requested');
    // What the service marks in the background would overwrite a fault that is planted later.
    await until(async () => (await fixture().stored(paid.id))?.requestsAt === null, 'its requests are accepted');
    return { ...paid, refundId };
  }

  /** Ends a refund as payment does: it has succeeded, or a lost dispute has taken the money. */
  async function endRefund(
    { id, paymentId, refundId }: Awaited<ReturnType<typeof aRefundRequest>>,
    outcome: 'succeeded' | 'failed',
  ): Promise<void> {
    const refund = { paymentId, amountCents: 5_000, status: outcome, step: 'done', rejection: null };
    await collectionOf('refunds').insertOne({ _id: refundId, ...refund, updatedAt: LONG_AGO });
    const settlement = { bookingId: id, refundId, outcome };
    await fixture().harness.call(settleRefund, settlement, { principal: fixture().family });
  }

  /** A booking that was paid and cancelled, whose refund is made. */
  async function aRefundedBooking() {
    const requested = await aRefundRequest(3);
    const counted = { status: 'refunded', refundedCents: 5_000, refundIds: [requested.refundId] };
    await collectionOf('payments').updateOne({ _id: requested.paymentId }, { $set: counted });
    await endRefund(requested, 'succeeded');
    return requested;
  }

  /** A booking that was paid and cancelled, whose refund was abandoned when a dispute of its payment was lost. */
  async function anAbandonedRefund() {
    const requested = await aRefundRequest(8);
    const { id: bookingId, paymentId } = requested;
    const dispute = {
      bookingId,
      paymentId,
      disputeId: 'dp_1',
      revision: 1,
      state: 'lost',
      amountCents: 5_000,
    } as const;
    await fixture().harness.call(recordDispute, dispute, { principal: fixture().school });
    await change('payments', paymentId, { $set: { disputes: [{ state: 'lost', amountCents: 5_000 }] } });
    await endRefund(requested, 'failed');
    return requested;
  }

  /** A booking that was paid and cancelled for a makeup credit, and one that spends half of it. */
  async function someCredit() {
    const paid = await aPaidBooking({ sessions: times(4) });
    await cancel(paid.id, 'credit');
    const credit = await until(
      async () => (await collectionOf('credits').find({ sessionId: paid.sessionId }).toArray())[0],
      'the credit is made',
    );
    const half = [{ ...times(5)[0]!, duration_minutes: 30 }];
    const spending = await create({ sessions: half, makeup_credit_id: credit._id });
    const isSettled = async () => (await fixture().stored(spending.id))?.creditSettledCents === 2_500;
    await until(isSettled, 'the credit records what is spent');
    return { ...paid, creditId: credit._id, spendingId: spending.id };
  }

  const change = (name: string, id: string, update: object) => collectionOf(name).updateOne({ _id: id }, update);

  return { age, change, collectionOf, storePayment, aPaidBooking, aRefundedBooking, anAbandonedRefund, someCredit };
};
