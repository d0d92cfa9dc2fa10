import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type HoldQuota, holdQuotaSchema, type QuotaEntry } from './hold-quota.schema.js';

/** How much an account may hold at once. */
export interface HoldCaps {
  holds: number;
  minutes: number;
}

/** A hold that is to count, for at most `lastsMs` from now on. */
export interface QuotaRequest {
  id: string;
  minutes: number;
  lastsMs: number;
}

const scopeOf = (env: Environment) => asSystem(env, 'the id is that of the account that asks');

/** Memory of what accounts hold: one document each, so that racing requests cannot exceed the caps together. */
@Injectable()
export class HoldQuotasRepository extends Repository<HoldQuota> {
  constructor(databases: Databases) {
    super(databases.collection('hold_quotas', holdQuotaSchema));
  }

  /** What is counted of an account, lapsed entries included. */
  async entriesOf(env: Environment, accountId: string): Promise<QuotaEntry[]> {
    return (await this.lookUp(scopeOf(env), accountId))?.holds ?? [];
  }

  /**
   * Drops what has lapsed by the database's clock and counts this hold too if the caps allow it, in one update. Its entry,
   * an earlier one if it is counted already; null when the caps do not allow it.
   */
  async add(env: Environment, accountId: string, requested: QuotaRequest, caps: HoldCaps): Promise<QuotaEntry | null> {
    const scope = scopeOf(env);
    await this.tryInsert(scope, { _id: accountId, holds: [] });
    const { id, minutes, lastsMs } = requested;
    const live = { $filter: { input: '$holds', as: 'hold', cond: { $gt: ['$$hold.until', '$$NOW'] } } };
    const isCounted = { $in: [id, '$$live.id'] };
    const hasPlace = {
      $and: [
        { $lt: [{ $size: '$$live' }, caps.holds] },
        { $lte: [{ $add: [{ $sum: '$$live.minutes' }, minutes] }, caps.minutes] },
      ],
    };
    const entry = { id, minutes, until: { $add: ['$$NOW', lastsMs] } };
    const counted = {
      $cond: [{ $and: [{ $not: [isCounted] }, hasPlace] }, { $concatArrays: ['$$live', [entry]] }, '$$live'],
    };
    await this.update(scope, { _id: accountId }, [{ $set: { holds: { $let: { vars: { live }, in: counted } } } }]);
    return (await this.entriesOf(env, accountId)).find((each) => each.id === id) ?? null;
  }

  /** These holds count no more. */
  async drop(env: Environment, accountId: string, ids: string[]): Promise<void> {
    await this.update(scopeOf(env), { _id: accountId }, { $pull: { holds: { id: { $in: ids } } } });
  }
}
