import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { priceCents } from './participants.rules.js';

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
    expect(priceCents(rate, minutes)).toBe(cents);
  });

  it('is the nearest whole cent, the higher one of two that are equally near', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 15, max: 240 }), (rate, minutes) => {
        const sixtieths = BigInt(rate) * BigInt(minutes);
        const off = BigInt(priceCents(rate, minutes)) * 60n - sixtieths;
        expect(off > -30n && off <= 30n).toBe(true);
      }),
    );
  });
});
