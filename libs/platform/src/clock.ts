/** Where use cases take the time from; rules are handed it. */
export abstract class Clock {
  abstract now(): Date;
}

/** What a clock elsewhere showed, and when by this process's monotonic clock it was asked and had answered. */
export interface ClockReading {
  shownMs: number;
  requestedAtMs: number;
  answeredAtMs: number;
}

// Two clocks drift apart by less than this share of the time that passes.
const DRIFT = 1e-4;

/**
 * The one clock of all processes, the database's, as this process knows it: the best reading of it plus the monotonic time
 * since. What this machine's own clock is set to plays no part. Until the first reading the time of the machine at start
 * stands in, for tools and tests without a database; no process serves before it has a reading.
 */
export class SharedClock extends Clock {
  private anchorMs = Date.now();
  private anchoredAtMs = performance.now();
  private errorMs = Number.POSITIVE_INFINITY;

  /** Whether the one clock has been read. */
  get isSet(): boolean {
    return this.errorMs < Number.POSITIVE_INFINITY;
  }

  now(): Date {
    return new Date(this.nowMs());
  }

  /** Now as a Unix time in whole milliseconds. */
  nowMs(): number {
    return Math.floor(this.at(performance.now()));
  }

  /** `ms` from now. */
  inMs(ms: number): Date {
    return new Date(this.nowMs() + ms);
  }

  /**
   * Takes a reading if it says more than what is known: when the answer came sooner, when the known one has aged, or when
   * both cannot be true, since then the clock was set.
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

  /** How far the clock of this reading is off this one, at least: what its round trip leaves open is not counted. */
  offsetMsOf({ shownMs, requestedAtMs, answeredAtMs }: ClockReading): number {
    const offsetMs = shownMs - this.at((requestedAtMs + answeredAtMs) / 2);
    return Math.sign(offsetMs) * Math.max(0, Math.abs(offsetMs) - (answeredAtMs - requestedAtMs) / 2);
  }

  private at(monotonicMs: number): number {
    return this.anchorMs + monotonicMs - this.anchoredAtMs;
  }
}

/** The one clock, as this process knows it. */
export const sharedClock = new SharedClock();
