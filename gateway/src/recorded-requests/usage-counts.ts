import { type Environment, MOST_RECORDED, type Principal, type UsageCount } from '@swim/contracts';
import { counter, type Logger, newId, sharedClock } from '@swim/platform';
import { BackgroundStore } from './background-store.js';

/** Requests that are missing in the usage of their account: of too many keys while notification cannot store any. */
const usageLostTotal = counter({
  name: 'swim_usage_lost_total',
  help: 'Requests of API keys that are missing in the usage of their account',
});

const EVERY_MS = 2_000;
const HOUR_MS = 3_600_000;
/** The most counts of an environment in memory. */
const MOST_COUNTS = 10_000;
const NOTHING = { requests: 0, client_errors: 0, server_errors: 0, limited: 0 };

/** The facts that are counted of a request of a key, as soon as its answer begins. */
export interface CountedRequest {
  readonly status: number;
  /** Whether a limit of the account rejected it. */
  readonly isLimited: boolean;
  /** How long ago it arrived. */
  readonly durationMs: number;
}

/** Where counts go: the states that they have now, idempotently. */
export type StoreCounts = (env: Environment, counts: readonly UsageCount[]) => Promise<void>;

/** The counts of an environment in memory, by key and hour. */
class CountsInMemory {
  private readonly all = new Map<string, UsageCount>();
  private readonly changed = new Set<UsageCount>();
  private hour = '';

  get hasChanged(): boolean {
    return this.changed.size > 0;
  }

  /** The count of a key within an hour; null while too many wait to be stored. */
  take({ accountId, keyId }: Principal, hour: string): UsageCount | null {
    if (hour > this.hour) this.begin(hour);
    const place = `${keyId} ${hour}`;
    let count = this.all.get(place);
    if (!count) {
      if (this.all.size >= MOST_COUNTS) this.forgetStored(() => true);
      if (this.all.size >= MOST_COUNTS) return null;
      count = { id: newId('usc'), account_id: accountId, key_id: keyId, hour, ...NOTHING };
      this.all.set(place, count);
    }
    this.changed.add(count);
    return count;
  }

  /** Some of the counts that have changed since they were last returned. */
  nextBatch(): UsageCount[] {
    const batch = [...this.changed].slice(0, MOST_RECORDED);
    for (const count of batch) this.changed.delete(count);
    return batch;
  }

  stored(): void {
    this.forgetStored(({ hour }) => hour < this.hour);
  }

  notStored(batch: readonly UsageCount[]): void {
    for (const count of batch) this.changed.add(count);
  }

  private begin(hour: string): void {
    this.hour = hour;
    this.stored();
  }

  // A count that is needed again begins at 0, under another id: the sum stays right.
  private forgetStored(isOver: (count: UsageCount) => boolean): void {
    for (const [place, count] of this.all) if (isOver(count) && !this.changed.has(count)) this.all.delete(place);
  }
}

/**
 * Counts the requests of keys by clock hour, and hands the counts over to a service, each two seconds where they changed. What is
 * handed over is the state of a count, not an increment: one that is repeated, lost or late changes nothing once a later one is
 * stored. While the service is away the counts wait in memory, and only those of further keys are lost beyond MOST_COUNTS.
 */
export class UsageCounts {
  private readonly counts: Record<Environment, CountsInMemory> = {
    live: new CountsInMemory(),
    test: new CountsInMemory(),
  };
  /** The hour of the last request: as milliseconds since 1970, and as text. */
  private last = { hourMs: Number.NaN, hour: '' };
  private readonly background = new BackgroundStore({
    everyMs: EVERY_MS,
    hasWaiting: (env) => this.counts[env].hasChanged,
    store: (env) => this.storeOf(env),
  });

  constructor(
    private readonly store: StoreCounts,
    private readonly logger: Logger,
    private readonly nowMs: () => number = () => sharedClock.nowMs(),
  ) {}

  /** Counts a request in the hour in which it arrived; those of users of the dashboard have a limit of their own. */
  add(principal: Principal, { status, isLimited, durationMs }: CountedRequest): void {
    if (principal.userId !== undefined) return;
    const count = this.counts[principal.env].take(principal, this.hourOf(this.nowMs() - durationMs));
    if (!count) {
      usageLostTotal.inc();
      return;
    }
    if (isLimited) count.limited++;
    else {
      count.requests++;
      if (status >= 500) count.server_errors++;
      else if (status >= 400) count.client_errors++;
    }
    this.background.storeSoon();
  }

  /** Stores what has changed, once. */
  stop(): Promise<void> {
    return this.background.stop();
  }

  private hourOf(instantMs: number): string {
    const hourMs = Math.floor(instantMs / HOUR_MS) * HOUR_MS;
    if (hourMs !== this.last.hourMs) this.last = { hourMs, hour: new Date(hourMs).toISOString() };
    return this.last.hour;
  }

  private async storeOf(env: Environment): Promise<void> {
    const counts = this.counts[env];
    while (counts.hasChanged) {
      const batch = counts.nextBatch();
      try {
        await this.store(env, batch);
      } catch (error) {
        this.logger.warn({ err: error, env, count: batch.length }, 'usage not recorded yet');
        return counts.notStored(batch);
      }
      counts.stored();
    }
  }
}
