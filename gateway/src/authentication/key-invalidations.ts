import type { KeyInvalidation } from '@swim/contracts';
import type { KeyInvalidationListener } from '@swim/messaging/client';

const SILENT_AFTER_MS = 1_000;
const REMEMBERED_MS = 120_000;

/** Whether a verdict is up to date. */
export type Freshness =
  /** The key has not changed since the request. */
  | 'current'
  /** The key may have changed. */
  | 'unsure'
  /** The key has changed. */
  | 'superseded';

interface ReceivedInvalidation {
  moment: number;
  revoked: boolean;
  atMs: number;
}

/**
 * The invalidations received for the keys of one environment, each with its own moment. Moments are sequence numbers, so
 * that no clock decides whether a verdict was requested before the invalidation arrived. Invalidations are kept for two
 * minutes, twice as long as any verdict. After a second without heartbeats, or a gap, the gateway is cut off, and verdicts
 * are unsure.
 */
export class KeyInvalidations implements KeyInvalidationListener {
  private readonly received = new Map<string, ReceivedInvalidation>();
  private last = 0;
  private since = Number.POSITIVE_INFINITY;
  private aliveAtMs = Number.NEGATIVE_INFINITY;

  /** `nowMs` may be of any origin, but must not jump. */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** The current moment: a request stores it for `freshnessOf`. */
  get moment(): number {
    return this.last;
  }

  /** Reading starts: earlier invalidations may have been missed. */
  begin(): void {
    this.since = ++this.last;
    this.alive();
  }

  alive(): void {
    this.aliveAtMs = this.nowMs();
  }

  lose(): void {
    this.since = Number.POSITIVE_INFINITY;
  }

  invalidate({ keyId, revoked }: KeyInvalidation): void {
    const atMs = this.nowMs();
    // The oldest come first.
    for (const [id, old] of this.received) {
      if (atMs - old.atMs < REMEMBERED_MS) break;
      this.received.delete(id);
    }
    const wasRevoked = this.isRevoked(keyId);
    this.received.delete(keyId);
    this.received.set(keyId, { moment: ++this.last, revoked: revoked || wasRevoked, atMs });
  }

  /** Whether an invalidation marked the key as revoked. */
  isRevoked(keyId: string): boolean {
    return this.received.get(keyId)?.revoked === true;
  }

  /** Whether a verdict on this key, requested at this moment, is up to date. */
  freshnessOf(keyId: string, moment: number): Freshness {
    const invalidation = this.received.get(keyId);
    if (invalidation !== undefined && invalidation.moment > moment) return 'superseded';
    return moment >= this.since && this.nowMs() - this.aliveAtMs < SILENT_AFTER_MS ? 'current' : 'unsure';
  }
}
