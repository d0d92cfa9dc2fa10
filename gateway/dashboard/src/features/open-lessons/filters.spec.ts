import { expect, it } from '@jest/globals';
import { filtersOf, paramsOf, weekdayName, weekdayOf } from './filters.ts';

it('filters are those of the address, and what is none of them is left out', () => {
  const address = 'child=mem_1&level=beginner&weekday=tue&pool=pool_1';
  expect(paramsOf(filtersOf(new URLSearchParams(address))).toString()).toBe(address);
  expect(paramsOf(filtersOf(new URLSearchParams('level=shark&weekday=1&x=y'))).toString()).toBe('');
});

it('a day has the weekday of the calendar, named in each language', () => {
  expect(['2026-11-30', '2026-12-06', '2024-02-29'].map(weekdayOf)).toEqual(['mon', 'sun', 'thu']);
  expect(['en-GB', 'de-DE'].map((tag) => weekdayName('sun', tag))).toEqual(['Sunday', 'Sonntag']);
});
