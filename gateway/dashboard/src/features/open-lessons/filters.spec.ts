import { expect, it } from '@jest/globals';
import { filtersOf, paramsOf } from './filters.ts';

it('filters are those of the address, and what is none of them is left out', () => {
  const address = 'child=mem_1&level=beginner&weekday=tue&pool=pool_1';
  expect(paramsOf(filtersOf(new URLSearchParams(address))).toString()).toBe(address);
  expect(paramsOf(filtersOf(new URLSearchParams('level=shark&weekday=1&x=y'))).toString()).toBe('');
});
