import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, isDuplicate, Repository } from '@swim/mongo';
import { type Claim, type ClaimElement, type ClaimState, claimSchema, type SkippedDate } from './claim.schema.js';

const SETTLE_GRACE_MS = 3_000;

/** What a claim is to be. */
export interface NewClaim {
  key: string;
  elements: ClaimElement[];
  plan?: unknown;
  skipped?: SkippedDate[];
}

/** Whom a held claim is handed over to, and for how long it is held then. */
export interface HandOver {
  key: string;
  holdMs: number;
  plan?: unknown;
}

const scopeOf = (env: Environment) => asSystem(env, 'claims belong to resources, not to accounts');

/** Memory of claims: each move between states is one conditional update. */
@Injectable()
export class ClaimsRepository extends Repository<Claim> {
  constructor(private readonly databases: Databases) {
    super(databases.collection('claims', claimSchema));
  }

  async insertTaking(
    env: Environment,
    { key, elements, plan, skipped = [] }: NewClaim,
    leaseMs: number,
  ): Promise<Claim> {
    const until = this.databases.clock.inMs(leaseMs);
    const claim: Claim = {
      _id: randomBytes(12).toString('base64url'),
      key,
      state: 'taking',
      elements,
      holders: [...new Set(elements.flatMap((element) => element.holders))],
      skipped,
      until,
      dueAt: until,
      createdAt: this.databases.clock.now(),
      ...(plan === undefined ? {} : { plan }),
    };
    await this.tryInsert(scopeOf(env), claim);
    return claim;
  }

  findById(env: Environment, id: string): Promise<Claim | null> {
    return this.lookUp(scopeOf(env), id);
  }

  findByIds(env: Environment, ids: string[]): Promise<Claim[]> {
    return this.lookUpAll(scopeOf(env), ids);
  }

  /** The claim of this key that is held or confirmed; a confirmed one first. */
  async findLive(env: Environment, key: string): Promise<Claim | null> {
    const live = await this.findMany(scopeOf(env), { key, state: { $in: ['held', 'confirmed'] } });
    return live.find((claim) => claim.state === 'confirmed') ?? live[0] ?? null;
  }

  findDue(env: Environment, limit: number): Promise<Claim[]> {
    return this.findMany(scopeOf(env), { dueAt: { $lt: this.databases.clock.now() } }, { dueAt: 1 }, limit);
  }

  /** Gives a claim that is still being taken more time. */
  async renew(env: Environment, id: string, leaseMs: number): Promise<void> {
    const until = this.databases.clock.inMs(leaseMs);
    await this.update(scopeOf(env), { _id: id, state: 'taking' }, { $set: { until, dueAt: until } });
  }

  /** taking → held; false when it was released meanwhile. */
  markHeld(env: Environment, id: string, holdMs: number): Promise<boolean> {
    const until = this.databases.clock.inMs(holdMs);
    return this.update(scopeOf(env), { _id: id, state: 'taking' }, { $set: { state: 'held', until, dueAt: until } });
  }

  /** held under its key → held under another; false when it was released, confirmed or handed over meanwhile. */
  markHandedOver(
    env: Environment,
    { _id, key }: Pick<Claim, '_id' | 'key'>,
    { key: nextKey, holdMs, plan }: HandOver,
  ): Promise<boolean> {
    const until = this.databases.clock.inMs(holdMs);
    const set = { key: nextKey, until, dueAt: until, ...(plan === undefined ? {} : { plan }) };
    return this.update(scopeOf(env), { _id, key, state: 'held' }, { $set: set });
  }

  /** taking or held → confirmed; false when it was released meanwhile, or another claim of its key is confirmed. */
  async markConfirmed(env: Environment, { _id, key, plan }: Pick<Claim, '_id' | 'key' | 'plan'>): Promise<boolean> {
    const open = { _id, state: { $in: ['taking', 'held'] } };
    const set = { state: 'confirmed', confirmedKey: key };
    const settle = plan === undefined ? {} : { dueAt: this.databases.clock.inMs(SETTLE_GRACE_MS) };
    const unset = { until: 1, ...(plan === undefined ? { dueAt: 1 } : {}) };
    try {
      return await this.update(scopeOf(env), open, { $set: { ...set, ...settle }, $unset: unset });
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  /** What was planned has been made. */
  async markSettled(env: Environment, id: string): Promise<void> {
    await this.update(scopeOf(env), { _id: id, state: 'confirmed' }, { $unset: { plan: 1, dueAt: 1 } });
  }

  /** Any of these states → released; false when it is in none of them. */
  markReleased(env: Environment, id: string, from: ClaimState[]): Promise<boolean> {
    const release = {
      $set: { state: 'released', dueAt: this.databases.clock.now() },
      $unset: { confirmedKey: 1, until: 1, plan: 1 },
    };
    return this.update(scopeOf(env), { _id: id, state: { $in: from } }, release);
  }

  /** taking or held → released if its time is over by the database's clock. */
  markLapsed(env: Environment, id: string): Promise<boolean> {
    const open = { _id: id, state: { $in: ['taking', 'held'] } };
    return this.updateOncePast(scopeOf(env), open, 'until', { state: 'released', plan: '$$REMOVE' });
  }

  /** Whether the claim's time seems over; only a hint that saves asking the database to release it. */
  seemsLapsed(claim: Claim): boolean {
    return claim.until !== undefined && claim.until.getTime() < this.databases.clock.now().getTime();
  }

  /** One session leaves a claim; answers the claim as it is then. */
  async removeHolder(env: Environment, id: string, sessionId: string): Promise<Claim | null> {
    await this.update(scopeOf(env), { _id: id }, { $pull: { holders: sessionId } });
    return this.findById(env, id);
  }

  /** Forgets a released claim whose elements are gone. */
  async removeReleased(env: Environment, id: string): Promise<void> {
    await this.remove(scopeOf(env), { _id: id, state: 'released' });
  }

  /** Forgets a claim that never locked anything. */
  async removeUntouched(env: Environment, id: string): Promise<void> {
    await this.remove(scopeOf(env), { _id: id, state: { $in: ['taking', 'released'] } });
  }
}
