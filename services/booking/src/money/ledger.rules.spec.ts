import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AT, entry, ledgerOf } from '../../test/booking-states.js';
import { type Ledger, type LedgerEntry, paidCents, paymentStatusOf, reservedCents } from './balance.rules.js';
import { isPaying, type Outcome, reserve, settle, withReservation } from './ledger.rules.js';

/** Applies a reservation as the repository does. */
function reserved(ledger: Ledger, paymentId: string, amountCents: number, takesMoney = true): Ledger {
  const result = reserve(ledger, { paymentId, amountCents, currency: 'USD' }, takesMoney, AT);
  return 'isNew' in result && result.isNew ? { ...ledger, ...withReservation(ledger, result.entry) } : ledger;
}

function settled(ledger: Ledger, paymentId: string, outcome: Outcome): Ledger {
  const payments = settle(ledger, paymentId, outcome);
  return Array.isArray(payments) ? { ...ledger, ...ledgerOf(ledger.amountCents, ...payments) } : ledger;
}

const outcome = fc.constantFrom<Outcome>('authorized', 'succeeded', 'failed');
const step = fc.oneof(
  fc.record({
    kind: fc.constant('reserve' as const),
    id: fc.integer({ min: 1, max: 6 }),
    cents: fc.integer({ min: 1, max: 1_200 }),
  }),
  fc.record({ kind: fc.constant('settle' as const), id: fc.integer({ min: 1, max: 6 }), outcome }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const apply = (ledger: Ledger, each: Step): Ledger =>
  each.kind === 'reserve'
    ? reserved(ledger, `pay_${each.id}`, each.cents)
    : settled(ledger, `pay_${each.id}`, each.outcome);

describe('the ledger of a booking, after any sequence of requests', () => {
  it('never has more paid and reserved than the booking costs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), fc.array(step, { maxLength: 40 }), (amountCents, steps) => {
        let ledger = ledgerOf(amountCents);
        for (const each of steps) {
          ledger = apply(ledger, each);
          expect(paidCents(ledger) + reservedCents(ledger)).toBeLessThanOrEqual(amountCents);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is the same when each request is repeated', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), fc.array(step, { maxLength: 40 }), (amountCents, steps) => {
        const once = steps.reduce(apply, ledgerOf(amountCents));
        const twice = steps.reduce((ledger, each) => apply(apply(ledger, each), each), ledgerOf(amountCents));
        expect(twice).toEqual(once);
      }),
      { numRuns: 500 },
    );
  });

  it('returns the first answer to a repeated reservation, also after the payment was settled', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.array(step, { maxLength: 20 }), (before, after) => {
        const start = before.reduce(apply, ledgerOf(1_000));
        const requested = { paymentId: 'pay_x', amountCents: 10, currency: 'USD' };
        const first = reserve(start, requested, true, AT);
        fc.pre('isNew' in first && first.isNew);
        const later = after.reduce(apply, {
          ...start,
          payments: [...start.payments, (first as { entry: LedgerEntry }).entry],
        });
        const repeated = reserve(settled(later, 'pay_x', 'succeeded'), requested, false, AT) as {
          entry: LedgerEntry;
          isNew: boolean;
        };
        expect(repeated.isNew).toBe(false);
        expect(repeated.entry.dueCents).toBe((first as { entry: LedgerEntry }).entry.dueCents);
      }),
    );
  });

  it('keeps the first final outcome of a payment', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const outcomes = new Map<string, string>();
        let ledger = ledgerOf(1_000);
        for (const each of steps) {
          ledger = apply(ledger, each);
          for (const { id, state } of ledger.payments) {
            if (outcomes.has(id)) expect(state).toBe(outcomes.get(id));
            else if (state !== 'reserved' && state !== 'authorized') outcomes.set(id, state);
          }
        }
      }),
    );
  });
});

describe('a payment withdrawn before its reservation arrives', () => {
  const steps = fc.array(step, { maxLength: 30 });

  it('reserves nothing, however late the reservation arrives and whatever happens in between', () => {
    fc.assert(
      fc.property(steps, steps, fc.integer({ min: 1, max: 1_200 }), (before, between, cents) => {
        const withdrawn = settled(before.reduce(apply, ledgerOf(1_000)), 'pay_late', 'failed');
        const then = between.reduce(apply, withdrawn);
        expect(reserve(then, { paymentId: 'pay_late', amountCents: cents, currency: 'USD' }, true, AT)).toEqual({
          reason: 'invalid_state',
        });
        expect(settle(then, 'pay_late', 'failed')).toBeNull();
        expect(settle(then, 'pay_late', 'succeeded')).toEqual({ reason: 'invalid_state' });
      }),
    );
  });

  it('affects neither what others may pay nor the payment status', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const start = before.reduce(apply, ledgerOf(1_000));
        const known = new Set([...before, ...after].map(({ id }) => `pay_${id}`));
        const seen = (ledger: Ledger) => ledger.payments.filter(({ id }) => known.has(id));
        const [without, withIt] = [start, settled(start, 'pay_late', 'failed')].map((from) =>
          after.reduce(apply, from),
        );
        expect(seen(withIt!)).toEqual(seen(without!));
        expect(isPaying(withIt!)).toBe(isPaying(without!));
      }),
    );
  });

  it('ends the same in either order of reservation and withdrawal, however often they are repeated', () => {
    const message = fc.constantFrom('reserve' as const, 'withdraw' as const);
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 8 }), (messages) => {
        const arrives = (ledger: Ledger, each: 'reserve' | 'withdraw') =>
          each === 'reserve' ? reserved(ledger, 'pay_1', 1_000) : settled(ledger, 'pay_1', 'failed');
        const after = [...messages, 'withdraw' as const].reduce(arrives, ledgerOf(1_000));
        expect(reservedCents(after)).toBe(0);
        expect(isPaying(after)).toBe(false);
        const late = arrives(after, 'reserve');
        expect(reservedCents(late)).toBe(0);
        expect(reservedCents(reserved(late, 'pay_2', 1_000))).toBe(1_000);
      }),
    );
  });

  it('stays stored among the newest 64; payments that are paid or in progress always stay', () => {
    const paid = ledgerOf(1_000, entry('pay_a', 400, 'succeeded'), entry('pay_b', 100, 'reserved'));
    const ids = Array.from({ length: 100 }, (_, index) => `pay_late_${index}`);
    const full = ids.reduce((ledger, id) => settled(ledger, id, 'failed'), paid);
    expect(full.payments).toHaveLength(66);
    expect([paidCents(full), reservedCents(full)]).toEqual([400, 100]);
    expect(full.payments.at(-1)!.id).toBe('pay_late_99');
  });
});

describe('entries of payments that failed or were voided', () => {
  const at = (hours: number) => new Date(Date.parse(AT) - hours * 3_600_000).toISOString();
  const states = fc.constantFrom<LedgerEntry['state']>('reserved', 'authorized', 'succeeded', 'failed', 'voided');
  const entries = fc.array(fc.record({ state: states, hours: fc.integer({ min: 0, max: 72 }) }), { maxLength: 60 });
  const made = fc.tuple(entries, fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }));

  it('shrink to the number of the failed ones with a reservation a day later; all others stay as they are', () => {
    fc.assert(
      fc.property(made, ([all, failedCount]) => {
        const payments = all.map(({ state, hours }, index) => ({ ...entry(`pay_${index}`, 10, state), at: at(hours) }));
        const before = { ...ledgerOf(1_000, ...payments), ...(failedCount ? { failedCount } : {}) };
        const fresh = { ...entry('pay_new', 10, 'reserved'), at: AT };
        const after = { ...before, ...withReservation(before, fresh) };
        const isOver = (index: number) => ['failed', 'voided'].includes(all[index]!.state) && all[index]!.hours >= 24;
        expect(after.payments).toEqual([...payments.filter((_, index) => !isOver(index)), fresh]);
        const failedOf = (ledger: Ledger) =>
          ledger.payments.filter(({ state }) => state === 'failed').length + (ledger.failedCount ?? 0);
        expect(failedOf(after)).toBe(failedOf(before));
        expect(paymentStatusOf({ ...after, payments: after.payments.slice(0, -1) }, false)).toBe(
          paymentStatusOf(before, false),
        );
      }),
    );
  });

  it('are never more than 21 of failed payments, however many fail in a month', () => {
    let ledger = ledgerOf(1_000);
    for (let hour = 0; hour < 30 * 24; hour++) {
      const then = new Date(Date.parse(AT) + hour * 3_600_000).toISOString();
      const tried = reserve(ledger, { paymentId: `pay_${hour}`, amountCents: 10, currency: 'USD' }, true, then);
      if ('isNew' in tried && tried.isNew) ledger = { ...ledger, ...withReservation(ledger, tried.entry) };
      ledger = settled(ledger, `pay_${hour}`, 'failed');
      expect(ledger.payments.filter(({ state }) => state === 'failed').length).toBeLessThanOrEqual(21);
    }
    expect(ledger.failedCount).toBeGreaterThan(500);
  });
});

describe('settling a payment', () => {
  it('without a reservation is rejected', () => {
    expect(settle(ledgerOf(1_000), 'pay_1', 'succeeded')).toEqual({ reason: 'not_found', field: 'paymentId' });
  });

  it('a second time with the same outcome changes nothing', () => {
    expect(settle(ledgerOf(1_000, entry('pay_1', 300, 'failed')), 'pay_1', 'failed')).toBeNull();
  });

  it('as authorized keeps its amount reserved, until it is charged or voided', () => {
    const held = settled(ledgerOf(1_000, entry('pay_1', 300, 'reserved')), 'pay_1', 'authorized');
    expect([reservedCents(held), paidCents(held)]).toEqual([300, 0]);
    expect([reservedCents(settled(held, 'pay_1', 'failed')), isPaying(held)]).toEqual([0, false]);
    const charged = settled(held, 'pay_1', 'succeeded');
    expect([reservedCents(charged), paidCents(charged)]).toEqual([0, 300]);
    for (const state of ['succeeded', 'failed'] as const)
      expect(settle(settled(held, 'pay_1', state), 'pay_1', 'authorized')).toBeNull();
    const voided = settled(held, 'pay_1', 'failed');
    expect(voided.payments).toMatchObject([{ state: 'voided' }]);
    expect(settle(voided, 'pay_1', 'failed')).toBeNull();
    expect(settle(voided, 'pay_1', 'succeeded')).toEqual({ reason: 'invalid_state' });
  });

  it('a second time with another outcome is rejected', () => {
    expect(settle(ledgerOf(1_000, entry('pay_1', 300, 'failed')), 'pay_1', 'succeeded')).toEqual({
      reason: 'invalid_state',
    });
  });
});
