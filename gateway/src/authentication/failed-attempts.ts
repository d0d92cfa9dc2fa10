import { AppError, sharedClock } from '@swim/platform';

const MINUTE_MS = 60_000;
const MOST_NETWORKS = 100_000;

/**
 * Counts failed authentications of each network within a clock minute. Each replica counts its own: a client that guesses
 * keys must not be able to fill the memory of the shared counters.
 */
export class FailedAttempts {
  private readonly counts = new Map<string, number>();
  private readonly lookUps = new Map<string, number>();
  private minute = 0;

  constructor(
    private readonly limit: number,
    private readonly nowMs: () => number = () => sharedClock.nowMs(),
  ) {}

  /** Counts a failed attempt. Throws `authentication_attempts` when there were too many before it. */
  note(network: string): void {
    const now = this.startMinute();
    if (countOne(this.counts, network) > this.limit) {
      throw new AppError('authentication_attempts', {
        retryAfterSeconds: Math.ceil(((this.minute + 1) * MINUTE_MS - now) / 1000),
      });
    }
  }

  /** Counts a look-up that found no valid key. */
  noteLookUp(network: string): void {
    this.startMinute();
    countOne(this.lookUps, network);
  }

  /** Whether one more look-up may fail if all those in flight fail. */
  mayFail(network: string, underWay: number): boolean {
    this.startMinute();
    const failed = Math.max(this.counts.get(network) ?? 0, this.lookUps.get(network) ?? 0);
    return failed + underWay < this.limit;
  }

  private startMinute(): number {
    const now = this.nowMs();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.minute) {
      this.counts.clear();
      this.lookUps.clear();
    }
    this.minute = minute;
    return now;
  }
}

/** Increments the count of a network and returns it; at the maximum of networks, removes the oldest. */
function countOne(counts: Map<string, number>, network: string): number {
  const count = (counts.get(network) ?? 0) + 1;
  if (counts.size >= MOST_NETWORKS && count === 1) counts.delete(counts.keys().next().value!);
  counts.set(network, count);
  return count;
}
