import type { KeyNews } from '@swim/contracts';
import type { KeyNewsListener } from '@swim/messaging/client';

const SILENT_AFTER_MS = 1_000;
const REMEMBERED_MS = 120_000;

/** What an answer of the owner of the keys is worth now. */
export type Standing =
  /** Nothing has changed since it was asked for. */
  | 'current'
  /** Something may have. */
  | 'unsure'
  /** Something has. */
  | 'superseded';

interface Heard {
  moment: number;
  revoked: boolean;
  atMs: number;
}

/**
 * What the news of one environment's keys have told, each at a moment of its own: moments are counted, not timed, so that
 * no clock decides whether an answer was asked for before the news came. News are remembered for two minutes, twice as long
 * as any answer. With a second of silence, or a gap, the gateway is cut off, and what it knows is unsure.
 */
export class KnownNews implements KeyNewsListener {
  private readonly heard = new Map<string, Heard>();
  private last = 0;
  private since = Number.POSITIVE_INFINITY;
  private aliveAtMs = Number.NEGATIVE_INFINITY;

  /** `nowMs` may be of any origin, but must not jump. */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** The moment at which something is asked: to be handed in with the answer. */
  get moment(): number {
    return this.last;
  }

  /** What came before may have told of anything. */
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

  hear({ keyId, revoked }: KeyNews): void {
    const atMs = this.nowMs();
    // Those heard of longest ago come first.
    for (const [id, old] of this.heard) {
      if (atMs - old.atMs < REMEMBERED_MS) break;
      this.heard.delete(id);
    }
    const wasRevoked = this.isRevoked(keyId);
    this.heard.delete(keyId);
    this.heard.set(keyId, { moment: ++this.last, revoked: revoked || wasRevoked, atMs });
  }

  /** Whether the news said so. */
  isRevoked(keyId: string): boolean {
    return this.heard.get(keyId)?.revoked === true;
  }

  /** What an answer about this key is worth that was asked for at this moment. */
  standingOf(keyId: string, moment: number): Standing {
    const news = this.heard.get(keyId);
    if (news !== undefined && news.moment > moment) return 'superseded';
    return moment >= this.since && this.nowMs() - this.aliveAtMs < SILENT_AFTER_MS ? 'current' : 'unsure';
  }
}
