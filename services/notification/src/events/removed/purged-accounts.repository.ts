import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { currentEnvironment, Recent } from '@swim/platform';
import type { EventDocument } from '../event.schema.js';
import { type PurgedAccount, purgedAccountSchema } from './purged-account.schema.js';

/** With this position an account gets no more events. */
export const NO_MORE = Number.MAX_SAFE_INTEGER;

const SCOPE = asSystem('the purge covers all accounts');

const REMEMBERED_ACCOUNTS = 20_000;

/**
 * Storage of the purge's position per account. Events are removed at the earliest `graceMs` after the position was raised above
 * them. So a position that was read less than `graceMs` ago covers everything that is removed by now, and needs no second
 * read.
 */
@Injectable()
export class PurgedAccountsRepository extends Repository<PurgedAccount> {
  /** Ms by this process's monotonic clock; the same in all replicas. */
  readonly graceMs: number = 2_000;
  private readonly known = new Recent<{ through: number; readAtMs: number }>(REMEMBERED_ACCOUNTS);

  constructor(databases: Databases) {
    super(databases.collection('purged_accounts', purgedAccountSchema));
  }

  /** The highest purged sequence of the account; 0 without a purge. */
  async findThrough(account: string): Promise<number> {
    return (await this.lookUp(SCOPE, account))?.through ?? 0;
  }

  /** As `findThrough`, or the position that was read less than `graceMs` ago. */
  async findRecentThrough(account: string): Promise<number> {
    const env = currentEnvironment();
    const known = this.known.get(`${env}|${account}`);
    // Taken before the read: the position may be raised right after it.
    const nowMs = performance.now();
    if (known && nowMs - known.readAtMs < this.graceMs) return known.through;
    const through = await this.findThrough(account);
    this.known.set(`${env}|${account}`, { through, readAtMs: nowMs });
    return through;
  }

  /** Resolves when events up to positions raised before this call may be removed. */
  async grace(): Promise<void> {
    await pause(this.graceMs);
  }

  /** The events among these that got a sequence after it was freed. */
  async findMisnumbered(events: readonly EventDocument[]): Promise<EventDocument[]> {
    const accounts = new Set(events.map(({ account }) => account));
    const positions = new Map((await this.lookUpAll(SCOPE, accounts)).map((each) => [each._id, each]));
    return events.filter(({ account, sequence, timestamp }) => {
      const { through = 0, before } = positions.get(account) ?? {};
      return sequence <= through && before && timestamp >= before;
    });
  }

  /** Marks an account's events up to a sequence, which are older than an instant, as purged; the mark only increases. */
  async raise(account: string, through: number, before: Date): Promise<void> {
    if (await this.tryInsert(SCOPE, { _id: account, through, before })) return;
    await this.update(SCOPE, { _id: account, through: { $lt: through } }, { $set: { through, before } });
  }
}
