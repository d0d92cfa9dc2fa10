import { Inject, Injectable } from '@nestjs/common';
import { PeriodicPerEnvironment } from '@swim/mongo';
import { Clock, CONFIG, LOGGER, type Logger } from '@swim/platform';
import type { Config } from '../config.js';
import { retentionStart } from './event.rules.js';
import type { EventDocument } from './event.schema.js';
import { EventsRepository } from './events.repository.js';
import { PassedObjectsRepository } from './removed/passed-objects.repository.js';
import { PurgedAccountsRepository } from './removed/purged-accounts.repository.js';

const BATCH = 500;
const ACCOUNTS_AT_ONCE = 1_000;

/** An account's events below `keepFrom` are about to be removed. */
interface Raised {
  account: string;
  keepFrom: number;
}

/**
 * Removes events older than the retention period: always the lowest sequences of an account, so that no gap remains, and never
 * its newest event, from which the next sequence follows. Safe to run on several replicas.
 */
@Injectable()
export class RetentionService {
  @Inject(Clock) private readonly clock!: Clock;

  constructor(
    private readonly events: EventsRepository,
    private readonly passed: PassedObjectsRepository,
    private readonly accounts: PurgedAccountsRepository,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Removes events older than the retention period in both environments. */
  @PeriodicPerEnvironment('retention', ({ PURGE_INTERVAL_SECONDS }: Config) => PURGE_INTERVAL_SECONDS * 1_000)
  async purgeAll(): Promise<void> {
    const count = await this.purge(retentionStart(this.clock.now(), this.config.EVENT_RETENTION_DAYS));
    if (count > 0) this.logger.info({ count }, 'events past their retention removed');
  }

  private async purge(start: Date): Promise<number> {
    let count = 0;
    let raised: Raised[] = [];
    let oldest = await this.events.findOldestOfNextAccount('');
    while (oldest) {
      const due = oldest.timestamp < start ? await this.raise(oldest, start) : null;
      if (due) raised.push(due);
      oldest = await this.events.findOldestOfNextAccount(oldest.account);
      if (raised.length < ACCOUNTS_AT_ONCE && oldest) continue;
      count += await this.removeAll(raised);
      raised = [];
    }
    return count;
  }

  // Before anything is removed: no number that the purge frees may be assigned again.
  private async raise(
    { account, sequence }: Pick<EventDocument, 'account' | 'sequence'>,
    start: Date,
  ): Promise<Raised | null> {
    const newest = await this.events.findLastSequence(account);
    const keepFrom = (await this.events.findFirstSince(account, start)) ?? newest;
    if (sequence >= keepFrom) return null;
    await this.accounts.raise(account, keepFrom - 1, start);
    return { account, keepFrom };
  }

  private async removeAll(raised: readonly Raised[]): Promise<number> {
    if (raised.length === 0) return 0;
    await this.accounts.grace();
    let count = 0;
    for (const each of raised) count += await this.removeOf(each);
    return count;
  }

  private async removeOf({ account, keepFrom }: Raised): Promise<number> {
    let count = 0;
    for (;;) {
      const old = await this.events.findBelow(account, keepFrom, BATCH);
      if (old.length === 0) return count;
      // Marks first: the object's next event must not wait for a removed one.
      await this.passed.mark(old);
      count += await this.events.removeThrough(account, old.at(-1)!.sequence);
    }
  }
}
