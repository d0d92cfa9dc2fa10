import { newId } from '@swim/platform';
import type { Difference } from '../../src/audit/audited-money.rules.js';
import { type BookingFixture, times } from '../harness.js';
import { moneyIn } from './money.js';
import { storedMoneyIn } from './stored-money.js';

const LONG_AGO = new Date(Date.now() - 3_600_000);

/** A kind of difference, and what plants one: it returns what an audit says of it. */
type Fault = [Difference['kind'], () => Promise<Partial<Difference>>];

/** Faults of what booking and payment store. */
export const faultsIn = (fixture: () => BookingFixture): Fault[] => {
  const { create } = moneyIn(fixture);
  const { change, collectionOf, storePayment, aPaidBooking, aRefundedBooking, someCredit } = storedMoneyIn(fixture);
  const onBooking = (id: string, update: object) => change('bookings', id, update);
  return [
    [
      'charge_differs',
      async () => {
        const { id, paymentId } = await aPaidBooking();
        await change('payments', paymentId, { $set: { amountCents: 4_999 } });
        return { bookingId: id, paymentId, ledgerCents: 5_000, otherCents: 4_999 };
      },
    ],
    [
      'charge_differs',
      async () => {
        const { id } = await create();
        const paymentId = newId('pay');
        await storePayment(id, paymentId);
        return { bookingId: id, paymentId, ledgerCents: 0, otherCents: 5_000 };
      },
    ],
    [
      'charge_differs',
      async () => {
        const { id, paymentId } = await aPaidBooking();
        await collectionOf('payments').deleteOne({ _id: paymentId });
        return { bookingId: id, paymentId, ledgerCents: 5_000, otherCents: 0 };
      },
    ],
    [
      'method_differs',
      async () => {
        const { id, paymentId } = await aPaidBooking();
        await change('payments', paymentId, { $set: { method: 'cash' } });
        return { bookingId: id, paymentId, ledgerCents: 5_000, otherCents: 5_000 };
      },
    ],
    [
      'charged_twice',
      async () => {
        const { id, paymentId } = await aPaidBooking({ sessions: times(6, 7) });
        const again = { kind: 'charge', amountCents: 5_000, at: LONG_AGO.toISOString(), of: paymentId };
        await onBooking(id, { $push: { movements: again } });
        return { bookingId: id, paymentId, ledgerCents: 10_000, otherCents: 5_000 };
      },
    ],
    [
      'currency_differs',
      async () => {
        const { id, paymentId } = await aPaidBooking();
        await change('payments', paymentId, { $set: { currency: 'EUR' } });
        return { bookingId: id, paymentId };
      },
    ],
    [
      'reservation_left',
      async () => {
        const { id } = await create();
        const paymentId = newId('pay');
        const entry = { id: paymentId, amountCents: 5_000, dueCents: 5_000, state: 'reserved' };
        await onBooking(id, { $push: { payments: entry } });
        await storePayment(id, paymentId, { status: 'failed' });
        return { bookingId: id, paymentId, ledgerCents: 5_000 };
      },
    ],
    [
      'refund_differs',
      async () => {
        const { id, refundId } = await aRefundedBooking();
        await collectionOf('refunds').updateOne({ _id: refundId }, { $set: { rejection: '{}' } });
        await collectionOf('payments').updateOne(
          { refundIds: refundId },
          { $set: { refundedCents: 0, refundIds: [] } },
        );
        return { bookingId: id, refundId, ledgerCents: 5_000, otherCents: 0 };
      },
    ],
    [
      'refund_differs',
      async () => {
        const { id, paymentId } = await aPaidBooking();
        const [refundId, amountCents] = [newId('rfd'), 500];
        const refund = { paymentId, amountCents, status: 'succeeded', step: 'done', rejection: null };
        await collectionOf('refunds').insertOne({ _id: refundId, ...refund, updatedAt: LONG_AGO });
        await change('payments', paymentId, { $set: { refundedCents: amountCents, refundIds: [refundId] } });
        return { bookingId: id, refundId, ledgerCents: 0, otherCents: 500 };
      },
    ],
    [
      'refund_not_settled',
      async () => {
        const { id, refundId } = await aRefundedBooking();
        await onBooking(id, { $set: { 'refunds.0.state': 'accepted' } });
        return { bookingId: id, refundId };
      },
    ],
    [
      'refunded_differs',
      async () => {
        const { id, paymentId } = await aRefundedBooking();
        await change('payments', paymentId, { $set: { refundedCents: 4_000 } });
        return { bookingId: id, paymentId, ledgerCents: 5_000, otherCents: 4_000 };
      },
    ],
    [
      'refunded_beyond_charge',
      async () => {
        const { id, paymentId } = await aRefundedBooking();
        await change('payments', paymentId, { $set: { amountCents: 4_000 } });
        await onBooking(id, { $set: { 'movements.0.amountCents': 4_000 } });
        return { bookingId: id, paymentId, ledgerCents: 5_000, otherCents: 4_000 };
      },
    ],
    [
      'dispute_differs',
      async () => {
        const { id, paymentId } = await aPaidBooking();
        await change('payments', paymentId, { $set: { disputes: [{ state: 'lost', amountCents: 5_000 }] } });
        return { bookingId: id, paymentId, ledgerCents: 0, otherCents: 5_000 };
      },
    ],
    [
      'fee_differs',
      async () => {
        const { id, sessionId } = await aRefundedBooking();
        await onBooking(id, { $set: { 'sessions.0.feeCents': 1_000, amountCents: 1_000 } });
        return { bookingId: id, sessionId, ledgerCents: 0, otherCents: 1_000 };
      },
    ],
    [
      'amount_differs',
      async () => {
        const { id } = await create();
        await onBooking(id, { $set: { amountCents: 6_000 } });
        return { bookingId: id, ledgerCents: 6_000, otherCents: 5_000 };
      },
    ],
    [
      'money_beyond_amount',
      async () => {
        const { id } = await aPaidBooking();
        await onBooking(id, { $set: { 'sessions.0.priceCents': 4_000, amountCents: 4_000 } });
        return { bookingId: id, ledgerCents: 5_000, otherCents: 4_000 };
      },
    ],
    [
      'money_on_ended_booking',
      async () => {
        const { id } = await aPaidBooking();
        await onBooking(id, { $set: { status: 'cancelled', 'sessions.0.status': 'cancelled', amountCents: 0 } });
        return { bookingId: id, ledgerCents: 5_000, otherCents: 0 };
      },
    ],
    [
      'credit_spend_differs',
      async () => {
        const { spendingId, creditId } = await someCredit();
        await change('credits', creditId, { $set: { 'spends.0.amountCents': 2_000, leftCents: 3_000 } });
        return { bookingId: spendingId, creditId, ledgerCents: 2_500, otherCents: 2_000 };
      },
    ],
    [
      'credit_differs',
      async () => {
        const { id, creditId } = await someCredit();
        await change('credits', creditId, { $set: { issuedCents: 6_000, leftCents: 3_500 } });
        return { bookingId: id, creditId, ledgerCents: 5_000, otherCents: 6_000 };
      },
    ],
    [
      'credit_revoked_differs',
      async () => {
        const { id, creditId } = await someCredit();
        await change('credits', creditId, { $set: { revokedCents: 1_000, leftCents: 1_500 } });
        return { bookingId: id, creditId, ledgerCents: 0, otherCents: 1_000 };
      },
    ],
    [
      'credit_left_differs',
      async () => {
        const { id, creditId } = await someCredit();
        await change('credits', creditId, { $set: { leftCents: 5_000 } });
        return { bookingId: id, creditId, ledgerCents: 2_500, otherCents: 5_000 };
      },
    ],
    [
      'payment_without_booking',
      async () => {
        const [id, paymentId] = [newId('bkg'), newId('pay')];
        await storePayment(id, paymentId);
        return { bookingId: id, paymentId, otherCents: 5_000 };
      },
    ],
  ];
};
