import { countIn, HOUR, unitOf, type Window } from './windows.js';

/** Adds to a counter that all replicas share and answers its total afterwards; adding 0 only reads it. */
export type Increment = (subject: string, by: bigint) => Promise<bigint>;

interface Waiting {
  windows: readonly Window[];
  resolve: (ranks: number[]) => void;
  reject: (error: unknown) => void;
}

interface Returning {
  window: Window;
  resolve: () => void;
}

/**
 * One shared counter as seen from here: an account's requests within an hour and each of its minutes. One increment is under
 * way at a time; requests that arrive meanwhile share the next one. Each learns its rank among all requests of all replicas,
 * so admission by rank is exact.
 */
export class SharedCounter {
  private waiting: Waiting[] = [];
  private returning: Returning[] = [];
  private underWay: { sharers: Waiting[]; returning: Returning[] } = { sharers: [], returning: [] };
  private isBusy = false;
  private known = 0n;
  /** Windows of which a count was received since they were first requested. */
  private readonly received = new Set<Window>();
  private knownAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly subject: string,
    private readonly increment: Increment,
  ) {}

  /** The last count received of a window, less what is yet to be given back; -1 before the first. */
  total(window: Window): number {
    if (!this.received.has(window)) return -1;
    const returning = [...this.returning, ...this.underWay.returning].filter((each) => each.window === window);
    return countIn(this.known, window) - returning.length;
  }

  /** The count once all that waits here is counted, as far as is known here. */
  expected(window: Window): number {
    const waiting = [...this.waiting, ...this.underWay.sharers].filter(({ windows }) => windows.includes(window));
    return Math.max(this.total(window), 0) + waiting.length;
  }

  /** Counts one request in these windows at once and answers its rank in each, from 1. */
  take(windows: readonly Window[]): Promise<number[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ windows, resolve, reject });
      this.flushSoon();
    });
  }

  /** Gives one back to a window that was counted there; resolves when all replicas can see it. Where that fails, it stays counted. */
  giveBack(window: Window): Promise<void> {
    return new Promise((resolve) => {
      this.returning.push({ window, resolve });
      this.flushSoon();
    });
  }

  /** The hour's count, without counting anything, as it was at most `maxAgeMs` ago. */
  async readHour(maxAgeMs: number): Promise<number> {
    if (performance.now() - this.knownAtMs > maxAgeMs) this.note(await this.increment(this.subject, 0n), [HOUR]);
    return this.total(HOUR);
  }

  private flushSoon(): void {
    if (this.isBusy) return;
    this.isBusy = true;
    // Not at once: all requests of this turn of the event loop share the increment.
    setImmediate(() => void this.flush());
  }

  private async flush(): Promise<void> {
    while (this.waiting.length > 0 || this.returning.length > 0) await this.add(this.waiting, this.returning);
    this.isBusy = false;
  }

  // What is given back counts first: the requests that share the increment get a rank without it.
  private async add(sharers: Waiting[], returning: Returning[]): Promise<void> {
    [this.waiting, this.returning] = [[], []];
    this.underWay = { sharers, returning };
    const requested = sharers.flatMap(({ windows }) => windows);
    try {
      const taken = requested.reduce((sum, window) => sum + unitOf(window), 0n);
      const total = await this.increment(
        this.subject,
        returning.reduce((sum, { window }) => sum - unitOf(window), taken),
      );
      this.note(total, [...requested, ...returning.map(({ window }) => window)]);
      rank(sharers, total - taken);
    } catch (error) {
      // Whether it was counted nobody knows: what is given back twice would let somebody in too many.
      for (const { reject } of sharers) reject(error);
    }
    this.underWay = { sharers: [], returning: [] };
    for (const { resolve } of returning) resolve();
  }

  private note(total: bigint, windows: readonly Window[]): void {
    this.known = total;
    this.knownAtMs = performance.now();
    for (const window of [HOUR, ...windows]) this.received.add(window);
  }
}

function rank(sharers: Waiting[], before: bigint): void {
  const ranks = new Map<Window, number>();
  for (const { windows, resolve } of sharers) {
    for (const window of windows) ranks.set(window, (ranks.get(window) ?? countIn(before, window)) + 1);
    resolve(windows.map((window) => ranks.get(window)!));
  }
}
