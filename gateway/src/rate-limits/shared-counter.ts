/** Adds to a counter that all replicas share and answers its total afterwards; adding 0 only reads it. */
export type Increment = (subject: string, by: number) => Promise<number>;

interface Waiting {
  resolve: (rank: number) => void;
  reject: (error: unknown) => void;
}

/**
 * One shared counter as seen from here. One increment is under way at a time; requests that arrive meanwhile share the
 * next one. Each learns its rank among all requests of all replicas, so whoever is let in by rank is let in exactly.
 */
export class SharedCounter {
  private waiting: Waiting[] = [];
  private isBusy = false;
  private known = -1;
  private knownAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly subject: string,
    private readonly increment: Increment,
  ) {}

  /** The largest total heard of so far; -1 before the first. It never falls. */
  get total(): number {
    return this.known;
  }

  /** Counts one request and answers its rank, from 1. */
  take(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      if (this.isBusy) return;
      this.isBusy = true;
      // Not at once: whoever arrives in this turn of the event loop shares the increment.
      setImmediate(() => void this.flush());
    });
  }

  /** The total, without counting anything, as it was at most `maxAgeMs` ago. */
  async read(maxAgeMs: number): Promise<number> {
    if (performance.now() - this.knownAtMs > maxAgeMs) this.note(await this.increment(this.subject, 0));
    return this.known;
  }

  private async flush(): Promise<void> {
    while (this.waiting.length > 0) {
      const sharers = this.waiting;
      this.waiting = [];
      try {
        const before = this.note(await this.increment(this.subject, sharers.length)) - sharers.length;
        sharers.forEach(({ resolve }, index) => resolve(before + index + 1));
      } catch (error) {
        for (const { reject } of sharers) reject(error);
      }
    }
    this.isBusy = false;
  }

  private note(total: number): number {
    this.known = Math.max(this.known, total);
    this.knownAtMs = performance.now();
    return total;
  }
}
