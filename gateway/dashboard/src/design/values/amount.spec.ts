import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountText, centsOf } from './amount.ts';

describe('an amount typed into a field', () => {
  it('is the one that was shown, in currencies with two, no and three decimals', () => {
    const amounts = fc.tuple(fc.integer({ min: 0, max: 99_999_999 }), fc.constantFrom('EUR', 'JPY', 'KWD'));
    fc.assert(fc.property(amounts, ([cents, currency]) => centsOf(amountText(cents, currency), currency) === cents));
  });

  it.each([
    ['25,5', 'EUR', 2550],
    [' 25.50 ', 'EUR', 2550],
    ['0.29', 'EUR', 29],
    ['1200', 'JPY', 1200],
  ])('%j of %s has %i minor units', (text, currency, cents) => {
    expect(centsOf(text, currency)).toBe(cents);
  });

  it.each([
    ['', 'EUR'],
    ['-5', 'EUR'],
    ['1.234,50', 'EUR'],
    ['25.505', 'EUR'],
    ['12.5', 'JPY'],
    ['1e3', 'EUR'],
  ])('%j of %s is none', (text, currency) => {
    expect(centsOf(text, currency)).toBeNull();
  });
});
