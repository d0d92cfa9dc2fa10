import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  apply,
  bookingOf,
  cancelled,
  credited,
  disputed,
  finalized,
  followed,
  pay,
  recorded,
  refund,
  refundSettled,
  settled,
  summary,
} from '../../../test/booking-states.js';
import {
  creditedCents,
  dueCents,
  heldCents,
  type Movement,
  paidCents,
  type Refund,
  reservedCents,
  sumOf,
} from '../../money/balance.rules.js';
import type { Outcome } from '../../money/ledger.rules.js';
import { disputedCents, lostCents, refundableCents, refundsOf, sum } from '../../money/refund.rules.js';
import { toBeFinal, toReturnCents } from '../../money/returns.rules.js';
import { lastingAmountOf, type SessionState } from '../../money/session-billing.rules.js';
import type { BookingState } from './consequences.rules.js';

type Command = (now: BookingState) => BookingState;

const isOnItsWay = ({ kind, state }: Refund) => kind === 'automatic' && (state === 'requested' || state === 'accepted');

/** The processor rejects automatic refunds that have not reached it, newest first, as far as others have left too little of their payment. */
function rejectedBeyond(now: BookingState, paymentId: string): BookingState {
  const payment = now.payments.find(({ id }) => id === paymentId)!;
  const leftCents = (state: BookingState) =>
    payment.amountCents -
    lostCents(state, paymentId) -
    sum(refundsOf(state, paymentId).filter((each) => each.state !== 'reserved'));
  return refundsOf(now, paymentId)
    .filter(isOnItsWay)
    .reduceRight((after, { id }) => (leftCents(after) < 0 ? refundSettled(after, id, 'failed') : after), now);
}

function refundByHand(now: BookingState, id: string, paymentId: string, amountCents: number): BookingState {
  const payment = now.payments.find((each) => each.id === paymentId);
  const others = (now.refunds ?? []).filter((each) => !isOnItsWay(each));
  const cents = payment ? Math.min(amountCents, refundableCents({ ...now, refunds: others }, payment)) : 0;
  if (cents === 0 || now.refunds?.some((each) => each.id === id)) return now;
  return rejectedBeyond(refundSettled(now, id, 'succeeded', { paymentId, amountCents: cents }), paymentId);
}

/** The school's own refund succeeds or fails at the processor. */
function ownRefundSettled(now: BookingState, id: string, outcome: 'succeeded' | 'failed'): BookingState {
  const refund = now.refunds?.find((each) => each.id === id);
  const after = refundSettled(now, id, outcome);
  return refund ? rejectedBeyond(after, refund.paymentId) : after;
}

/** The bank returns a refund that was made by hand. */
function returnByHand(now: BookingState, id: string): BookingState {
  const { paymentId, amountCents } = now.refunds?.find((each) => each.id === id) ?? {};
  return paymentId && amountCents ? refundSettled(now, id, 'failed', { paymentId, amountCents }) : now;
}
const numbered = (prefix: string) => fc.integer({ min: 0, max: 2 }).map((n) => `${prefix}_${n}`);
const cents = fc.integer({ min: 1, max: 9_000 });
const outcomes = fc.constantFrom<Outcome>('authorized', 'succeeded', 'failed');
const ends = fc.constantFrom<'succeeded' | 'failed'>('succeeded', 'failed');
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(numbered('pay'), cents).map(
    ([id, amount]) =>
      (now: BookingState) =>
        pay(now, id, Math.max(Math.min(amount, dueCents(now) - reservedCents(now)), 1)),
  ),
  fc.tuple(numbered('pay'), cents).map(
    ([id, amount]) =>
      (now: BookingState) =>
        recorded(now, id, Math.max(Math.min(amount, dueCents(now) - reservedCents(now)), 1)),
  ),
  fc.constant(finalized),
  fc.tuple(numbered('pay'), outcomes).map(
    ([id, outcome]) =>
      (now: BookingState) =>
        settled(now, id, outcome),
  ),
  fc.tuple(numbered('back'), numbered('pay'), fc.option(cents)).map(
    ([id, payment, amount]) =>
      (now: BookingState) =>
        refund(now, id, payment, amount),
  ),
  fc.tuple(numbered('back'), ends).map(
    ([id, outcome]) =>
      (now: BookingState) =>
        ownRefundSettled(now, id, outcome),
  ),
  fc.tuple(numbered('hand'), numbered('pay'), cents, ends).map(
    ([id, payment, amount, outcome]) =>
      (now: BookingState) =>
        outcome === 'succeeded' ? refundByHand(now, id, payment, amount) : returnByHand(now, id),
  ),
  fc.tuple(numbered('pay'), numbered('dp'), fc.constantFrom('open', 'won', 'lost', 'lost'), cents).map(
    ([paymentId, dispute, state, amountCents]) =>
      (now: BookingState) =>
        disputed(now, state, { paymentId, disputeId: `${paymentId}_${dispute}`, amountCents }),
  ),
  fc.tuple(numbered('ses'), fc.integer({ min: 0, max: 6 }), cents).map(([id, kind, price]) => (now: BookingState) => {
    const known = now.sessions.find((session) => session.id === id);
    if (!known || known.status === 'cancelled' || known.isFinal) return now;
    const attendance: Partial<SessionState>[] = [
      { attendance: known.attendance === 'no_show' ? 'attended' : 'no_show' },
      { attendance: known.attendance === 'excused' ? 'attended' : 'excused' },
    ];
    const changes: Partial<SessionState>[] = [
      ...attendance,
      cancelled(),
      cancelled(Math.min(price, Math.max(heldCents(now), 0))),
      cancelled(0, `crd_${id}`),
      { status: 'completed' },
      { price_cents: price },
    ];
    const possible = known.status === 'completed' ? attendance : changes;
    return followed(now, id, possible[kind % possible.length]!, 50);
  }),
);

describe('after any history of payments, refunds and changes of sessions', () => {
  const histories = fc.tuple(
    fc.array(fc.integer({ min: 0, max: 6_000 }), { minLength: 1, maxLength: 4 }),
    fc.constantFrom<BookingState['status']>('confirmed', 'pending'),
    fc.integer({ min: 0, max: 9_000 }),
    fc.array(command, { maxLength: 40, size: 'max' }),
  );
  const check = (holds: (before: BookingState, after: BookingState) => void) =>
    fc.assert(
      fc.property(histories, ([prices, status, credit, commands]) => {
        // A booking that costs nothing is confirmed at once.
        let now = apply(credited(bookingOf(prices, status), credit), {});
        for (const step of commands) {
          const after = step(now);
          holds(now, after);
          now = after;
        }
      }),
      { numRuns: 400 },
    );

  it('refunds never exceed what their payment charged, and nothing paid exceeds what is owed', () => {
    check((_, now) => {
      for (const payment of now.payments) expect(refundableCents(now, payment)).toBeGreaterThanOrEqual(0);
      expect(paidCents(now)).toBeGreaterThanOrEqual(0);
      expect(creditedCents(now)).toBeGreaterThanOrEqual(0);
      const unsettled = (now.refunds ?? []).filter(({ kind, state }) => kind === 'goodwill' && state === 'reserved');
      const onTheirWay = unsettled.reduce((sum, { amountCents }) => sum + amountCents, disputedCents(now));
      const staying = onTheirWay + toReturnCents(now);
      // What is paid for a missed session goes back once its attendance is final.
      expect(heldCents(now)).toBeLessThanOrEqual(lastingAmountOf(now.sessions) + staying);
      const final = finalized(now);
      expect(heldCents(final)).toBeLessThanOrEqual(final.amountCents + onTheirWay + toReturnCents(final));
      if (now.status === 'cancelled') expect(dueCents(now)).toBeLessThanOrEqual(sumOf(now, 'fee'));
      const lost = now.payments.flatMap(({ disputes = [] }) => disputes.filter(({ state }) => state === 'lost'));
      expect(sumOf(now, 'dispute_lost')).toBeLessThanOrEqual(
        lost.reduce((sum, { amountCents }) => sum + amountCents, 0),
      );
    });
  });

  it('what is to be returned is at most what is left of recorded payments, and never of a booking on which something is due', () => {
    check((_, now) => {
      const left = now.payments.filter(({ method }) => method).map((payment) => refundableCents(now, payment));
      expect(toReturnCents(now)).toBeLessThanOrEqual(left.reduce((sum, cents) => sum + cents, 0));
      if (dueCents(now) > 0) expect(toReturnCents(now)).toBe(0);
      for (const { kind, paymentId } of now.refunds ?? [])
        if (kind === 'automatic') expect(now.payments.find(({ id }) => id === paymentId)!.method).toBeUndefined();
    });
  });

  it('what the school returns of it waives nothing', () => {
    check((before, now) => {
      const [was, is] = [toReturnCents(before), toReturnCents(now)];
      const refunded = sumOf(now, 'refund') - sumOf(before, 'refund');
      if (refunded > 0 && before.sessions === now.sessions && was > 0) {
        const waived = sumOf(now, 'waiver') - sumOf(before, 'waiver');
        expect(waived).toBeLessThanOrEqual(Math.max(refunded - was, 0));
        expect(is).toBe(Math.max(was - refunded, 0));
      }
    });
  });

  it('what was charged and credited is held, or went back once: by a refund or dispute, as a new credit, or to the credit', () => {
    check((_, now) => {
      const given = sumOf(now, 'charge') + sumOf(now, 'credit_spent');
      const back = sumOf(now, 'refund') + sumOf(now, 'credit_converted') + sumOf(now, 'credit_returned');
      expect(given - back - sumOf(now, 'dispute_lost')).toBe(heldCents(now));
      const issued = (now.issues ?? []).reduce((sum, issue) => sum + issue.amountCents - (issue.revokedCents ?? 0), 0);
      expect(issued).toBe(sumOf(now, 'credit_converted') + sumOf(now, 'credit_excused'));
    });
  });

  it('a session gives one credit at most, of at most its price, and only once that can no longer change', () => {
    check((before, now) => {
      const issues = now.issues ?? [];
      expect(new Set(issues.map(({ sessionId }) => sessionId)).size).toBe(issues.length);
      for (const { sessionId, amountCents } of issues.slice(before.issues?.length ?? 0)) {
        const session = now.sessions.find(({ id }) => id === sessionId)!;
        expect(session.isFinal === true || session.status === 'cancelled').toBe(true);
        expect(amountCents).toBeGreaterThan(0);
        expect(amountCents).toBeLessThanOrEqual(session.priceCents);
      }
    });
  });

  it('without money it is paid, and confirmed, only where the lessons cost nothing', () => {
    check((before, now) => {
      if (sumOf(now, 'charge') + sumOf(now, 'credit_spent') > 0) return;
      const rest = now.sessions.filter(({ status }) => status !== 'cancelled');
      const costsNothing = (rest.length > 0 ? rest : now.sessions).every(({ priceCents }) => priceCents === 0);
      if (summary(now).payment === 'paid') expect(costsNothing).toBe(true);
      if (before.status === 'pending' && now.status === 'confirmed') expect(costsNothing).toBe(true);
    });
  });

  it('a credit instead of a refund is decided once no attendance has to become final for it', () => {
    check((_, now) => {
      const issued = new Set(now.issues?.map(({ id }) => id));
      const waiting = now.sessions.filter(
        ({ status, creditId, report }) => status === 'cancelled' && creditId && !report && !issued.has(creditId),
      );
      if (waiting.length > 0) expect(toBeFinal(now)).not.toEqual([]);
    });
  });

  it('a refund of a cancelled session is awaited only while an attendance has to become final for it', () => {
    check((_, now) => {
      if (now.sessions.some(({ report }) => report === 'awaited')) expect(toBeFinal(now)).not.toEqual([]);
    });
  });

  it('it is paid in part exactly while a part is held and something is due', () => {
    check((_, now) => {
      expect(summary(now).payment === 'partially_paid').toBe(heldCents(now) > 0 && dueCents(now) > 0);
    });
  });

  it('movements are only appended, and the fees among them are those of the sessions', () => {
    check((before, now) => {
      expect(now.movements?.slice(0, before.movements?.length ?? 0) ?? []).toEqual(before.movements ?? []);
      const fees = now.sessions.reduce((sum, { feeCents = 0 }) => sum + feeCents, 0);
      expect(sumOf({ movements: now.movements as Movement[] }, 'fee')).toBe(now.movements ? fees : 0);
    });
  });

  it('a final status stays, and the version grows with what clients see', () => {
    check((before, now) => {
      if (['cancelled', 'completed', 'expired'].includes(before.status)) expect(now.status).toBe(before.status);
      const changed = JSON.stringify(summary(now)) !== JSON.stringify(summary(before));
      if (changed) expect(now.version).toBeGreaterThan(before.version);
    });
  });

  it('applying a result again changes nothing', () => {
    check((_, now) => {
      const again = apply(now, {});
      expect({ ...again, movements: now.movements }).toEqual(now);
      expect(again.movements ?? []).toEqual(now.movements ?? []);
    });
  });

  it('payments in progress never reserve more than was due', () => {
    check((before, now) => {
      if (reservedCents(now) > reservedCents(before)) expect(reservedCents(now)).toBeLessThanOrEqual(dueCents(before));
    });
  });
});
