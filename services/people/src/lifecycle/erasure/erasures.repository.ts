import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type ErasureDocument, erasureSchema, FIRST_STEP, MEMBER_STEP } from './erasure.schema.js';

const LEASE_MS = 20_000;
const PAGE = 1_000;
const MOST_PENDING = 100_000;

/** The fields of an erasure in an exported list. */
export type Listed = Pick<ErasureDocument, '_id' | 'accountId' | 'erasedAt'>;

const REASON = 'only the service itself reads the erasures';
const scopeOf = (env: Environment) => asSystem(env, REASON);

/** Storage of erasures: their progress, and permanently that they took place. */
@Injectable()
export class ErasuresRepository extends Repository<ErasureDocument> {
  readonly unfinished = this.work({ name: 'erasures', due: 'nextAt', reason: REASON, leaseMs: LEASE_MS, atOnce: 8 });

  constructor(private readonly databases: Databases) {
    super(databases.collection('erasures', erasureSchema));
  }

  /** Stores the erasure of an account, which the sweep begins; an existing one stays unchanged. */
  async begin(env: Environment, accountId: string, erasedAt: Date): Promise<void> {
    await this.insert(env, { _id: accountId, accountId, erasedAt }, FIRST_STEP);
  }

  /** Stores the erasure of an account with a lease for the caller, who begins it; null when there is one already. */
  async beginHere(env: Environment, accountId: string, erasedAt: Date): Promise<ErasureDocument | null> {
    const isNew = await this.insert(env, { _id: accountId, accountId, erasedAt }, FIRST_STEP, LEASE_MS);
    return isNew ? this.find(env, accountId) : null;
  }

  /** Stores the erasure of a member. Idempotent. */
  async list(env: Environment, member: Listed): Promise<void> {
    await this.insert(env, member, null);
  }

  /** Restarts an erasure, whether or not it is stored. */
  async replay(env: Environment, listed: Listed): Promise<void> {
    const step = listed._id === listed.accountId ? FIRST_STEP : MEMBER_STEP;
    if (await this.insert(env, listed, step)) return;
    const repeated = { step, nextAt: this.databases.clock.now() };
    await this.update(scopeOf(env), { _id: listed._id }, { $set: repeated });
  }

  /** The erasures in order of id, after this one. */
  async findAfter(env: Environment, id: string): Promise<ErasureDocument[]> {
    return this.findMany(scopeOf(env), { _id: { $gt: id } }, { _id: 1 }, PAGE);
  }

  /** How many erasures are not done. */
  async countPending(env: Environment): Promise<number> {
    return (await this.findPicked(scopeOf(env), { step: { $ne: null } }, [], { limit: MOST_PENDING })).length;
  }

  find(env: Environment, id: string): Promise<ErasureDocument | null> {
    return this.lookUp(scopeOf(env), id);
  }

  private insert(
    env: Environment,
    { _id, accountId, erasedAt }: Listed,
    step: string | null,
    inMs = 0,
  ): Promise<boolean> {
    const nextAt = step === null ? null : this.databases.clock.inMs(inMs);
    const document = { _id, accountId, readers: [accountId], erasedAt, step, nextAt };
    return this.tryInsert(scopeOf(env), document);
  }
}
