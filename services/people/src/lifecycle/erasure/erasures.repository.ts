import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, hasPassed, Repository } from '@swim/mongo';
import { FIRST, type Next, type Step } from './erasure.rules.js';
import { type ErasureDocument, erasureSchema } from './erasure.schema.js';

const LEASE_MS = 20_000;
const PAGE = 1_000;
const MOST_PENDING = 100_000;

/** The fields of an erasure in an exported list. */
export type Listed = Pick<ErasureDocument, '_id' | 'accountId' | 'erasedAt'>;

const scopeOf = (env: Environment) => asSystem(env, 'only the service itself reads the erasures');

/** Storage of erasures: their progress, and permanently that they took place. */
@Injectable()
export class ErasuresRepository extends Repository<ErasureDocument> {
  constructor(private readonly databases: Databases) {
    super(databases.collection('erasures', erasureSchema));
  }

  /** Stores the erasure of an account, which the sweep begins; an existing one stays unchanged. */
  async begin(env: Environment, accountId: string, erasedAt: Date): Promise<void> {
    await this.insert(env, { _id: accountId, accountId, erasedAt }, FIRST.step);
  }

  /** Stores the erasure of an account with a lease for the caller, who begins it; null when there is one already. */
  async beginHere(env: Environment, accountId: string, erasedAt: Date): Promise<ErasureDocument | null> {
    const isNew = await this.insert(env, { _id: accountId, accountId, erasedAt }, FIRST.step, LEASE_MS);
    return isNew ? this.find(env, accountId) : null;
  }

  /** Stores the erasure of a member. Idempotent. */
  async list(env: Environment, member: Listed): Promise<void> {
    await this.insert(env, member, null);
  }

  /** Restarts an erasure, whether or not it is stored. */
  async replay(env: Environment, listed: Listed): Promise<void> {
    const step = listed._id === listed.accountId ? FIRST.step : 'member';
    if (await this.insert(env, listed, step)) return;
    const repeated = { step, round: FIRST.round, nextAt: this.databases.clock.now() };
    await this.update(scopeOf(env), { _id: listed._id }, { $set: repeated, $inc: { attempt: 1 } });
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

  /** Due erasures, the most overdue first. */
  findDue(env: Environment, limit: number): Promise<ErasureDocument[]> {
    return this.findDueBy(scopeOf(env), 'nextAt', this.databases.clock.now(), limit);
  }

  /** Takes over an overdue erasure; null when another replica did. */
  async takeOver(env: Environment, found: ErasureDocument): Promise<ErasureDocument | null> {
    const { _id, nextAt, attempt } = found;
    const lease = { attempt: attempt + 1, nextAt: { $add: ['$$NOW', LEASE_MS] } };
    const taken = await this.updateIf(scopeOf(env), { _id, nextAt, attempt }, hasPassed('nextAt'), lease);
    return taken ? { ...found, attempt: attempt + 1 } : null;
  }

  /** Stores the progress, with a new lease if it continues at once; null when it was taken over. */
  async advance(
    env: Environment,
    now: ErasureDocument,
    { step, round, waitMs }: Next,
  ): Promise<ErasureDocument | null> {
    const { _id, attempt } = now;
    const nextAt = step === null ? null : this.databases.clock.inMs(waitMs > 0 ? waitMs : LEASE_MS);
    const set = { step, round, nextAt };
    return (await this.update(scopeOf(env), { _id, attempt }, { $set: set })) ? { ...now, ...set } : null;
  }

  private insert(
    env: Environment,
    { _id, accountId, erasedAt }: Listed,
    step: Step | null,
    inMs = 0,
  ): Promise<boolean> {
    const nextAt = step === null ? null : this.databases.clock.inMs(inMs);
    const document = { _id, accountId, readers: [accountId], erasedAt, step, round: FIRST.round, attempt: 0, nextAt };
    return this.tryInsert(scopeOf(env), document);
  }
}
