import { type Environment, MOST_RECORDED } from '@swim/contracts';
import type { Logger } from '@swim/platform';
import { BackgroundStore } from './background-store.js';

const EVERY_MS = 1_000;
/** The most entries of an environment that wait. */
const MOST_WAITING = 10_000;
/** An entry that could not be stored for so long is dropped: less than the pause between the two rounds of an erasure. */
const LONGEST_WAIT_MS = 20_000;

/** Where entries go. */
export interface EntryStore<Entry> {
  /** The kind of entries, for log lines. */
  readonly name: string;
  /** Stores entries, idempotently by their ids. */
  store(env: Environment, entries: readonly Entry[]): Promise<void>;
  /** Counts entries that are lost. */
  onLost(reason: 'overflow' | 'unavailable', count: number): void;
}

interface Waiting<Entry> {
  readonly entry: Entry;
  readonly sinceMs: number;
}

/**
 * Hands entries about answered requests over to a service: in batches, each second, after the answers. It never delays an answer.
 * What cannot be stored is counted and lost: beyond MOST_WAITING entries, and after LONGEST_WAIT_MS.
 */
export class EntryBatches<Entry> {
  private readonly waiting: Record<Environment, Waiting<Entry>[]> = { live: [], test: [] };
  private readonly background = new BackgroundStore({
    everyMs: EVERY_MS,
    hasWaiting: (env) => this.waiting[env].length > 0,
    store: (env) => this.storeOf(env),
  });

  constructor(
    private readonly target: EntryStore<Entry>,
    private readonly logger: Logger,
  ) {}

  /** Takes the entry that `make` returns; without calling it, counts it as lost while too many wait. */
  add(env: Environment, make: () => Entry): void {
    const batch = this.waiting[env];
    if (batch.length >= MOST_WAITING) this.target.onLost('overflow', 1);
    else batch.push({ entry: make(), sinceMs: performance.now() });
    this.background.storeSoon();
  }

  /** Stores what waits, once. */
  stop(): Promise<void> {
    return this.background.stop();
  }

  private async storeOf(env: Environment): Promise<void> {
    const waiting = this.waiting[env];
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST_RECORDED);
      const entries = batch.map(({ entry }) => entry);
      try {
        await this.target.store(env, entries);
      } catch (error) {
        this.logger.warn({ err: error, env, count: batch.length }, `${this.target.name} not recorded yet`);
        this.restore(env, batch);
        return;
      }
    }
  }

  private restore(env: Environment, batch: readonly Waiting<Entry>[]): void {
    const sinceMs = performance.now() - LONGEST_WAIT_MS;
    const young = batch.filter((each) => each.sinceMs > sinceMs);
    if (young.length < batch.length) this.target.onLost('unavailable', batch.length - young.length);
    this.waiting[env].unshift(...young);
  }
}
