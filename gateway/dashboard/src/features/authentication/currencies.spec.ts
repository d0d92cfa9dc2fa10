import { expect, it } from '@jest/globals';
import { CURRENCIES, currencyIn } from './currencies.ts';

it.each([
  ['Europe/Berlin', 'EUR'],
  ['Europe/London', 'GBP'],
  ['America/New_York', 'USD'],
  ['America/Argentina/Cordoba', 'ARS'],
  ['Australia/Sydney', 'AUD'],
  ['UTC', 'USD'],
])('a visitor in %s is offered %s first', (timeZone, currency) => {
  expect(currencyIn(timeZone)).toBe(currency);
});

it('each currency that is offered exists, and is offered once', () => {
  const known = new Set(Intl.supportedValuesOf('currency'));
  expect(CURRENCIES.filter((each) => !known.has(each))).toEqual([]);
  expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length);
});
