import { Injectable } from '@nestjs/common';
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

const system = asSystem('the id is the account’s own');

/** Storage of hold quotas: one document per account, so that concurrent requests cannot exceed the caps together. */
@Injectable()
export class HoldQuotasRepository extends Repository<HoldQuota> {
  constructor(databases: Databases) {
    super(databases.collection('hold_quotas', holdQuotaSchema));
  }

  /** The entries of an account, lapsed ones included. */
  async entriesOf(accountId: string): Promise<QuotaEntry[]> {
    return (await this.lookUp(system, accountId))?.holds ?? [];
  }

  /**
   * Drops lapsed entries by the database's clock and counts this hold if the caps permit it, in one update. Returns its entry,
   * or the existing one; null when the caps do not permit it.
   */
  async add(accountId: string, requested: QuotaRequest, caps: HoldCaps): Promise<QuotaEntry | null> {
    await this.tryInsert(system, { _id: accountId, holds: [] });
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
    await this.update(system, { _id: accountId }, [{ $set: { holds: { $let: { vars: { live }, in: counted } } } }]);
    return (await this.entriesOf(accountId)).find((each) => each.id === id) ?? null;
  }

  /** Drops the entries of these holds. */
  async drop(accountId: string, ids: string[]): Promise<void> {
    await this.update(system, { _id: accountId }, { $pull: { holds: { id: { $in: ids } } } });
  }
}
