import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countIn, HOUR, minuteWindow, unitOf } from './shared-counter.js';

describe('the windows of a counter', () => {
  it('are counted independently, in any order', () => {
    const counted = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 10_000 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(counted, (increments) => {
        const sums = new Map<number, number>();
        let total = 0n;
        for (const [window, by] of increments) {
          sums.set(window, (sums.get(window) ?? 0) + by);
          total += BigInt(by) * unitOf(window);
        }
        for (let window = 0; window <= 60; window++) expect(countIn(total, window)).toBe(sums.get(window) ?? 0);
      }),
    );
  });

  it('keep their counts apart where the hour is below zero', () => {
    const total = 7n * unitOf(minuteWindow(59)) - 3n * unitOf(HOUR);
    expect([HOUR, minuteWindow(58), minuteWindow(59)].map((window) => countIn(total, window))).toEqual([-3, 0, 7]);
    expect(countIn(-unitOf(HOUR), minuteWindow(0))).toBe(0);
  });
});
