import { AppError } from '@swim/platform';

const MINUTE_MS = 60_000;
const MOST_NETWORKS = 100_000;

/**
 * Counts failed authentications of each network within a clock minute. Each replica counts for itself: whoever guesses
 * keys must not be able to fill the memory of what all replicas share.
 */
export class FailedAttempts {
  private readonly counts = new Map<string, number>();
  private minute = 0;

  constructor(
    private readonly limit: number,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** Notes one more. Throws `authentication_attempts` when these were too many before it. */
  note(network: string): void {
    const now = this.nowMs();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.minute) this.counts.clear();
    this.minute = minute;
    const count = (this.counts.get(network) ?? 0) + 1;
    if (this.counts.size >= MOST_NETWORKS && count === 1) this.counts.delete(this.counts.keys().next().value!);
    this.counts.set(network, count);
    if (count > this.limit) {
      throw new AppError('authentication_attempts', {
        retryAfterSeconds: Math.ceil(((minute + 1) * MINUTE_MS - now) / 1000),
      });
    }
  }
}
