import { describe, expect, it } from '@jest/globals';
import {
  apply,
  bookingOf,
  cancelled,
  disputed,
  finalized,
  followed,
  PAY_UNTIL,
  paidIn,
  pay,
  refund,
  refundSettled,
  SOON,
  settled,
  summary,
} from '../../../test/booking-states.js';
import { paidCents, sumOf } from '../../money/balance.rules.js';
import { refundableCents, reserveRefund } from '../../money/refund.rules.js';
import { hasRequests } from './consequences.rules.js';

describe('a booking that follows its sessions', () => {
  it('costs less after a cancellation; the excess is refunded, newest payment first', () => {
    const paid = paidIn(bookingOf([5_000, 5_000]), 4_000, 6_000);
    const after = followed(paid, 'ses_0', cancelled());
    expect(summary(after)).toEqual({
      status: 'confirmed',
      payment: 'partially_refunded',
      amount: 5_000,
      paid: 5_000,
      due: 0,
    });
    expect(after.refunds).toMatchObject([
      { paymentId: paid.payments[1]!.id, amountCents: 5_000, kind: 'automatic', state: 'requested' },
    ]);
    const all = followed(after, 'ses_1', cancelled(2_500));
    expect(summary(all)).toMatchObject({
      status: 'cancelled',
      payment: 'partially_refunded',
      amount: 2_500,
      paid: 2_500,
    });
    expect(all.refunds?.slice(1)).toMatchObject([
      { paymentId: paid.payments[1]!.id, amountCents: 1_000 },
      { paymentId: paid.payments[0]!.id, amountCents: 1_500 },
    ]);
    expect(all.requestsAt).toEqual(SOON);
  });

  it('refunds an excess of a shorter session, and requires the shortfall of a longer one', () => {
    const paid = paidIn(bookingOf([5_000]), 5_000);
    const shorter = followed(paid, 'ses_0', { duration_minutes: 30, price_cents: 2_500 });
    expect(summary(shorter)).toMatchObject({ amount: 2_500, paid: 2_500, due: 0, payment: 'partially_refunded' });
    const longer = followed(shorter, 'ses_0', { duration_minutes: 90, price_cents: 7_500 });
    expect(summary(longer)).toMatchObject({ amount: 7_500, paid: 2_500, due: 5_000, payment: 'partially_paid' });
  });

  it('is completed once the sessions that were not cancelled are', () => {
    const one = followed(bookingOf([5_000, 5_000, 0]), 'ses_0', { status: 'completed' });
    const two = followed(one, 'ses_1', cancelled());
    expect([one.status, two.status]).toEqual(['confirmed', 'confirmed']);
    expect(summary(followed(two, 'ses_2', { status: 'completed' }))).toMatchObject({ status: 'completed', due: 5_000 });
  });

  it('owes the fee of a missed session, whether or not anything was paid', () => {
    const missed = { attendance: 'no_show' } as const;
    const whole = finalized(followed(paidIn(bookingOf([5_000, 5_000]), 10_000), 'ses_1', missed, 50));
    expect(summary(whole)).toMatchObject({ amount: 7_500, paid: 7_500, due: 0 });
    expect(sumOf(whole, 'fee')).toBe(2_500);
    const part = followed(paidIn(bookingOf([5_000, 5_000]), 6_000), 'ses_1', missed);
    expect(summary(part)).toMatchObject({ amount: 10_000, paid: 6_000, due: 4_000 });
    const none = followed(bookingOf([5_000]), 'ses_0', missed, 50);
    expect(summary(none)).toMatchObject({ amount: 2_500, due: 2_500, payment: 'unpaid' });
    const corrected = followed(part, 'ses_1', { attendance: 'attended' });
    expect(summary(corrected)).toMatchObject({ amount: 10_000, due: 4_000 });
    expect(sumOf(corrected, 'fee')).toBe(0);
  });

  it('owes the fees of a late cancellation, and can be paid as long as they are due', () => {
    const unpaid = followed(bookingOf([5_000]), 'ses_0', cancelled(2_500));
    expect(summary(unpaid)).toMatchObject({ status: 'cancelled', amount: 2_500, due: 2_500, payment: 'unpaid' });
    const part = followed(paidIn(bookingOf([5_000]), 1_000), 'ses_0', cancelled(2_500));
    expect(summary(part)).toMatchObject({ status: 'cancelled', paid: 1_000, due: 1_500, payment: 'partially_paid' });
    const paid = paidIn(bookingOf([5_000]), 1_000);
    const back = refundSettled(refund(paid, 'rfd_a', paid.payments[0]!.id, null), 'rfd_a', 'succeeded');
    expect(summary(followed(back, 'ses_0', cancelled(2_500)))).toMatchObject({ due: 1_500, payment: 'unpaid' });
  });

  it('refunds nothing because of an attendance that may still be corrected', () => {
    const missed = followed(paidIn(bookingOf([5_000]), 5_000), 'ses_0', { attendance: 'no_show' }, 40);
    expect([summary(missed), missed.requestsAt, hasRequests(missed)]).toMatchObject([
      { amount: 2_000, paid: 5_000, due: 0 },
      SOON,
      true,
    ]);
    const corrected = followed(missed, 'ses_0', { attendance: 'attended' });
    expect([summary(corrected), corrected.requestsAt]).toMatchObject([{ amount: 5_000, paid: 5_000 }, null]);
    const final = finalized(missed);
    expect(summary(final)).toMatchObject({ amount: 2_000, paid: 2_000, payment: 'partially_refunded' });
    expect(finalized(final)).toBe(final);
  });

  it('names in a cancelled session the refund that it caused, for scheduling to record', () => {
    const paid = paidIn(bookingOf([5_000, 5_000]), 10_000);
    const after = followed(paid, 'ses_0', cancelled(1_000));
    const refundId = after.refunds![0]!.id;
    expect(after.sessions).toMatchObject([{ refundId, report: 'requested' }, {}]);
    expect(after.sessions[1]).not.toHaveProperty('refundId');
    const unpaid = followed(bookingOf([5_000]), 'ses_0', cancelled());
    expect(unpaid.sessions[0]).not.toHaveProperty('report');
  });

  it('ignores a state that is as old as the stored one or older', () => {
    const now = followed(bookingOf([5_000]), 'ses_0', cancelled());
    expect(followed(now, 'ses_0', { status: 'scheduled', version: 2 })).toBe(now);
    expect(followed(now, 'ses_0', { status: 'scheduled', version: 1 })).toBe(now);
  });
});

describe('a pending booking', () => {
  it('is confirmed by its last cent only, which ends its term', () => {
    const part = paidIn(bookingOf([5_000], 'pending'), 4_999);
    expect([part.status, part.expiresAt, part.nextAt]).toEqual(['pending', SOON, SOON]);
    const whole = paidIn(part, 1);
    expect([whole.status, whole.expiresAt, whole.nextAt]).toEqual(['confirmed', null, null]);
  });

  it('is confirmed when the rest becomes free', () => {
    const part = paidIn(bookingOf([2_500, 5_000], 'pending'), 2_500);
    expect(followed(part, 'ses_1', cancelled()).status).toBe('confirmed');
  });

  it('is not confirmed by a missed lesson that is not paid in full', () => {
    const missed = { attendance: 'no_show' } as const;
    const none = followed(bookingOf([5_000], 'pending'), 'ses_0', missed);
    expect(summary(none)).toMatchObject({ status: 'pending', payment: 'unpaid', amount: 0, due: 0 });
    const rest = followed(followed(bookingOf([5_000, 5_000], 'pending'), 'ses_0', missed), 'ses_1', cancelled());
    expect(summary(rest)).toMatchObject({ status: 'pending', payment: 'unpaid' });
    const part = followed(paidIn(bookingOf([5_000], 'pending'), 1_000), 'ses_0', missed);
    expect(summary(part)).toMatchObject({ status: 'pending', amount: 0, paid: 1_000, due: 0 });
    const given = followed(none, 'ses_0', { status: 'completed', attendance: 'no_show' });
    expect(summary(given)).toMatchObject({ status: 'completed', payment: 'unpaid' });
  });

  it('with a missed lesson is confirmed once its other lessons are paid', () => {
    const missed = followed(bookingOf([5_000, 5_000], 'pending'), 'ses_0', { attendance: 'no_show' });
    expect(summary(missed)).toMatchObject({ status: 'pending', due: 5_000 });
    expect(summary(paidIn(missed, 5_000))).toMatchObject({ status: 'confirmed', payment: 'paid' });
  });

  it('is confirmed when all lessons that take place cost nothing', () => {
    const free = followed(bookingOf([5_000, 0], 'pending'), 'ses_0', cancelled());
    expect(summary(free)).toMatchObject({ status: 'confirmed', payment: 'paid', amount: 0 });
  });

  it('is completed once its lessons are over, paid or not, which ends its term', () => {
    const given = followed(paidIn(bookingOf([5_000], 'pending'), 2_000), 'ses_0', { status: 'completed' });
    expect(summary(given)).toMatchObject({ status: 'completed', payment: 'partially_paid', due: 3_000 });
    expect([given.expiresAt, given.nextAt]).toEqual([null, null]);
  });

  it('whose term has ended gets another once a lesson of it is to come', () => {
    const past = { date: '2027-03-01T09:30:00.000Z' };
    const begun = followed(bookingOf([5_000], 'pending'), 'ses_0', past);
    const ended = apply(begun, { expiresAt: null, nextAt: null });
    expect([ended.status, ended.expiresAt, ended.nextAt]).toEqual(['pending', null, null]);
    const moved = followed(ended, 'ses_0', { date: '2027-03-01T10:00:00.001Z' });
    expect([moved.status, moved.expiresAt, moved.nextAt]).toEqual(['pending', PAY_UNTIL, PAY_UNTIL]);
  });

  it('is cancelled with its last session, and its money goes back', () => {
    const part = followed(paidIn(bookingOf([5_000], 'pending'), 2_000), 'ses_0', cancelled());
    expect(summary(part)).toMatchObject({ status: 'cancelled', payment: 'refunded', paid: 0, amount: 0 });
    expect([part.expiresAt, part.nextAt]).toEqual([null, null]);
  });
});

describe('money of a booking that has ended', () => {
  it('is to be voided while it is only authorized, and refunded when it is charged all the same', () => {
    const held = settled(pay(bookingOf([5_000]), 'pay_1', 5_000), 'pay_1', 'authorized');
    expect(summary(held)).toMatchObject({ payment: 'authorized', paid: 0, due: 5_000 });
    const ended = followed(held, 'ses_0', cancelled());
    expect(ended.payments).toMatchObject([{ state: 'authorized', voiding: 'requested' }]);
    const voided = settled(ended, 'pay_1', 'failed');
    expect([voided.requestsAt, hasRequests(voided), summary(voided).payment]).toEqual([null, false, 'unpaid']);
    const charged = settled(ended, 'pay_1', 'succeeded');
    expect(summary(charged)).toMatchObject({ payment: 'refunded', paid: 0 });
    expect(charged.refunds).toMatchObject([{ paymentId: 'pay_1', amountCents: 5_000 }]);
  });
});

describe('a refund by the school', () => {
  const paid = paidIn(bookingOf([5_000]), 5_000);
  const payment = paid.payments[0]!.id;

  it('waives as much, so that nothing becomes due', () => {
    const back = refundSettled(refund(paid, 'rfd_a', payment, 2_000), 'rfd_a', 'succeeded');
    expect(summary(back)).toMatchObject({ amount: 5_000, paid: 3_000, due: 0, payment: 'partially_refunded' });
    const all = refundSettled(refund(back, 'rfd_b', payment, null), 'rfd_b', 'succeeded');
    expect(summary(all)).toMatchObject({ paid: 0, due: 0, payment: 'refunded' });
  });

  it('of all that was paid makes the booking refunded, also while the rest is still to be paid', () => {
    const part = paidIn(bookingOf([5_000, 5_000]), 4_000);
    const back = refundSettled(refund(part, 'rfd_a', part.payments[0]!.id, null), 'rfd_a', 'succeeded');
    expect(summary(back)).toMatchObject({ amount: 10_000, paid: 0, due: 6_000, payment: 'refunded' });
    expect(summary(paidIn(back, 1_000))).toMatchObject({ paid: 1_000, due: 5_000, payment: 'partially_paid' });
  });

  it('is limited to the rest of the payment, reserved refunds included', () => {
    const now = refund(paid, 'rfd_a', payment, 4_000);
    expect(reserveRefund(now, { refundId: 'rfd_b', paymentId: payment, amountCents: 1_001 })).toEqual({
      reason: 'amount_exceeds_refundable',
      field: 'amount_cents',
      message: expect.stringMatching(/at most 1000, .*; you sent 1001\.$/),
      details: { refundable_cents: 1_000, maximum: 1_000 },
    });
    const released = refundSettled(now, 'rfd_a', 'failed');
    expect(refundableCents(released, released.payments[0]!)).toBe(5_000);
    expect(summary(released)).toEqual(summary(paid));
  });

  it('that fails before its reservation arrives reserves nothing', () => {
    const withdrawn = refundSettled(paid, 'rfd_late', 'failed');
    const late = reserveRefund(withdrawn, { refundId: 'rfd_late', paymentId: payment, amountCents: 1 });
    expect(late).toEqual({ reason: 'invalid_state' });
  });

  it('of an amount that the currency does not have is rejected', () => {
    const dinars = { ...paidIn(bookingOf([5_000]), 5_000), currency: 'KWD' };
    const request = { refundId: 'rfd_a', paymentId: 'pay_0', amountCents: 1_001 };
    expect(reserveRefund(dinars, request)).toMatchObject({ reason: 'not_representable', field: 'amount_cents' });
  });

  it('is rejected for a payment that was not charged, or is unknown', () => {
    const held = settled(pay(bookingOf([5_000]), 'pay_1', 5_000), 'pay_1', 'authorized');
    const request = { refundId: 'rfd_a', paymentId: 'pay_1', amountCents: null };
    expect(reserveRefund(held, request)).toEqual({ reason: 'invalid_state' });
    expect(reserveRefund(bookingOf([1]), request)).toEqual({ reason: 'not_found', field: 'paymentId' });
  });
});

describe('a disputed payment', () => {
  it('gets no automatic refund until the dispute is won', () => {
    const ended = followed(disputed(paidIn(bookingOf([5_000]), 5_000), 'open'), 'ses_0', cancelled());
    expect([ended.refunds ?? [], paidCents(ended)]).toEqual([[], 5_000]);
    expect(disputed(ended, 'won').refunds).toMatchObject([{ amountCents: 5_000 }]);
    const lost = disputed(ended, 'lost');
    expect([lost.refunds ?? [], paidCents(lost), sumOf(lost, 'dispute_lost')]).toEqual([[], 0, 5_000]);
    expect(disputed(lost, 'won').refunds).toMatchObject([{ amountCents: 5_000 }]);
  });

  it('gets no refund by the school until the dispute is won', () => {
    const request = { refundId: 'rfd_a', paymentId: 'pay_0', amountCents: null };
    const open = disputed(paidIn(bookingOf([5_000]), 5_000), 'open');
    for (const now of [open, disputed(open, 'lost')])
      expect(reserveRefund(now, request)).toEqual({ reason: 'payment_disputed' });
    expect(reserveRefund(disputed(open, 'won'), request)).toMatchObject({ isNew: true });
  });
});

describe('a pending booking whose time to pay has ended while a payment was in progress', () => {
  const ENDED = new Date(SOON.getTime() - 1);
  const LEASE = new Date(SOON.getTime() + 12_000);
  const paying = { ...pay(bookingOf([5_000], 'pending'), 'pay_a', 5_000), expiresAt: ENDED, nextAt: LEASE };

  it('is due at once when the payment fails, and confirmed when it succeeds', () => {
    expect(settled(paying, 'pay_a', 'failed')).toMatchObject({ status: 'pending', nextAt: SOON });
    expect(settled(paying, 'pay_a', 'succeeded')).toMatchObject({ status: 'confirmed', nextAt: null });
  });
});
