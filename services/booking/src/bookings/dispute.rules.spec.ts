import { describe, expect, it } from '@jest/globals';
import {
  apply,
  bookingOf,
  cancelled,
  finalized,
  followed,
  paidIn,
  refundSettled,
  summary,
} from '../../test/booking-states.js';
import { type LedgerDispute, sumOf } from './balance.rules.js';
import { type BookingState, hasRequests } from './consequences.rules.js';
import { withDispute } from './dispute.rules.js';
import { allocatableCents, refundableCents, settleRefund } from './refund.rules.js';

type State = LedgerDispute['state'];

/** Reports a dispute of the first payment. */
function disputed(now: BookingState, state: State, disputeId: string | undefined, amountCents = 5_000): BookingState {
  const payments = withDispute(now, { paymentId: now.payments[0]!.id, disputeId, state, amountCents });
  if (payments && 'reason' in payments) throw new Error(payments.reason);
  return payments ? apply(now, { payments }) : now;
}

const paid = paidIn(bookingOf([5_000]), 5_000);
const disputesIn = ({ payments }: BookingState) => payments[0]!.disputes?.map(({ id, state }) => `${id} ${state}`);

describe('a disputed payment', () => {
  it('is left out of what can be given back until the dispute is won', () => {
    const two = paidIn(bookingOf([5_000, 5_000]), 4_000, 6_000);
    expect(allocatableCents(two)).toBe(10_000);
    const open = disputed(two, 'open', 'dp_1', 4_000);
    expect(allocatableCents(open)).toBe(6_000);
    expect(allocatableCents(disputed(open, 'won', 'dp_1', 4_000))).toBe(10_000);
    expect(allocatableCents(disputed(open, 'lost', 'dp_1', 4_000))).toBe(6_000);
  });
});

describe('a second dispute of a payment', () => {
  it('is recorded beside the first, and takes the money when it is lost', () => {
    const won = disputed(disputed(paid, 'open', 'dp_1'), 'won', 'dp_1');
    const reopened = disputed(won, 'open', 'dp_2');
    expect(disputesIn(reopened)).toEqual(['dp_1 won', 'dp_2 open']);
    const cancelledMeanwhile = followed(reopened, 'ses_0', cancelled());
    expect(cancelledMeanwhile.refunds ?? []).toEqual([]);
    const lost = disputed(reopened, 'lost', 'dp_2');
    expect(summary(lost)).toMatchObject({ paid: 0, due: 5_000 });
    expect(disputed(lost, 'open', 'dp_2')).toBe(lost);
  });

  it('takes only what the first has left', () => {
    const first = disputed(paid, 'lost', 'dp_1', 3_000);
    const second = disputed(first, 'lost', 'dp_2', 3_000);
    expect([sumOf(second, 'dispute_lost'), summary(second).paid]).toEqual([5_000, 0]);
  });

  it('is distinguished from one that a former release has recorded without its id, unless that is open', () => {
    const former = (dispute: State) =>
      apply(paid, { payments: [{ ...paid.payments[0]!, dispute, disputedCents: 5_000 }] });
    expect(disputesIn(disputed(former('open'), 'won', 'dp_1'))).toEqual(['dp_1 won']);
    expect(disputesIn(disputed(former('won'), 'open', 'dp_2'))).toEqual([' won', 'dp_2 open']);
    const lost = former('lost');
    expect(disputed(lost, 'lost', 'dp_1')).toBe(lost);
  });
});

describe('a dispute that is lost after a makeup credit was given instead of a refund', () => {
  const converted = followed(paid, 'ses_0', cancelled(0, 'crd_1'));

  it('revokes the credit, and takes nothing else', () => {
    expect(converted.issues).toMatchObject([{ id: 'crd_1', amountCents: 5_000 }]);
    const given = {
      ...converted,
      issues: converted.issues!.map((issue) => ({ ...issue, state: 'accepted' as const })),
    };
    const lost = disputed(given, 'lost', 'dp_1');
    expect(lost.issues).toMatchObject([{ id: 'crd_1', amountCents: 5_000, revokedCents: 5_000, state: 'requested' }]);
    expect(hasRequests(lost)).toBe(true);
    expect([sumOf(lost, 'dispute_lost'), sumOf(lost, 'credit_converted')]).toEqual([5_000, 0]);
    expect(summary(lost)).toMatchObject({ status: 'cancelled', payment: 'refunded', paid: 0, due: 0 });
    expect(refundableCents(lost, lost.payments[0]!)).toBe(0);
  });

  it('revokes only what exceeds the money that is left of the payment', () => {
    const two = followed(paidIn(bookingOf([5_000, 5_000]), 10_000), 'ses_0', cancelled(0, 'crd_1'));
    const lost = disputed(two, 'lost', 'dp_1', 7_000);
    expect(lost.issues).toMatchObject([{ revokedCents: 2_000 }]);
    expect([sumOf(lost, 'dispute_lost'), sumOf(lost, 'credit_converted')]).toEqual([7_000, 3_000]);
    expect(summary(lost)).toMatchObject({ paid: 0, due: 5_000 });
  });

  it('revokes nothing of a credit that was given for another payment', () => {
    const two = paidIn(bookingOf([5_000, 5_000]), 5_000, 5_000);
    // The newest payment gives back first.
    const other = followed(two, 'ses_0', cancelled(0, 'crd_1'));
    expect(other.refunds).toMatchObject([{ kind: 'credit', paymentId: two.payments[1]!.id }]);
    expect(disputed(other, 'lost', 'dp_1').issues).toEqual(other.issues);
  });
});

describe('a dispute that is lost after excused lessons gave makeup credits', () => {
  const excused = (now: BookingState, id: string) => finalized(followed(now, id, { attendance: 'excused' }));
  const given = excused(excused(paidIn(bookingOf([5_000, 5_000]), 4_000, 6_000), 'ses_0'), 'ses_1');
  const revoked = ({ issues = [] }: BookingState) => issues.map(({ revokedCents = 0 }) => revokedCents);

  it('revokes what the money that is left no longer pays, of the latest lessons first', () => {
    expect(given.issues).toMatchObject([{ amountCents: 5_000 }, { amountCents: 5_000 }]);
    const lost = disputed(given, 'lost', 'dp_1', 4_000);
    expect([revoked(lost), sumOf(lost, 'credit_excused')]).toEqual([[0, 4_000], 6_000]);
    expect(hasRequests(lost)).toBe(true);
  });

  it('revokes nothing while the dispute is open, and nothing once it is won', () => {
    const open = disputed(given, 'open', 'dp_1', 4_000);
    expect([revoked(open), revoked(disputed(open, 'won', 'dp_1', 4_000))]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});

describe('an automatic refund that was not executed before the dispute of its payment was lost', () => {
  const two = paidIn(bookingOf([2_000, 3_000]), 5_000);
  const waiting = disputed(followed(two, 'ses_0', cancelled()), 'open', 'dp_1');
  const [refund] = waiting.refunds!;

  it('fails, and leaves its amount to the dispute', () => {
    const lost = disputed(waiting, 'lost', 'dp_1');
    expect([sumOf(lost, 'refund'), sumOf(lost, 'dispute_lost')]).toEqual([2_000, 3_000]);
    const failed = refundSettled(lost, refund!.id, 'failed');
    expect([sumOf(failed, 'refund'), sumOf(failed, 'dispute_lost')]).toEqual([0, 5_000]);
    expect(summary(failed)).toMatchObject({ amount: 3_000, paid: 0, due: 3_000 });
    expect(failed.refunds).toMatchObject([{ state: 'failed' }]);
    expect(refundSettled(failed, refund!.id, 'failed')).toBe(failed);
  });

  it('leaves to a dispute of a part only that part; the rest stays paid', () => {
    const failed = refundSettled(disputed(waiting, 'lost', 'dp_1', 4_000), refund!.id, 'failed');
    expect([sumOf(failed, 'refund'), sumOf(failed, 'dispute_lost')]).toEqual([0, 4_000]);
    expect(refundableCents(failed, failed.payments[0]!)).toBe(1_000);
  });

  it('cannot fail while the dispute is open', () => {
    expect(settleRefund(waiting, refund!.id, 'failed')).toMatchObject({ reason: 'invalid_state' });
  });
});
