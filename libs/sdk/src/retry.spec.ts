import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isRetried, pauseMs } from './retry.js';

const random = fc.double({ min: 0, max: 1, noNaN: true });

describe('the pause before a retry', () => {
  it('doubles from half a second to eight seconds, half of it at random', () => {
    expect([0, 1, 2, 3, 4, 9].map((retry) => pauseMs(retry, null, 1))).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
    expect([0, 9].map((retry) => pauseMs(retry, null, 0))).toEqual([250, 4000]);
  });

  it('is never shorter than Retry-After, and at most a quarter of a second longer', () => {
    fc.assert(
      fc.property(fc.nat({ max: 20 }), fc.nat({ max: 60 }), random, (retry, seconds, chance) => {
        const pause = pauseMs(retry, seconds, chance);
        expect(pause).toBeGreaterThanOrEqual(seconds * 1000);
        expect(pause).toBeLessThanOrEqual(seconds * 1000 + 250);
      }),
    );
  });
});

describe('a try that failed', () => {
  const failure = { status: null, reason: null, retryAfterSeconds: null };

  it('is repeated without an idempotency key only where the request was not begun', () => {
    expect(isRetried(failure, false)).toBe(false);
    expect(isRetried({ ...failure, status: 503 }, false)).toBe(false);
    expect(isRetried({ ...failure, status: 429 }, false)).toBe(true);
    expect(isRetried(failure, true)).toBe(true);
    expect(isRetried({ ...failure, status: 500 }, true)).toBe(true);
    expect(isRetried({ ...failure, status: 409, reason: 'instructor_busy' }, true)).toBe(false);
  });

  it.each([
    { reason: 'idempotency_in_progress', retryAfterSeconds: null },
    { reason: 'change_in_progress', retryAfterSeconds: null },
    { reason: 'busy_retry', retryAfterSeconds: null },
    { reason: 'a reason of a later version', retryAfterSeconds: 1 },
  ])('is repeated after a conflict that passes: %j', (conflict) => {
    for (const isRepeatable of [true, false]) expect(isRetried({ status: 409, ...conflict }, isRepeatable)).toBe(true);
  });

  it('is not repeated where Retry-After is longer than a minute', () => {
    expect(isRetried({ ...failure, status: 429, retryAfterSeconds: 60 }, true)).toBe(true);
    expect(isRetried({ ...failure, status: 429, retryAfterSeconds: 61 }, true)).toBe(false);
  });
});
