import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type ErasureDocument, erasureSchema, FIRST_STEP, MEMBER_STEP } from './erasure.schema.js';

const LEASE_MS = 20_000;
const PAGE = 1_000;
const MOST_PENDING = 100_000;

/** The fields of an erasure in an exported list. */
export type Listed = Pick<ErasureDocument, '_id' | 'accountId' | 'erasedAt'>;

const REASON = 'only the service itself reads the erasures';
const SCOPE = asSystem(REASON);

/** Storage of erasures: their progress, and permanently that they took place. */
@Injectable()
export class ErasuresRepository extends Repository<ErasureDocument> {
  readonly unfinished = this.work({ name: 'erasures', due: 'nextAt', reason: REASON, leaseMs: LEASE_MS, atOnce: 8 });

  constructor(private readonly databases: Databases) {
    super(databases.collection('erasures', erasureSchema));
  }

  /** Stores the erasure of an account, which the sweep begins; an existing one stays unchanged. */
  async begin(accountId: string, erasedAt: Date): Promise<void> {
    await this.insert({ _id: accountId, accountId, erasedAt }, FIRST_STEP);
  }

  /** Stores the erasure of an account with a lease for the caller, who begins it; null when there is one already. */
  async beginHere(accountId: string, erasedAt: Date): Promise<ErasureDocument | null> {
    const isNew = await this.insert({ _id: accountId, accountId, erasedAt }, FIRST_STEP, LEASE_MS);
    return isNew ? this.find(accountId) : null;
  }

  /** Stores the erasure of a member. Idempotent. */
  async list(member: Listed): Promise<void> {
    await this.insert(member, null);
  }

  /** Restarts an erasure, whether or not it is stored. */
  async replay(listed: Listed): Promise<void> {
    const step = listed._id === listed.accountId ? FIRST_STEP : MEMBER_STEP;
    if (await this.insert(listed, step)) return;
    const repeated = { step, nextAt: this.databases.clock.now() };
    await this.update(SCOPE, { _id: listed._id }, { $set: repeated });
  }

  /** The erasures in order of id, after this one. */
  async findAfter(id: string): Promise<ErasureDocument[]> {
    return this.findMany(SCOPE, { _id: { $gt: id } }, { _id: 1 }, PAGE);
  }

  /** How many erasures are not done. */
  async countPending(): Promise<number> {
    return (await this.findPicked(SCOPE, { step: { $ne: null } }, [], { limit: MOST_PENDING })).length;
  }

  find(id: string): Promise<ErasureDocument | null> {
    return this.lookUp(SCOPE, id);
  }

  private insert({ _id, accountId, erasedAt }: Listed, step: string | null, inMs = 0): Promise<boolean> {
    const nextAt = step === null ? null : this.databases.clock.inMs(inMs);
    const document = { _id, accountId, readers: [accountId], erasedAt, step, nextAt };
    return this.tryInsert(SCOPE, document);
  }
}
