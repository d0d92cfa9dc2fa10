import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { priceCents, shareCents, unrepresentable } from './participants.rules.js';

describe('the price of a session', () => {
  it.each([
    [6_000, 60, 6_000],
    [6_000, 30, 3_000],
    [5_400, 45, 4_050],
    [5_000, 20, 1_667],
    [5_000, 40, 3_333],
    [1, 30, 1],
    [1, 29, 0],
    [3, 90, 5],
    [0, 240, 0],
  ])('at %i cents an hour is for %i minutes %i cents', (rate, minutes, cents) => {
    expect(priceCents(rate, minutes, 'USD')).toBe(cents);
  });

  it.each([
    ['KWD', 12_340, 20, 4_110],
    ['BHD', 10_000, 20, 3_330],
    ['JOD', 10, 30, 10],
    ['OMR', 10, 29, 0],
    ['TND', 9_990, 15, 2_500],
    ['MGA', 10_000, 20, 3_300],
    ['JPY', 1_001, 30, 501],
  ])('in %s at %i an hour is for %i minutes %i', (currency, rate, minutes, cents) => {
    expect(priceCents(rate, minutes, currency)).toBe(cents);
  });

  it('is the nearest whole cent, the higher one of two that are equally near', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 15, max: 240 }), (rate, minutes) => {
        const sixtieths = BigInt(rate) * BigInt(minutes);
        const off = BigInt(priceCents(rate, minutes, 'USD')) * 60n - sixtieths;
        expect(off > -30n && off <= 30n).toBe(true);
      }),
    );
  });
});

describe('a share of an amount', () => {
  it.each([
    ['USD', 4_111, 50, 2_056],
    ['KWD', 4_110, 50, 2_060],
    ['KWD', 4_110, 33, 1_360],
    ['KWD', 10, 49, 0],
  ])('in %s of %i by %i percent is %i', (currency, cents, percent, share) => {
    expect(shareCents(cents, percent, currency)).toBe(share);
  });

  it('is given only as the currency has it', () => {
    expect([unrepresentable('amount_cents', 4_110, 'KWD'), unrepresentable('amount_cents', 4_113, 'USD')]).toEqual([
      null,
      null,
    ]);
    expect(unrepresentable('amount_cents', 4_113, 'KWD')).toMatchObject({
      reason: 'not_representable',
      message: 'amount_cents must be a multiple of 10, as processors take no other amounts in KWD; you sent 4113.',
    });
  });
});
