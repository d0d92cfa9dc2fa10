import { expect, it } from '@jest/globals';
import { createBackOff } from './back-off.ts';

it('waits 100 ms after the first death and doubles up to 5 s', () => {
  const backOff = createBackOff();
  const waits = Array.from({ length: 8 }, () => backOff.died(0).waitMs);
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
});

it('begins again after 30 s alive', () => {
  const backOff = createBackOff();
  backOff.died(0);
  backOff.died(29_999);
  expect(backOff.died(30_000)).toEqual({ waitMs: 100, deaths: 1 });
});
