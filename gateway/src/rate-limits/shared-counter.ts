const HOUR_BITS = 32;
const MINUTE_BITS = 20;

/** A window of an account's counter for one hour: the hour itself, or one of its minutes. */
export type Window = number;

/** The hour as a whole. */
export const HOUR: Window = 0;

/** A minute of the hour, from 0. */
export const minuteWindow = (minute: number): Window => minute + 1;

const shiftOf = (window: Window): bigint => BigInt(window === HOUR ? 0 : HOUR_BITS + MINUTE_BITS * (window - 1));

/**
 * The increment of one request in a window. All windows of an hour are digits of one number, so that one increment counts a
 * request in several: the hour below 2^31, each minute below 2^20; above that a minute overflows into the next.
 */
export const unitOf = (window: Window): bigint => 1n << shiftOf(window);

/** The requests of a window in a total. The hour's can be below 0: requests given back after a restart of NATS. */
export function countIn(total: bigint, window: Window): number {
  const hour = BigInt.asIntN(HOUR_BITS, total);
  if (window === HOUR) return Number(hour);
  return Number(BigInt.asUintN(MINUTE_BITS, (total - hour) >> shiftOf(window)));
}

/** Adds to a counter that all replicas share and returns its new total; adding 0 only reads it. */
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
 * This replica's view of one shared counter: an account's requests within an hour and each of its minutes. One increment is
 * in flight at a time; requests that arrive meanwhile share the next one. Each gets its rank among the requests of all
 * replicas, so admission by rank is exact.
 */
export class SharedCounter {
  private waiting: Waiting[] = [];
  private returning: Returning[] = [];
  private underWay: { sharers: Waiting[]; returning: Returning[] } = { sharers: [], returning: [] };
  private isBusy = false;
  private known = 0n;
  /** Windows of which a count was received. */
  private readonly received = new Set<Window>();
  private knownAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly subject: string,
    private readonly increment: Increment,
  ) {}

  /** The last count received of a window, minus the requests that are yet to be given back; -1 before the first. */
  total(window: Window): number {
    if (!this.received.has(window)) return -1;
    const returning = [...this.returning, ...this.underWay.returning].filter((each) => each.window === window);
    return countIn(this.known, window) - returning.length;
  }

  /** The count of a window after all waiting requests of this replica. */
  expected(window: Window): number {
    const waiting = [...this.waiting, ...this.underWay.sharers].filter(({ windows }) => windows.includes(window));
    return Math.max(this.total(window), 0) + waiting.length;
  }

  /** Counts one request in these windows by one increment and returns its rank in each, from 1. */
  take(windows: readonly Window[]): Promise<number[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ windows, resolve, reject });
      this.flushSoon();
    });
  }

  /** Gives back one request of a window; resolves when all replicas can read it. On failure, the request stays counted. */
  giveBack(window: Window): Promise<void> {
    return new Promise((resolve) => {
      this.returning.push({ window, resolve });
      this.flushSoon();
    });
  }

  /** The hour's count, at most `maxAgeMs` old; counts nothing. */
  async readHour(maxAgeMs: number): Promise<number> {
    if (performance.now() - this.knownAtMs > maxAgeMs) this.note(await this.increment(this.subject, 0n), [HOUR]);
    return this.total(HOUR);
  }

  private flushSoon(): void {
    if (this.isBusy) return;
    this.isBusy = true;
    // Deferred: all requests of this turn of the event loop share the increment.
    setImmediate(() => void this.flush());
  }

  private async flush(): Promise<void> {
    while (this.waiting.length > 0 || this.returning.length > 0) await this.add(this.waiting, this.returning);
    this.isBusy = false;
  }

  // Requests given back are subtracted first: they do not count in the ranks of the others.
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
      // The increment may have been counted or not: giving back twice would admit a request above the limit.
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
