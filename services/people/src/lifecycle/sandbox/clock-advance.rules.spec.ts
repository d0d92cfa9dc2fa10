import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { advancing, afterStop, pauseMsOf } from './clock-advance.rules.js';

const DAY_MS = 86_400_000;

describe('an advance', () => {
  it('begins at the offset of the clock', () => {
    expect(advancing(null, { targetMs: DAY_MS })).toMatchObject({ offsetMs: 0, fromMs: 0 });
    const before = { ...advancing(null, { targetMs: null }), offsetMs: DAY_MS };
    expect(advancing(before, { targetMs: 2 * DAY_MS })).toEqual({
      offsetMs: DAY_MS,
      fromMs: DAY_MS,
      targetMs: 2 * DAY_MS,
      roundsLeft: 0,
    });
  });

  it('stops at each end before its target in order, then at the target, and ends there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1_000 })),
        fc.integer({ min: 1, max: 1_000 }),
        (ends, targetMs) => {
          let clock = advancing(null, { targetMs });
          const stops: number[] = [];
          while (clock.targetMs !== null) {
            const next = ends.filter((end) => end > clock.offsetMs);
            clock = afterStop(clock, next.length > 0 ? Math.min(...next) : null);
            if (clock.targetMs !== null) stops.push(clock.offsetMs);
          }
          const before = [...new Set(ends.filter((end) => end < targetMs))].sort((a, b) => a - b);
          expect(stops).toEqual([...before, targetMs]);
          expect(clock.offsetMs).toBe(targetMs);
        },
      ),
    );
  });

  it('is applied twice more after its end', () => {
    const ended = afterStop({ ...advancing(null, { targetMs: 5 }), offsetMs: 5 }, null);
    expect([2, 1, 0].map((roundsLeft) => pauseMsOf({ ...ended, roundsLeft }))).toEqual([5_000, 40_000, null]);
    expect(ended.roundsLeft).toBe(2);
  });
});
