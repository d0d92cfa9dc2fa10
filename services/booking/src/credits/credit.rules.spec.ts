import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { released, reserved, settled, statusOf } from './credit.rules.js';
import type { CreditDocument } from './credit.schema.js';

type Credit = Pick<CreditDocument, 'issuedCents' | 'spends' | 'leftCents' | 'expiresAt'>;

const NOW = new Date('2027-03-01T10:00:00.000Z');
const fresh = (issuedCents = 5_000): Credit => ({
  issuedCents,
  leftCents: issuedCents,
  spends: [],
  expiresAt: new Date(NOW.getTime() + 1),
});
const of = (bookingId: string, requestedCents: number, attempt = 1) => ({ bookingId, requestedCents, attempt });

/** The credit after a reservation, and the reserved amount. */
function reserve(credit: Credit, requested: ReturnType<typeof of>, now = NOW): [Credit, number] {
  const result = reserved(credit, requested, now);
  if (result === 'superseded') return [credit, 0];
  return [{ ...credit, ...result.change }, result.amountCents];
}

describe('a reservation of a credit', () => {
  it('takes what is requested, at most what is left', () => {
    const [first, some] = reserve(fresh(), of('bkg_1', 3_000));
    const [second, rest] = reserve(first, of('bkg_2', 3_000));
    expect([some, rest, second.leftCents, statusOf(second, NOW)]).toEqual([3_000, 2_000, 0, 'spent']);
    expect(reserve(second, of('bkg_3', 1))[1]).toBe(0);
  });

  it('is the same again, and belongs to the latest run of its booking', () => {
    const [credit] = reserve(fresh(), of('bkg_1', 3_000, 2));
    expect(reserved(credit, of('bkg_1', 3_000, 2), NOW)).toEqual({ amountCents: 3_000, change: null });
    expect(reserved(credit, of('bkg_1', 3_000, 1), NOW)).toBe('superseded');
    const [taken] = reserve(credit, of('bkg_1', 3_000, 3));
    expect([taken.leftCents, taken.spends]).toMatchObject([2_000, [{ attempt: 3 }]]);
    expect(released(taken, 'bkg_1', 2)).toBeNull();
    expect(released(taken, 'bkg_1', 3)).toMatchObject({ leftCents: 5_000, spends: [] });
  });

  it('takes nothing of an expired credit, and keeps what was reserved before', () => {
    const late = new Date(NOW.getTime() + 1);
    expect([reserve(fresh(), of('bkg_1', 1), late)[1], statusOf(fresh(), late)]).toEqual([0, 'expired']);
    const [credit] = reserve(fresh(), of('bkg_1', 1_000));
    expect(reserve(credit, of('bkg_1', 1_000, 2), late)[1]).toBe(1_000);
  });
});

describe('a booking that was made', () => {
  it('reports what it uses, in any order; what it gives back can be spent again', () => {
    const [credit] = reserve(fresh(), of('bkg_1', 5_000));
    const some = { ...credit, ...settled(credit, 'bkg_1', 3_000) };
    expect([some.leftCents, some.spends]).toMatchObject([2_000, [{ state: 'spent', amountCents: 3_000 }]]);
    expect(released(some, 'bkg_1', 9)).toBeNull();
    const none = { ...some, ...settled(some, 'bkg_1', 0) };
    expect([none.leftCents, none.spends]).toEqual([5_000, []]);
    expect(settled(none, 'bkg_1', 3_000)).toBeNull();
    expect(settled(some, 'bkg_1', 5_000)).toBeNull();
  });
});

describe('after any history', () => {
  it('what bookings hold of a credit never exceeds what it was given for', () => {
    const bookings = fc.integer({ min: 1, max: 3 }).map((n) => `bkg_${n}`);
    const steps = fc.array(
      fc.tuple(
        fc.constantFrom('reserve', 'settle', 'release'),
        bookings,
        fc.nat(6_000),
        fc.integer({ min: 1, max: 3 }),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, (all) => {
        let credit = fresh();
        for (const [kind, bookingId, cents, attempt] of all) {
          if (kind === 'reserve') [credit] = reserve(credit, of(bookingId, cents, attempt));
          else {
            const change = kind === 'settle' ? settled(credit, bookingId, cents) : released(credit, bookingId, attempt);
            credit = { ...credit, ...change };
          }
          const used = credit.spends.reduce((sum, { amountCents }) => sum + amountCents, 0);
          expect(credit.leftCents).toBe(5_000 - used);
          expect(credit.leftCents).toBeGreaterThanOrEqual(0);
          expect(credit.spends.every(({ amountCents }) => amountCents > 0)).toBe(true);
        }
      }),
    );
  });
});
