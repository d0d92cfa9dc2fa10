import type { Environment } from '@swim/contracts';

/** Source of time for use cases; rules get the time as an argument. */
export abstract class Clock {
  abstract now(): Date;
}

/** A reading of a remote clock, with the monotonic times of its request and response. */
export interface ClockReading {
  shownMs: number;
  requestedAtMs: number;
  answeredAtMs: number;
}

// Two clocks drift apart by less than this share of the elapsed time.
const DRIFT = 1e-4;

/**
 * The clock of the database is shared by all processes. Each process adds the monotonic time since its best reading of
 * it, and does not use the machine's clock. Until the first reading the clock starts from the machine's time, for tools
 * and tests without a database; no process serves before it has a reading.
 */
export class SharedClock extends Clock {
  private anchorMs = Date.now();
  private anchoredAtMs = performance.now();
  private errorMs = Number.POSITIVE_INFINITY;

  /** Whether the shared clock has been read. */
  get isSet(): boolean {
    return this.errorMs < Number.POSITIVE_INFINITY;
  }

  now(): Date {
    return new Date(this.nowMs());
  }

  /** Returns the Unix time in whole milliseconds. */
  nowMs(): number {
    return Math.floor(this.at(performance.now()));
  }

  inMs(ms: number): Date {
    return new Date(this.nowMs() + ms);
  }

  /**
   * Uses a reading if it is better than the current one: when it was faster, when the current one has aged, or when both
   * cannot be true, since then the clock was changed.
   */
  take({ shownMs, requestedAtMs, answeredAtMs }: ClockReading): void {
    const errorMs = (answeredAtMs - requestedAtMs) / 2;
    const middleMs = (requestedAtMs + answeredAtMs) / 2;
    const knownErrorMs = this.errorMs + Math.abs(middleMs - this.anchoredAtMs) * DRIFT;
    const isContradicted = Math.abs(this.at(middleMs) - shownMs) > errorMs + knownErrorMs + 1;
    if (errorMs > knownErrorMs && !isContradicted) return;
    this.anchorMs = shownMs;
    this.anchoredAtMs = middleMs;
    this.errorMs = errorMs;
  }

  /**
   * The minimum difference between the reading's clock and this one: the uncertainty of the round trip is subtracted.
   */
  offsetMsOf({ shownMs, requestedAtMs, answeredAtMs }: ClockReading): number {
    const offsetMs = shownMs - this.at((requestedAtMs + answeredAtMs) / 2);
    return Math.sign(offsetMs) * Math.max(0, Math.abs(offsetMs) - (answeredAtMs - requestedAtMs) / 2);
  }

  private at(monotonicMs: number): number {
    return this.anchorMs + monotonicMs - this.anchoredAtMs;
  }
}

/**
 * Returns the time that decides about the objects of an account: in the sandbox `offsetMs` ahead of the clock
 * (docs/adr/0014-sandbox-clocks.md). Live objects follow the clock itself, whatever offset is passed.
 */
export function accountTime(clock: Clock, env: Environment, offsetMs = 0): Date {
  const now = clock.now();
  return env === 'live' ? now : new Date(now.getTime() + offsetMs);
}

/** A new object of the sandbox stores the offset; a live object has none. */
export const clockOffsetIn = (env: Environment, offsetMs: number | undefined): { clockOffsetMs?: number } =>
  env === 'live' || !offsetMs ? {} : { clockOffsetMs: offsetMs };

export const sharedClock = new SharedClock();
