import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type HoldQuota, holdQuotaSchema, type QuotaEntry } from './hold-quota.schema.js';

/** How much an account may hold at once. */
export interface HoldCaps {
  holds: number;
  minutes: number;
}

/** A hold to count, for at most `lastsMs` from now on. */
export interface QuotaRequest {
  id: string;
  minutes: number;
  lastsMs: number;
}

const scopeOf = (env: Environment) => asSystem(env, 'the id is the account’s own');

/** Storage of hold quotas: one document per account, so that concurrent requests cannot exceed the caps together. */
@Injectable()
export class HoldQuotasRepository extends Repository<HoldQuota> {
  constructor(databases: Databases) {
    super(databases.collection('hold_quotas', holdQuotaSchema));
  }

  /** The entries of an account, lapsed ones included. */
  async entriesOf(env: Environment, accountId: string): Promise<QuotaEntry[]> {
    return (await this.lookUp(scopeOf(env), accountId))?.holds ?? [];
  }

  /**
   * Drops lapsed entries by the database's clock and counts this hold if the caps permit it, in one update. Returns its entry,
   * or the existing one; null when the caps do not permit it.
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

  /** Drops the entries of these holds. */
  async drop(env: Environment, accountId: string, ids: string[]): Promise<void> {
    await this.update(scopeOf(env), { _id: accountId }, { $pull: { holds: { id: { $in: ids } } } });
  }
}
