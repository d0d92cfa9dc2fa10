import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger, SharedClock } from '@swim/platform';
import { ClockWatch } from './clock-watch.js';

const logger = createLogger('tests', 'silent');
let clock: SharedClock;
let alarms: jest.SpiedFunction<typeof logger.error>;

/** Returns a reply that took `tookMs`, from a clock that is `offsetMs` ahead. */
const reply = (offsetMs: number, tookMs = 2) => {
  const requestedAtMs = performance.now();
  const shownMs = Date.UTC(2040, 0) + requestedAtMs + tookMs / 2 + offsetMs;
  return { shownMs, requestedAtMs, answeredAtMs: requestedAtMs + tookMs };
};

beforeEach(() => {
  jest.useFakeTimers();
  clock = new SharedClock();
  alarms = jest.spyOn(logger, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('a process that uses people’s clock', () => {
  it('is set by replies of people only', () => {
    const watch = new ClockWatch(logger, 'people', clock);
    watch.note('booking', reply(5_000));
    expect(clock.isSet).toBe(false);
    watch.note('people', reply(0));
    expect([clock.isSet, clock.nowMs()]).toEqual([true, Math.floor(Date.UTC(2040, 0) + performance.now())]);
    watch.note('people', { ...reply(0), shownMs: Number.NaN });
    expect(clock.nowMs()).toBe(Math.floor(Date.UTC(2040, 0) + performance.now()));
  });
});

describe('services whose databases’ clocks differ', () => {
  let watch: ClockWatch;
  beforeEach(() => {
    clock.take(reply(0));
    watch = new ClockWatch(logger, null, clock);
  });

  it('by more than a second raise an alarm, each once a minute', () => {
    for (let time = 0; time < 5; time++) watch.note('booking', reply(1_500));
    watch.note('payment', reply(-1_500));
    expect(alarms).toHaveBeenCalledTimes(2);
    jest.advanceTimersByTime(60_000);
    watch.note('booking', reply(1_500));
    expect(alarms).toHaveBeenCalledTimes(3);
  });

  it('by less raise none, nor do replies that took too long to measure', () => {
    watch.note('booking', reply(900));
    watch.note('booking', reply(2_000, 3_000));
    expect(alarms).not.toHaveBeenCalled();
  });
});
