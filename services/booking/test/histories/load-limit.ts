/** An answer within this time is quick: a request has twice as long before its deadline. */
const QUICK_MS = 5_000;
/** Commands of two requests at the same time still race each other. */
const LEAST = 2;
const GROWTH = 0.25;
const TURN_MS = 100;
/** The machine is busy when the process was active for less than this share of an attempt. */
const BUSY_BELOW = 1 / 3;

/** An attempt of a request that has ended. */
export interface Attempted<T> {
  result: T;
  /** The time that it took the services; what the process stood still, because the machine was busy, is not counted. */
  activeMs: number;
  isLate: boolean;
}

/**
 * Limits the requests in flight to what the services answer in time. They share a process with the test: on a busy machine more
 * requests at once only take longer each, until all miss their deadlines and none makes progress. A late answer halves the
 * limit, and quick ones raise it again.
 */
export class LoadLimit {
  private limit: number;
  private inFlight = 0;
  private lastCutMs = Number.NEGATIVE_INFINITY;
  private activeMs = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {
    this.limit = most;
    // An event loop that falls behind runs it less often.
    setInterval(() => {
      this.activeMs += TURN_MS;
    }, TURN_MS).unref();
  }

  /** How many requests may be in flight now. */
  get current(): number {
    return Math.floor(this.limit);
  }

  /** Runs an attempt of a request once it may be in flight. */
  async run<T>(attempt: () => Promise<T>): Promise<Attempted<T>> {
    while (this.inFlight >= this.current) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.inFlight++;
    const [startMs, activeMs] = [performance.now(), this.activeMs];
    try {
      const result = await attempt();
      return { result, activeMs: this.activeMs - activeMs, isLate: performance.now() - startMs > QUICK_MS };
    } finally {
      this.inFlight--;
      this.adapt(startMs, this.activeMs - activeMs);
      this.admit();
    }
  }

  private adapt(startMs: number, activeMs: number): void {
    const nowMs = performance.now();
    const tookMs = nowMs - startMs;
    // Others are late because they wait for a lease.
    if (tookMs <= QUICK_MS || activeMs >= tookMs * BUSY_BELOW) {
      this.limit = Math.min(this.limit + GROWTH, this.most);
      return;
    }
    // Attempts that began before the last cut were late because of the load before it.
    if (startMs < this.lastCutMs) return;
    this.lastCutMs = nowMs;
    this.limit = Math.max(this.limit / 2, LEAST);
  }

  private admit(): void {
    for (let free = this.current - this.inFlight; free > 0; free--) this.waiting.shift()?.();
  }
}
