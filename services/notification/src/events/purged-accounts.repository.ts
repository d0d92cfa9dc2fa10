import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type PurgedAccount, purgedAccountSchema } from './purged-account.schema.js';

/** With this position an account gets no more events. */
export const NO_MORE = Number.MAX_SAFE_INTEGER;

const scopeOf = (env: Environment) => asSystem(env, 'the purge covers all accounts');

/** Storage of the purge's position per account. */
@Injectable()
export class PurgedAccountsRepository extends Repository<PurgedAccount> {
  constructor(databases: Databases) {
    super(databases.collection('purged_accounts', purgedAccountSchema));
  }

  /** The highest purged sequence of the account; 0 without a purge. */
  async findThrough(env: Environment, account: string): Promise<number> {
    return (await this.lookUp(scopeOf(env), account))?.through ?? 0;
  }

  /** Marks an account's events up to a sequence as purged; the mark only increases. */
  async raise(env: Environment, account: string, through: number): Promise<void> {
    if (await this.tryInsert(scopeOf(env), { _id: account, through })) return;
    await this.update(scopeOf(env), { _id: account, through: { $lt: through } }, { $set: { through } });
  }
}
