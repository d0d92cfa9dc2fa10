import { describe, expect, it } from '@jest/globals';
import {
  apply,
  bookingOf,
  cancelled,
  disputed,
  finalized,
  followed,
  paidIn,
  refundSettled,
  summary,
} from '../../test/booking-states.js';
import { type BookingState, hasRequests } from '../bookings/storage/consequences.rules.js';
import { sumOf } from './balance.rules.js';
import { withDispute } from './dispute.rules.js';
import { allocatableCents, refundableCents, reserveRefund } from './refund.rules.js';

const SECOND = { disputeId: 'dp_2' };
const of = (amountCents: number) => ({ amountCents });

const paid = paidIn(bookingOf([5_000]), 5_000);
const disputesIn = ({ payments }: BookingState) => payments[0]!.disputes?.map(({ id, state }) => `${id} ${state}`);

describe('a disputed payment', () => {
  it('is left out of what can be given back until the dispute is won', () => {
    const two = paidIn(bookingOf([5_000, 5_000]), 4_000, 6_000);
    expect(allocatableCents(two)).toBe(10_000);
    const open = disputed(two, 'open', of(4_000));
    expect(allocatableCents(open)).toBe(6_000);
    expect(allocatableCents(disputed(open, 'won', of(4_000)))).toBe(10_000);
    expect(allocatableCents(disputed(open, 'lost', of(4_000)))).toBe(6_000);
  });
});

describe('a dispute whose decision changes', () => {
  const losses = (now: BookingState) =>
    (now.movements ?? []).flatMap(({ kind, amountCents }) => (kind === 'dispute_lost' ? [amountCents] : []));

  it('is followed from lost to won and back, each with a movement; what it took is due as long as it is lost', () => {
    const lost = disputed(disputed(paid, 'open'), 'lost');
    expect([losses(lost), summary(lost)]).toEqual([
      [5_000],
      { ...summary(paid), payment: 'unpaid', paid: 0, due: 5_000 },
    ]);
    const won = disputed(lost, 'won');
    expect([losses(won), summary(won)]).toEqual([[5_000, -5_000], summary(paid)]);
    const again = disputed(won, 'lost');
    expect([losses(again), summary(again)]).toEqual([[5_000, -5_000, 5_000], summary(lost)]);
  });

  it('is not changed by a late report of an earlier decision', () => {
    const won = disputed(disputed(paid, 'lost'), 'won');
    for (const state of ['open', 'lost', 'won'] as const) {
      const late = { paymentId: 'pay_0', disputeId: 'dp_1', revision: 1, state, amountCents: 5_000 };
      expect(withDispute(won, late)).toBeNull();
    }
  });

  it('refunds by itself what was paid twice, once it is won', () => {
    const lost = disputed(paid, 'lost');
    const won = disputed(paidIn(lost, 5_000), 'won');
    expect([summary(won).paid, won.refunds]).toMatchObject([5_000, [{ kind: 'automatic', amountCents: 5_000 }]]);
  });

  it('returns the makeup credits that it had revoked', () => {
    const converted = followed(paid, 'ses_0', cancelled(0, 'crd_1'));
    const won = disputed(disputed(converted, 'lost'), 'won');
    expect(won.issues).toMatchObject([{ revokedCents: 0, revision: 2, state: 'requested' }]);
    expect([sumOf(won, 'credit_converted'), sumOf(won, 'dispute_lost')]).toEqual([5_000, 0]);
    const excused = finalized(followed(paid, 'ses_0', { attendance: 'excused' }));
    const back = disputed(disputed(excused, 'lost'), 'won');
    expect([back.issues, sumOf(back, 'credit_excused')]).toMatchObject([[{ revokedCents: 0, revision: 2 }], 5_000]);
  });
});

describe('a refund that was made by hand at the processor', () => {
  const made = (amountCents: number, paymentId = 'pay_0') => ({ paymentId, amountCents });

  it('counts like one by the school: nothing becomes due again', () => {
    const back = refundSettled(paid, 'rfd_hand', 'succeeded', made(2_000));
    expect(summary(back)).toMatchObject({ payment: 'partially_refunded', paid: 3_000, due: 0 });
    expect(refundSettled(back, 'rfd_hand', 'succeeded', made(2_000))).toBe(back);
    expect(refundableCents(back, back.payments[0]!)).toBe(3_000);
  });

  it('counts no more once the bank has returned it', () => {
    const returned = refundSettled(
      refundSettled(paid, 'rfd_hand', 'succeeded', made(2_000)),
      ...(['rfd_hand', 'failed', made(2_000)] as const),
    );
    expect(summary(returned)).toEqual(summary(paid));
    expect(refundSettled(returned, 'rfd_hand', 'succeeded', made(2_000))).toBe(returned);
  });

  it('replaces an automatic refund for which it leaves too little: the school waives nothing by it', () => {
    const two = followed(paidIn(bookingOf([5_000, 4_000]), 9_000), 'ses_0', cancelled());
    expect(two.refunds).toMatchObject([{ kind: 'automatic', amountCents: 5_000 }]);
    const both = refundSettled(two, 'rfd_hand', 'succeeded', made(5_000));
    const settled = refundSettled(both, two.refunds![0]!.id, 'failed');
    expect(summary(settled)).toMatchObject({ amount: 4_000, paid: 4_000, due: 0 });
    expect([settled.refunds!.length, sumOf(settled, 'waiver')]).toEqual([2, 0]);
  });

  it('leaves the rest of the payment to an automatic refund of the rest', () => {
    const both = refundSettled(followed(paid, 'ses_0', cancelled()), 'rfd_hand', 'succeeded', made(2_000));
    const settled = refundSettled(both, both.refunds![0]!.id, 'failed');
    expect(settled.refunds!.at(-1)).toMatchObject({ kind: 'automatic', state: 'requested', amountCents: 3_000 });
    expect(summary(settled)).toMatchObject({ paid: 0, due: 0, payment: 'refunded' });
  });

  it('takes from a lost dispute what it gives back', () => {
    const both = refundSettled(disputed(paid, 'lost'), 'rfd_hand', 'succeeded', made(5_000));
    expect([sumOf(both, 'dispute_lost'), sumOf(both, 'refund'), summary(both).due]).toEqual([0, 5_000, 5_000]);
  });
});

describe('a second dispute of a payment', () => {
  it('is recorded beside the first, and takes the money when it is lost', () => {
    const reopened = disputed(disputed(disputed(paid, 'open'), 'won'), 'open', SECOND);
    expect(disputesIn(reopened)).toEqual(['dp_1 won', 'dp_2 open']);
    const cancelledMeanwhile = followed(reopened, 'ses_0', cancelled());
    expect(cancelledMeanwhile.refunds ?? []).toEqual([]);
    expect(summary(disputed(reopened, 'lost', SECOND))).toMatchObject({ paid: 0, due: 5_000 });
  });

  it('takes only what the first has left', () => {
    const second = disputed(disputed(paid, 'lost', of(3_000)), 'lost', { ...SECOND, ...of(3_000) });
    expect([sumOf(second, 'dispute_lost'), summary(second).paid]).toEqual([5_000, 0]);
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
    const lost = disputed(given, 'lost');
    expect(lost.issues).toMatchObject([{ id: 'crd_1', amountCents: 5_000, revokedCents: 5_000, state: 'requested' }]);
    expect(hasRequests(lost)).toBe(true);
    expect([sumOf(lost, 'dispute_lost'), sumOf(lost, 'credit_converted')]).toEqual([5_000, 0]);
    expect(summary(lost)).toMatchObject({ status: 'cancelled', payment: 'refunded', paid: 0, due: 0 });
    expect(refundableCents(lost, lost.payments[0]!)).toBe(0);
  });

  it('revokes only what exceeds the money that is left of the payment', () => {
    const two = followed(paidIn(bookingOf([5_000, 5_000]), 10_000), 'ses_0', cancelled(0, 'crd_1'));
    const lost = disputed(two, 'lost', of(7_000));
    expect(lost.issues).toMatchObject([{ revokedCents: 2_000 }]);
    expect([sumOf(lost, 'dispute_lost'), sumOf(lost, 'credit_converted')]).toEqual([7_000, 3_000]);
    expect(summary(lost)).toMatchObject({ paid: 0, due: 5_000 });
  });

  it('revokes nothing of a credit that was given for another payment', () => {
    const two = paidIn(bookingOf([5_000, 5_000]), 5_000, 5_000);
    // The newest payment gives back first.
    const other = followed(two, 'ses_0', cancelled(0, 'crd_1'));
    expect(other.refunds).toMatchObject([{ kind: 'credit', paymentId: two.payments[1]!.id }]);
    expect(disputed(other, 'lost').issues).toEqual(other.issues);
  });
});

describe('a dispute that is lost after excused lessons gave makeup credits', () => {
  const excused = (now: BookingState, id: string) => finalized(followed(now, id, { attendance: 'excused' }));
  const given = excused(excused(paidIn(bookingOf([5_000, 5_000]), 4_000, 6_000), 'ses_0'), 'ses_1');
  const revoked = ({ issues = [] }: BookingState) => issues.map(({ revokedCents = 0 }) => revokedCents);

  it('revokes what the money that is left no longer pays, of the latest lessons first', () => {
    expect(given.issues).toMatchObject([{ amountCents: 5_000 }, { amountCents: 5_000 }]);
    const lost = disputed(given, 'lost', of(4_000));
    expect([revoked(lost), sumOf(lost, 'credit_excused')]).toEqual([[0, 4_000], 6_000]);
    expect(hasRequests(lost)).toBe(true);
  });

  it('revokes nothing while the dispute is open, and nothing once it is won', () => {
    const open = disputed(given, 'open', of(4_000));
    expect([revoked(open), revoked(disputed(open, 'won', of(4_000)))]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});

describe('a refund that was not executed before the dispute of its payment was lost', () => {
  const two = paidIn(bookingOf([2_000, 3_000]), 5_000);
  const waiting = disputed(followed(two, 'ses_0', cancelled()), 'open');
  const [refund] = waiting.refunds!;

  it('fails, and leaves its amount to the dispute', () => {
    const lost = disputed(waiting, 'lost');
    expect([sumOf(lost, 'refund'), sumOf(lost, 'dispute_lost')]).toEqual([2_000, 3_000]);
    const failed = refundSettled(lost, refund!.id, 'failed');
    expect([sumOf(failed, 'refund'), sumOf(failed, 'dispute_lost')]).toEqual([0, 5_000]);
    expect(summary(failed)).toMatchObject({ amount: 3_000, paid: 0, due: 3_000 });
    expect(failed.refunds).toMatchObject([{ state: 'failed' }]);
    expect(refundSettled(failed, refund!.id, 'failed')).toBe(failed);
  });

  it('leaves to a dispute of a part only that part; the rest stays paid', () => {
    const failed = refundSettled(disputed(waiting, 'lost', of(4_000)), refund!.id, 'failed');
    expect([sumOf(failed, 'refund'), sumOf(failed, 'dispute_lost')]).toEqual([0, 4_000]);
    expect(refundableCents(failed, failed.payments[0]!)).toBe(1_000);
  });

  it('leaves its amount to the dispute when the school had requested it, too', () => {
    const reserved = reserveRefund(two, { refundId: 'rfd_a', paymentId: 'pay_0', amountCents: 1_000 });
    if (!('refund' in reserved)) throw new Error(reserved.reason);
    const lost = disputed(apply(two, { refunds: [reserved.refund] }), 'lost');
    expect(sumOf(lost, 'dispute_lost')).toBe(4_000);
    const failed = refundSettled(lost, 'rfd_a', 'failed');
    expect([sumOf(failed, 'dispute_lost'), sumOf(failed, 'refund'), sumOf(failed, 'waiver')]).toEqual([5_000, 0, 0]);
  });

  it('is allocated again once the dispute is won', () => {
    const failed = refundSettled(disputed(waiting, 'lost'), refund!.id, 'failed');
    const won = disputed(failed, 'won');
    expect(won.refunds).toMatchObject([{ state: 'failed' }, { state: 'requested', amountCents: 2_000 }]);
    expect(summary(won)).toMatchObject({ amount: 3_000, paid: 3_000, due: 0 });
  });
});
