import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { accountTime, clockOffsetIn, SharedClock } from './clock.js';

const THERE_MS = Date.parse('2040-01-01T00:00:00Z');
let clock: SharedClock;
let beganAtMs: number;

/**
 * Takes a reading of a clock that shows THERE_MS + `offsetMs` now. The request takes `tookMs`, most of it before the
 * clock is read.
 */
const look = (tookMs: number, offsetMs = 0, readAfterMs = tookMs / 2): void => {
  const requestedAtMs = performance.now();
  const shownMs = THERE_MS + requestedAtMs - beganAtMs + readAfterMs + offsetMs;
  jest.advanceTimersByTime(tookMs);
  clock.take({ shownMs, requestedAtMs, answeredAtMs: performance.now() });
};
const errorMs = (): number => clock.nowMs() - THERE_MS - (performance.now() - beganAtMs);

beforeEach(() => {
  jest.useFakeTimers();
  clock = new SharedClock();
  beganAtMs = performance.now();
});
afterEach(() => void jest.useRealTimers());

describe('the shared clock in a process', () => {
  it('is not set before the first reading', () => {
    expect(clock.isSet).toBe(false);
    look(10);
    expect(clock.isSet).toBe(true);
  });

  it('advances with the monotonic time, whatever this machine’s clock shows', () => {
    look(2);
    jest.setSystemTime(new Date('2000-01-01T00:00:00Z'));
    jest.advanceTimersByTime(90_000);
    expect(errorMs()).toBe(0);
    expect(clock.now()).toEqual(new Date(clock.nowMs()));
    expect(clock.inMs(500).getTime()).toBe(clock.nowMs() + 500);
  });

  it('prefers the fastest reading', () => {
    look(2);
    look(400, 0, 390);
    expect(errorMs()).toBe(0);
    clock = new SharedClock();
    look(400, 0, 390);
    expect(errorMs()).not.toBe(0);
    look(2);
    expect(errorMs()).toBe(0);
  });

  it('prefers a slower reading once the faster one has aged', () => {
    look(2);
    jest.advanceTimersByTime(60_000);
    look(10, 4);
    expect(errorMs()).toBe(4);
  });

  it('follows a clock that was changed, at once', () => {
    look(2);
    look(400, 3_000);
    expect(errorMs()).toBe(3_000);
    look(400, -3_000);
    expect(errorMs()).toBe(-3_000);
  });

  it('is wrong by at most half the best reading’s round trip, and drift', () => {
    const answer = fc.record({
      tookMs: fc.integer({ min: 0, max: 2_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 20 }), (answers) => {
        clock = new SharedClock();
        for (const { tookMs, share } of answers) look(tookMs, 0, tookMs * share);
        const soonestMs = Math.min(...answers.map(({ tookMs }) => tookMs));
        const agedMs = answers.reduce((sum, { tookMs }) => sum + tookMs, 0) * 1e-4;
        expect(Math.abs(errorMs())).toBeLessThanOrEqual(soonestMs / 2 + agedMs + 2);
      }),
    );
  });
});

describe('the clock of an account', () => {
  it('is ahead of the shared clock by its offset in the sandbox, and never in live', () => {
    const now = new Date(THERE_MS);
    const there = { now: () => now };
    expect(accountTime(there, 'test', 5_000)).toEqual(new Date(THERE_MS + 5_000));
    expect(accountTime(there, 'test')).toEqual(now);
    expect(accountTime(there, 'live', 5_000)).toEqual(now);
  });

  it('gives its offset to what is made in the sandbox only', () => {
    expect(clockOffsetIn('test', 5_000)).toEqual({ clockOffsetMs: 5_000 });
    expect(clockOffsetIn('test', 0)).toEqual({});
    expect(clockOffsetIn('test', undefined)).toEqual({});
    expect(clockOffsetIn('live', 5_000)).toEqual({});
  });
});
