import { describe, expect, it } from '@jest/globals';
import {
  apply,
  bookingOf,
  cancelled,
  credited,
  disputed,
  finalized,
  followed,
  paidIn,
  refund,
  refundSettled,
  SOON,
  summary,
} from '../../test/booking-states.js';
import { hasRequests } from '../bookings/storage/consequences.rules.js';
import { creditedCents, sumOf } from './balance.rules.js';
import { refundableCents, reserveRefund } from './refund.rules.js';

const own = 'crd_of_ses_0';

describe('a makeup credit instead of a refund', () => {
  const paid = paidIn(bookingOf([5_000, 5_000]), 10_000);

  it('is what would be refunded, and counts as given back', () => {
    const after = followed(paid, 'ses_0', cancelled(1_000, own));
    expect(summary(after)).toMatchObject({ amount: 6_000, paid: 6_000, due: 0, payment: 'partially_refunded' });
    expect(after.issues).toMatchObject([{ id: own, sessionId: 'ses_0', amountCents: 4_000, state: 'requested' }]);
    expect(after.refunds).toMatchObject([{ id: own, kind: 'credit', amountCents: 4_000, state: 'succeeded' }]);
    expect([sumOf(after, 'credit_converted'), sumOf(after, 'refund'), hasRequests(after)]).toEqual([4_000, 0, true]);
    // Scheduling knows the credit already.
    expect(after.sessions[0]).not.toHaveProperty('report');
  });

  it('cannot be refunded as well', () => {
    const after = followed(paid, 'ses_0', cancelled(0, own));
    expect(refundableCents(after, after.payments[0]!)).toBe(5_000);
    const request = { refundId: 'rfd_a', paymentId: after.payments[0]!.id, amountCents: 5_001 };
    expect(reserveRefund(after, request)).toMatchObject({ reason: 'amount_exceeds_refundable' });
    const all = followed(after, 'ses_1', cancelled());
    expect(summary(all)).toMatchObject({ status: 'cancelled', paid: 0, payment: 'refunded' });
    expect([sumOf(all, 'refund'), sumOf(all, 'credit_converted')]).toEqual([5_000, 5_000]);
  });

  it('pays no other lesson of the booking by itself', () => {
    const after = followed(paid, 'ses_0', cancelled(0, own));
    const longer = followed(after, 'ses_1', { price_cents: 7_500 });
    expect(summary(longer)).toMatchObject({ amount: 7_500, paid: 5_000, due: 2_500 });
  });

  it('is not given when nothing would be refunded; scheduling removes it from the session', () => {
    const after = followed(paidIn(bookingOf([5_000, 5_000]), 5_000), 'ses_0', cancelled(0, own));
    expect(after.issues ?? []).toEqual([]);
    expect(after.sessions[0]).toMatchObject({ report: 'requested' });
    expect(after.sessions[0]).not.toHaveProperty('creditId');
  });

  it('waits until the missed lesson is final that was not paid, and is what would be refunded', () => {
    const missed = followed(bookingOf([3_000, 3_000]), 'ses_0', { attendance: 'no_show' }, 0);
    const waiting = followed(paidIn(missed, 3_000), 'ses_1', cancelled(1_500, own));
    expect([waiting.issues ?? [], waiting.refunds ?? [], hasRequests(waiting)]).toEqual([[], [], true]);
    expect(waiting.sessions[1]).toMatchObject({ creditId: own });
    const given = finalized(waiting);
    expect(given.issues).toMatchObject([{ id: own, sessionId: 'ses_1', amountCents: 1_500 }]);
    expect([summary(given), sumOf(given, 'refund')]).toMatchObject([{ amount: 1_500, paid: 1_500, due: 0 }, 0]);
    expect(given.sessions[1]).not.toHaveProperty('report');
    const corrected = followed(waiting, 'ses_0', { attendance: 'attended' });
    expect(summary(corrected)).toMatchObject({ amount: 4_500, paid: 3_000, due: 1_500 });
    expect(corrected.sessions[1]).toMatchObject({ report: 'requested' });
    expect(corrected.sessions[1]).not.toHaveProperty('creditId');
  });

  it('is not given for a payment in dispute', () => {
    const after = followed(disputed(paid, 'open', { amountCents: 10_000 }), 'ses_0', cancelled(0, own));
    expect([after.issues ?? [], after.refunds ?? []]).toEqual([[], []]);
  });
});

describe('a refund that waits until the attendance of a missed lesson is final', () => {
  const missed = { attendance: 'no_show' } as const;
  const unpaid = followed(bookingOf([5_000, 5_000]), 'ses_0', missed, 0);
  const waiting = followed(paidIn(unpaid, 5_000), 'ses_1', cancelled(1_000));

  it('is named in the lesson whose cancellation caused it, for scheduling to record', () => {
    expect([waiting.refunds ?? [], waiting.requestsAt]).toEqual([[], SOON]);
    expect(waiting.sessions[1]).toMatchObject({ report: 'awaited' });
    const final = finalized(waiting);
    expect(final.refunds).toMatchObject([{ amountCents: 4_000, kind: 'automatic' }]);
    expect(final.sessions[1]).toMatchObject({ refundId: final.refunds![0]!.id, report: 'requested' });
    expect(final.sessions[0]).not.toHaveProperty('refundId');
  });

  it('is not made, nor named, when the lesson was attended after all', () => {
    const corrected = followed(waiting, 'ses_0', { attendance: 'attended' });
    expect([corrected.refunds ?? [], summary(corrected)]).toMatchObject([[], { amount: 6_000, paid: 5_000 }]);
    expect([corrected.requestsAt, hasRequests(corrected)]).toEqual([null, false]);
    expect(corrected.sessions[1]).not.toHaveProperty('report');
    expect(followed(paidIn(corrected, 1_000), 'ses_0', cancelled()).sessions[1]).not.toHaveProperty('refundId');
  });

  it('is another one than the refund of a lesson that is cancelled meanwhile', () => {
    const three = followed(bookingOf([5_000, 5_000, 5_000]), 'ses_0', missed, 0);
    const first = followed(paidIn(three, 10_000), 'ses_1', cancelled());
    const both = followed(first, 'ses_2', cancelled());
    expect(both.sessions).toMatchObject([{}, { report: 'awaited' }, { refundId: both.refunds![0]!.id }]);
    const final = finalized(both);
    expect(final.refunds).toMatchObject([{ amountCents: 5_000 }, { amountCents: 5_000 }]);
    const [before, after] = final.refunds!.map(({ id }) => id);
    expect(final.sessions).toMatchObject([{}, { refundId: after }, { refundId: before }]);
  });

  it('is not awaited by a lesson whose cancellation gives nothing back', () => {
    const other = followed(
      paidIn(followed(bookingOf([5_000, 5_000, 0]), 'ses_0', missed, 0), 5_000),
      'ses_1',
      cancelled(),
    );
    expect(followed(other, 'ses_2', cancelled()).sessions[2]).not.toHaveProperty('report');
  });
});

describe('a booking that a makeup credit pays', () => {
  it('is paid when the credit covers it, and cancelled gives the credit back', () => {
    const whole = apply(credited(bookingOf([5_000]), 8_000), {});
    expect(summary(whole)).toMatchObject({ payment: 'paid', paid: 0, due: 0 });
    const ended = followed(whole, 'ses_0', cancelled());
    expect(summary(ended)).toMatchObject({ status: 'cancelled', payment: 'refunded', due: 0 });
    expect([creditedCents(ended), sumOf(ended, 'credit_returned'), hasRequests(ended)]).toEqual([0, 5_000, true]);
  });

  it('gives back to the payment method first, and the rest to the credit', () => {
    const mixed = paidIn(credited(bookingOf([5_000, 5_000]), 6_000), 4_000);
    expect(summary(mixed)).toMatchObject({ payment: 'paid', paid: 4_000, due: 0 });
    const one = followed(mixed, 'ses_0', cancelled());
    expect([summary(one).paid, creditedCents(one), summary(one).due]).toEqual([0, 5_000, 0]);
    expect([sumOf(one, 'refund'), sumOf(one, 'credit_returned')]).toEqual([4_000, 1_000]);
  });

  it('converts only what was paid by a payment method', () => {
    const mixed = paidIn(credited(bookingOf([5_000]), 2_000), 3_000);
    const ended = followed(mixed, 'ses_0', cancelled(0, own));
    expect([sumOf(ended, 'credit_converted'), sumOf(ended, 'credit_returned')]).toEqual([3_000, 2_000]);
  });

  it('keeps the fee of a missed lesson from the credit', () => {
    const whole = apply(credited(bookingOf([5_000]), 5_000), {});
    const missed = finalized(followed(whole, 'ses_0', { attendance: 'no_show' }, 40));
    expect([summary(missed).amount, creditedCents(missed), sumOf(missed, 'fee')]).toEqual([2_000, 2_000, 2_000]);
  });

  it('waits for the rest of a prepayment', () => {
    const part = apply(credited(bookingOf([5_000], 'pending'), 2_000), {});
    expect(summary(part)).toMatchObject({ status: 'pending', payment: 'partially_paid', due: 3_000 });
    expect(summary(paidIn(part, 3_000))).toMatchObject({ status: 'confirmed', payment: 'paid' });
  });
});

describe('an excused lesson', () => {
  const excused = { attendance: 'excused' } as const;

  it('gives its price as a credit when it is paid in full, once its attendance is final', () => {
    const chosen = followed(paidIn(bookingOf([5_000]), 5_000), 'ses_0', excused);
    expect([chosen.issues ?? [], hasRequests(chosen)]).toEqual([[], true]);
    const given = finalized(chosen);
    expect(given.issues).toMatchObject([{ sessionId: 'ses_0', amountCents: 5_000 }]);
    expect(summary(given)).toMatchObject({ amount: 5_000, paid: 5_000, due: 0, payment: 'paid' });
    const completed = followed(given, 'ses_0', { status: 'completed', attendance: 'excused' });
    expect(completed.issues).toHaveLength(1);
    expect(sumOf(completed, 'credit_excused')).toBe(5_000);
  });

  it('gives it when it is paid later', () => {
    const unpaid = followed(bookingOf([5_000, 5_000]), 'ses_0', excused);
    expect(hasRequests(unpaid)).toBe(false);
    const part = paidIn(unpaid, 4_999);
    expect(finalized(part)).toBe(part);
    expect(finalized(paidIn(part, 1)).issues).toMatchObject([{ amountCents: 5_000 }]);
  });

  it('gives what is paid of its price after the school has waived a part of it', () => {
    const paid = paidIn(bookingOf([5_000, 5_000]), 10_000);
    const back = refundSettled(refund(paid, 'rfd_a', paid.payments[0]!.id, 1_000), 'rfd_a', 'succeeded');
    const both = followed(followed(back, 'ses_0', excused), 'ses_1', excused);
    expect(finalized(both).issues).toMatchObject([
      { sessionId: 'ses_0', amountCents: 5_000 },
      { sessionId: 'ses_1', amountCents: 4_000 },
    ]);
  });

  it('gives none where the policy forbids it, for a price of 0, and after the money went back', () => {
    const terms = { hourlyRateCents: 5_000, freeCancellationHours: 24, lateFeePercent: 50, noShowFeePercent: 100 };
    const without = { ...paidIn(bookingOf([5_000]), 5_000), terms: { ...terms, makeupCredits: false } };
    for (const now of [without, bookingOf([0])]) {
      const after = followed(now, 'ses_0', excused);
      expect(finalized(after)).toBe(after);
    }
    const paid = paidIn(bookingOf([5_000]), 5_000);
    const back = refundSettled(refund(paid, 'rfd_a', paid.payments[0]!.id, null), 'rfd_a', 'succeeded');
    const after = followed(back, 'ses_0', excused);
    expect(finalized(after)).toBe(after);
  });
});
