import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type BookingMoney,
  cancellationOf,
  cancellationTerms,
  closestMove,
  coveredCents,
  feeDueCents,
  movedTerms,
  returnedMoney,
} from './cancellation.rules.js';
import type { SessionDocument } from './session.schema.js';

const START = new Date('2028-03-01T10:00:00.000Z');
const HOUR_MS = 3_600_000;
const policies = {
  freeCancellationHours: 24,
  lateFeePercent: 50,
  noShowFeePercent: 100,
  requirePrepayment: false,
  enforceAvailability: true,
  makeupCredits: true,
  progressVisible: true,
};
const at = (hoursBefore: number) => new Date(START.getTime() - hoursBefore * HOUR_MS);
const by = (now: Date, accountId = 'acct_family') => ({ now, accountId, policies });
const session = (changes: Partial<SessionDocument> = {}) =>
  ({
    _id: 'ses_1',
    accountId: 'acct_family',
    schoolId: 'acct_school',
    bookingId: 'bkg_1',
    start: START,
    status: 'scheduled',
    priceCents: 3_000,
    currency: 'USD',
    cancellation: null,
    terms: { ...policies, hourlyRateCents: 3_000 },
    ...changes,
  }) as SessionDocument;
const cancelled = (feeCents: number, changes: Partial<SessionDocument> = {}) => {
  const cancellation = cancellationOf({ late: true, feeCents }, by(START), {
    reason: null,
    notify: true,
    creditId: null,
  });
  return session({ status: 'cancelled', cancellation, ...changes });
};

const NOTHING: BookingMoney = {
  paidCents: 0,
  creditedCents: 0,
  waivedCents: 0,
  refundableCents: 0,
  missedFees: new Map(),
};

/** A session of a confirmed booking, paid by a payment method with this amount. */
const paying = (paidCents: number) => ({
  owesFees: true,
  returned: (feeCents: number) => ({ refundCents: Math.max(paidCents - feeCents, 0), creditCents: 0 }),
});

describe('a cancellation', () => {
  it('costs a fee that the currency has', () => {
    expect(feeDueCents(session({ priceCents: 4_110 }), by(at(1)))).toBe(2_055);
    expect(feeDueCents(session({ priceCents: 4_110, currency: 'KWD' }), by(at(1)))).toBe(2_060);
  });

  it('is late from the end of the free hours on', () => {
    expect(cancellationTerms(session(), by(at(24)), paying(0))).toMatchObject({ late: false, freeUntil: at(24) });
    expect(cancellationTerms(session(), by(new Date(at(24).getTime() + 1)), paying(0))).toMatchObject({ late: true });
    expect(cancellationTerms(session(), { ...by(at(1)), policies: null }, paying(0))).toMatchObject({
      late: true,
      freeUntil: at(24),
    });
  });

  it('stays free until the same time after several late moves, however far ahead', () => {
    const terms = { ...policies, hourlyRateCents: 3_000 };
    const moved = (now: SessionDocument, hours: number, notice: number) => {
      const closest = closestMove(now, new Date(now.start.getTime() - notice * HOUR_MS));
      return session({ terms, closestMove: closest, start: at(-hours) });
    };
    const freeUntil = (now: SessionDocument) => cancellationTerms(now, by(at(0)), paying(0)).freeUntil;
    const once = moved(session({ terms }), 96, 20);
    expect(freeUntil(once)).toEqual(at(24));
    const twice = moved(once, 216, 1);
    expect(freeUntil(twice)).toEqual(at(24));
    expect(freeUntil(moved(twice, 400, 30))).toEqual(at(24));
    expect(freeUntil(moved(moved(session({ terms }), 96, 30), 216, 1))).toEqual(at(-96 + 24));
  });

  it('is never free until later by a move, once that time has passed', () => {
    const terms = { ...policies, hourlyRateCents: 3_000 };
    const moves = fc.array(
      fc.record({ notice: fc.integer({ min: 0, max: 60 }), ahead: fc.integer({ min: 1, max: 90 }) }),
    );
    fc.assert(
      fc.property(moves, (all) => {
        let [now, time] = [session({ terms }), at(1_000)];
        for (const { notice, ahead } of all) {
          time = new Date(Math.max(time.getTime(), now.start.getTime() - notice * HOUR_MS));
          if (time >= now.start) return;
          const before = cancellationTerms(now, by(time), paying(0));
          const closest = closestMove(now, time);
          now = session({ terms, closestMove: closest, start: new Date(time.getTime() + ahead * HOUR_MS) });
          const after = cancellationTerms(now, by(time), paying(0));
          if (before.late) expect(after.freeUntil.getTime()).toBeLessThanOrEqual(before.freeUntil.getTime());
        }
      }),
    );
  });

  it('is free until the start of what the school has moved, until the family moves it on', () => {
    const given = session({ freeUntilStart: true, closestMove: { start: at(90), at: at(91), earliestLate: at(90) } });
    const freeUntil = (accountId: string) => {
      const terms = movedTerms(given, { startMs: at(-96).getTime(), at: at(1), accountId });
      return cancellationTerms({ ...given, ...terms, start: at(-96) }, by(at(0)), paying(0)).freeUntil;
    };
    expect(cancellationTerms(given, by(at(1)), paying(0))).toMatchObject({ late: false, freeUntil: START });
    expect(freeUntil('acct_school')).toEqual(at(-96));
    expect(freeUntil('acct_family')).toEqual(at(-96 + 24));
  });

  it('stays free until the start where the family changes the place or the length alone', () => {
    const given = session({ freeUntilStart: true });
    const move = { startMs: START.getTime(), at: at(1), accountId: 'acct_family' };
    expect(movedTerms(given, move)).toEqual({});
    expect(movedTerms(given, { ...move, toOtherLesson: true })).toEqual({ freeUntilStart: undefined });
  });

  it('has a fee, a share of the price rounded half up, for a late cancellation of a booked session only', () => {
    expect(feeDueCents(session(), by(at(1)))).toBe(1_500);
    expect(feeDueCents(session({ priceCents: 3_001 }), by(at(1)))).toBe(1_501);
    expect(feeDueCents(session(), by(at(30)))).toBe(0);
    expect(feeDueCents(session({ bookingId: null }), by(at(1)))).toBe(0);
  });

  it('has no fee when the school cancels, whoever owns the member', () => {
    expect(feeDueCents(session(), by(at(1), 'acct_school'))).toBe(0);
    expect(feeDueCents(session({ accountId: 'acct_school' }), by(at(1), 'acct_school'))).toBe(0);
  });

  it('owes the fee whether or not anything was paid, and refunds what is paid beyond it', () => {
    const terms = (paid: number, hours = 1) => cancellationTerms(session(), by(at(hours)), paying(paid));
    expect(terms(3_000)).toMatchObject({ feeCents: 1_500, returned: { refundCents: 1_500 }, makeupCredit: true });
    expect(terms(1_500)).toMatchObject({ feeCents: 1_500, returned: { refundCents: 0 }, makeupCredit: false });
    expect(terms(1_000)).toMatchObject({ feeCents: 1_500, returned: { refundCents: 0 } });
    expect(terms(0)).toMatchObject({ feeCents: 1_500, returned: { refundCents: 0 } });
    expect(terms(3_000, 30)).toMatchObject({ feeCents: 0, returned: { refundCents: 3_000 } });
  });

  it('has no fee while the booking is pending', () => {
    const pending = { ...paying(1_000), owesFees: false };
    const terms = cancellationTerms(session(), by(at(1)), pending);
    expect(terms).toMatchObject({ late: true, feeCents: 0, returned: { refundCents: 1_000 } });
  });
});

describe('what a cancellation gives back', () => {
  const sessions = [session(), session({ _id: 'ses_2', start: at(-24) })];
  const returned = ({ paidCents = 0, ...money }: Partial<BookingMoney>, feeCents = 0) =>
    returnedMoney(sessions, 'ses_1', feeCents, { ...NOTHING, paidCents, refundableCents: paidCents, ...money });

  it('goes to the payment method first, and the rest to the credit', () => {
    expect(returned({ paidCents: 6_000 })).toEqual({ refundCents: 3_000, creditCents: 0 });
    expect(returned({ paidCents: 2_000, creditedCents: 4_000 })).toEqual({ refundCents: 2_000, creditCents: 1_000 });
    expect(returned({ creditedCents: 6_000 }, 500)).toEqual({ refundCents: 0, creditCents: 2_500 });
  });

  it('is nothing while the other sessions are not paid in full, and less by what is waived', () => {
    expect(returned({ paidCents: 1_000, creditedCents: 2_000 })).toEqual({ refundCents: 0, creditCents: 0 });
    expect(returned({ paidCents: 4_000, waivedCents: 2_000 })).toEqual({ refundCents: 3_000, creditCents: 0 });
  });

  it('is at most what can be refunded: nothing of a payment in dispute', () => {
    expect(returned({ paidCents: 6_000, refundableCents: 0 })).toEqual({ refundCents: 0, creditCents: 0 });
    expect(returned({ paidCents: 6_000, refundableCents: 2_000 })).toEqual({ refundCents: 2_000, creditCents: 0 });
    const disputed = { paidCents: 3_000, creditedCents: 3_000, refundableCents: 0 };
    expect(returned(disputed)).toEqual({ refundCents: 0, creditCents: 0 });
    const facts = by(at(30));
    const paid = { owesFees: true, returned: () => returned({ paidCents: 6_000, refundableCents: 0 }) };
    expect(cancellationTerms(session(), facts, paid)).toMatchObject({ makeupCredit: false });
  });

  it('follows from the fee that is kept of a missed session, not from its price', () => {
    const missed = session({ _id: 'ses_2', start: at(24), attendance: 'no_show' });
    const money = { ...NOTHING, paidCents: 3_000, refundableCents: 3_000, missedFees: new Map([['ses_2', 0]]) };
    const all = [session(), missed];
    expect(returnedMoney(all, 'ses_1', 1_500, money)).toEqual({ refundCents: 1_500, creditCents: 0 });
  });

  it('is no makeup credit where the policy forbids it', () => {
    const facts = { ...by(at(30)), policies: { ...policies, makeupCredits: false } };
    expect(cancellationTerms(session(), facts, paying(3_000)).makeupCredit).toBe(false);
  });
});

const NO_FEES = new Map<string, number>();

describe('money paid for a booking', () => {
  const day = (days: number, changes: Partial<SessionDocument> = {}) =>
    session({ _id: `ses_${days}`, start: new Date(START.getTime() + days * 24 * HOUR_MS), ...changes });

  it('covers its sessions in order of date, in whatever order they are given', () => {
    const sessions = [day(3), day(1), day(2)];
    const covered = (paid: number) => [1, 2, 3].map((each) => coveredCents(sessions, `ses_${each}`, paid, NO_FEES));
    expect(covered(9_000)).toEqual([3_000, 3_000, 3_000]);
    expect(covered(4_000)).toEqual([3_000, 1_000, 0]);
    expect(covered(0)).toEqual([0, 0, 0]);
  });

  it('covers a cancelled session up to its fee', () => {
    const sessions = [cancelled(500, { _id: 'ses_0' }), day(1)];
    expect(coveredCents(sessions, 'ses_1', 3_000, NO_FEES)).toBe(2_500);
    expect(coveredCents(sessions, 'ses_0', 3_000, NO_FEES)).toBe(500);
  });

  it('covers a missed session up to the fee that is kept of it', () => {
    const sessions = [day(0, { attendance: 'no_show' }), day(1)];
    const fees = (cents: number) => new Map([['ses_0', cents]]);
    expect(coveredCents(sessions, 'ses_1', 3_000, fees(0))).toBe(3_000);
    expect(coveredCents(sessions, 'ses_1', 3_000, fees(1_000))).toBe(2_000);
    expect(coveredCents(sessions, 'ses_1', 3_000, NO_FEES)).toBe(0);
    const corrected = [day(0, { attendance: 'attended' }), day(1)];
    expect(coveredCents(corrected, 'ses_1', 3_000, fees(0))).toBe(0);
  });

  it('covers nothing of a session of another booking', () => {
    expect(coveredCents([day(1)], 'ses_9', 3_000, NO_FEES)).toBe(0);
  });

  it('covers each cent once, and leaves nothing while a session is not covered', () => {
    const prices = fc.array(fc.record({ priceCents: fc.nat(10_000), days: fc.nat(5) }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(prices, fc.nat(100_000), (all, paid) => {
        const sessions = all.map(({ priceCents, days }, index) => day(days, { _id: `ses_${index}`, priceCents }));
        const covered = sessions.map(({ _id }) => coveredCents(sessions, _id, paid, NO_FEES));
        const due = all.reduce((sum, { priceCents }) => sum + priceCents, 0);
        expect(covered.reduce((sum, each) => sum + each, 0)).toBe(Math.min(paid, due));
        covered.forEach((each, index) => expect(each).toBeLessThanOrEqual(all[index]!.priceCents));
      }),
    );
  });
});
