import { Injectable } from '@nestjs/common';
import { asSystem, Databases, type Filter, hasNotPassed, hasPassed, isDuplicate, Repository } from '@swim/mongo';
import { type Deadline, nextRandomBytes } from '@swim/platform';
import mongoose from 'mongoose';
import { type Claim, type ClaimElement, type ClaimState, claimSchema, type SkippedDate } from './claim.schema.js';

const FULFIL_GRACE_MS = 3_000;
// Longer than any run of a request, and than its idempotency key is kept.
const FENCE_KEPT_MS = 25 * 3_600_000;
// Earlier runs have ended long ago.
const MOST_FENCED = 4;
const NEVER = new Date('9999-12-31T00:00:00.000Z');

/**
 * The run of a request that claims, and its deadline. A commit after the deadline, or after a later run has fenced it off,
 * changes nothing.
 */
export interface Fence {
  attempt: number;
  deadline: Deadline;
}

/** A claim to insert. */
export interface NewClaim {
  key: string;
  elements: ClaimElement[];
  plan?: unknown;
  skipped?: SkippedDate[];
  /** Absent: no other run competes, and there is no deadline. */
  fence?: Fence;
}

/** The new owner of a held claim, and how long the claim is held then. */
export interface HandOver {
  key: string;
  holdMs: number;
  plan?: unknown;
}

const REASON = 'claims belong to resources, not to accounts';
const system = asSystem(REASON);

/** The booking that a held claim is converted for, and its plan. */
export interface Conversion {
  key: string;
  plan: unknown;
  fence: Fence;
}

const confirmedKeyOf = (key: string, attempt = 1): string => (attempt === 1 ? key : `${key}/${attempt}`);

/** Storage of claims: each transition between states is one conditional update. */
@Injectable()
export class ClaimsRepository extends Repository<Claim> {
  /** Claims that were taken or fulfilled in part. They share commands: after an outage there may be thousands. */
  readonly unfinished = this.work({ name: 'claims', due: 'dueAt', reason: REASON, atOnce: 100 });

  constructor(private readonly databases: Databases) {
    super(databases.collection('claims', claimSchema));
  }

  async insertTaking({ key, elements, plan, skipped = [], fence }: NewClaim, leaseMs: number): Promise<Claim> {
    const until = this.databases.clock.inMs(leaseMs);
    const claim: Claim = {
      _id: nextRandomBytes(12).toString('base64url'),
      key,
      state: 'taking',
      elements,
      holders: [...new Set(elements.map(({ holder }) => holder))],
      skipped,
      ...(fence && { attempt: fence.attempt, commitBy: fence.deadline.at }),
      until,
      dueAt: until,
      createdAt: this.databases.clock.now(),
      ...(plan === undefined ? {} : { plan }),
    };
    await this.tryInsert(system, claim);
    return claim;
  }

  findById(id: string): Promise<Claim | null> {
    return this.lookUp(system, id);
  }

  findByIds(ids: string[]): Promise<Claim[]> {
    return this.lookUpAll(system, ids);
  }

  /** The claim of this key that is held or confirmed; a confirmed one first. */
  async findLive(key: string): Promise<Claim | null> {
    const live = await this.findMany(system, { key, state: { $in: ['held', 'confirmed'] } });
    return live.find((claim) => claim.state === 'confirmed') ?? live[0] ?? null;
  }

  /** Confirmed claims older than this that are fulfilled, in order of id. */
  findUnwatched(afterId: string, olderThanMs: number, limit: number): Promise<Claim[]> {
    const createdAt = { $lt: this.databases.clock.inMs(-olderThanMs) };
    const fulfilled = { _id: { $gt: afterId }, state: 'confirmed', dueAt: { $exists: false }, createdAt };
    return this.findMany(system, fulfilled, { _id: 1 }, limit);
  }

  /** Extends the lease of a claim in `taking`. */
  async renew(id: string, leaseMs: number): Promise<void> {
    const until = this.databases.clock.inMs(leaseMs);
    await this.update(system, { _id: id, state: 'taking' }, { $set: { until, dueAt: until } });
  }

  /** taking → held; false when it was released meanwhile, or after the deadline of its request. */
  markHeld({ _id, commitBy = NEVER }: Pick<Claim, '_id' | 'commitBy'>, holdMs: number): Promise<boolean> {
    const until = this.databases.clock.inMs(holdMs);
    return this.updateIf(system, { _id, state: 'taking' }, hasNotPassed(commitBy), {
      state: 'held',
      until,
      dueAt: until,
    });
  }

  /** held under its key → held under another; false when it was released, confirmed or handed over meanwhile. */
  markHandedOver({ _id, key }: Pick<Claim, '_id' | 'key'>, { key: nextKey, holdMs, plan }: HandOver): Promise<boolean> {
    const until = this.databases.clock.inMs(holdMs);
    const set = { key: nextKey, until, dueAt: until, ...(plan === undefined ? {} : { plan }) };
    return this.update(system, { _id, key, state: 'held' }, { $set: set });
  }

  /**
   * taking or held → confirmed; false when it was released meanwhile, another claim of its key is confirmed, its attempt is
   * fenced off, or the deadline of its request has passed.
   */
  markConfirmed({
    _id,
    key,
    plan,
    attempt,
    commitBy = NEVER,
  }: Pick<Claim, '_id' | 'key' | 'plan' | 'attempt' | 'commitBy'>): Promise<boolean> {
    const open = { _id, state: { $in: ['taking', 'held'] } };
    return this.confirm(open, commitBy, this.confirmed(key, attempt, plan));
  }

  /** held under its key → confirmed under another; false as for `markConfirmed`, or when it was handed over meanwhile. */
  markConverted({ _id, key }: Pick<Claim, '_id' | 'key'>, to: Conversion): Promise<boolean> {
    const { attempt } = to.fence;
    const set = { key: to.key, attempt, plan: { $literal: to.plan }, ...this.confirmed(to.key, attempt, to.plan) };
    return this.confirm({ _id, key, state: 'held' }, to.fence.deadline.at, set);
  }

  /** Prevents the confirmation of attempts of this key up to this one, now and later. Confirmed ones stay. */
  async fenceOff(key: string, upTo: number): Promise<void> {
    const attempts = Array.from({ length: Math.min(upTo, MOST_FENCED) }, (_, index) => upTo - index);
    const fences = attempts.map((attempt) => ({
      _id: `${key}/${attempt}`,
      key,
      state: 'released' as const,
      elements: [],
      holders: [],
      skipped: [],
      attempt,
      confirmedKey: confirmedKeyOf(key, attempt),
      dueAt: this.databases.clock.inMs(FENCE_KEPT_MS),
      createdAt: this.databases.clock.now(),
    }));
    await this.tryInsertAll(system, fences);
  }

  /** Whether a later run has fenced off the run of a request that made this claim. */
  async isFencedOff({ key, attempt }: Pick<Claim, 'key' | 'attempt'>): Promise<boolean> {
    return attempt !== undefined && (await this.findById(`${key}/${attempt}`)) !== null;
  }

  /** Notes that the time of a claim was given up for good; false when its plan was made. */
  markOver(id: string): Promise<boolean> {
    return this.update(system, { _id: id, plan: { $exists: true } }, { $set: { over: true } });
  }

  /** Those of these claims whose time was given up before their plan was made. */
  async findOver(ids: string[]): Promise<string[]> {
    const over = { _id: { $in: ids }, over: true };
    return (await this.findPicked(system, over, [], { limit: ids.length })).map(({ _id }) => _id);
  }

  /** Removes notes and metadata from the plans of claims of a member, whose sessions' events have neither. */
  async clearPlans(memberId: string): Promise<void> {
    // States the condition of the partial index: a claim with a plan is due.
    const planned = { dueAt: mongoose.trusted({ $type: 'date' }), 'plan.sessions.memberId': memberId };
    const cleared = { $set: { 'plan.metadata': [] }, $unset: { 'plan.sealedNotes': 1 } };
    await this.model(system).updateMany(planned as object, cleared, { asSystem: REASON } as object);
  }

  /** Ends the plans of these claims, whose sessions or moves are stored and published; not of those that are over. Returns of how many. */
  async markFulfilled(ids: string[]): Promise<number> {
    const among = mongoose.trusted({ $in: ids });
    const confirmed = { _id: among, state: 'confirmed', over: mongoose.trusted({ $exists: false }) };
    const options = { asSystem: REASON } as object;
    const ended = { $unset: { plan: 1, dueAt: 1 } };
    return (await this.model(system).updateMany(confirmed as object, ended, options)).matchedCount;
  }

  /** Any of these states → released; false when it is in none of them. */
  markReleased(id: string, from: ClaimState[]): Promise<boolean> {
    const release = {
      $set: { state: 'released', dueAt: this.databases.clock.now() },
      $unset: { confirmedKey: 1, until: 1, plan: 1 },
    };
    return this.update(system, { _id: id, state: { $in: from } }, release);
  }

  /** taking or held → released if it has expired by the database's clock. */
  markLapsed(id: string): Promise<boolean> {
    const open = { _id: id, state: { $in: ['taking', 'held'] } };
    return this.updateIf(system, open, hasPassed('until'), { state: 'released', plan: '$$REMOVE' });
  }

  /** Whether the claim seems expired: a hint by the replica's clock that saves a conditional update. */
  seemsLapsed(claim: Claim): boolean {
    return claim.until !== undefined && claim.until.getTime() < this.databases.clock.now().getTime();
  }

  /** Removes these holders from a claim; returns the claim after the update. */
  async removeHolders(id: string, leaving: readonly string[]): Promise<Claim | null> {
    const options = { returnDocument: 'after', asSystem: REASON } as object;
    const some = mongoose.trusted({ $in: leaving });
    const left = await this.model(system)
      .findOneAndUpdate({ _id: id, holders: some } as object, { $pullAll: { holders: leaving } } as object, options)
      .lean();
    return (left as Claim | null) ?? this.findById(id);
  }

  /** Stores a claim in state `held` for `holdMs`; an existing claim of this id stays unchanged. */
  async insertHeld(id: string, { key, elements }: NewClaim, holdMs: number): Promise<void> {
    const until = this.databases.clock.inMs(holdMs);
    await this.tryInsert(system, {
      _id: id,
      key,
      state: 'held',
      elements,
      holders: [id],
      skipped: [],
      until,
      dueAt: until,
      createdAt: this.databases.clock.now(),
    });
  }

  /** Removes a released claim that has no elements on any day. */
  async removeReleased(id: string): Promise<void> {
    await this.remove(system, { _id: id, state: 'released' });
  }

  /** Removes a confirmed claim that has no elements on any day, unless some of its holders have left it since it was read; returns whether it did. */
  removeOf({ _id, holders }: Claim): Promise<boolean> {
    return this.remove(system, { _id, state: 'confirmed', holders });
  }

  /** Removes confirmed claims that have no elements on any day. */
  async removeConfirmed(ids: string[]): Promise<void> {
    const ended = { _id: mongoose.trusted({ $in: ids }), state: 'confirmed' };
    await this.model(system).deleteMany(ended as object, { asSystem: REASON } as object);
  }

  /** Removes a claim that never locked a day. */
  async removeUntouched(id: string): Promise<void> {
    await this.remove(system, { _id: id, state: { $in: ['taking', 'released'] } });
  }

  private confirmed(key: string, attempt: number | undefined, plan: unknown): Record<string, unknown> {
    const dueAt = plan === undefined ? '$$REMOVE' : this.databases.clock.inMs(FULFIL_GRACE_MS);
    return { state: 'confirmed', confirmedKey: confirmedKeyOf(key, attempt), until: '$$REMOVE', dueAt };
  }

  private async confirm(filter: Filter, commitBy: Date, set: Record<string, unknown>): Promise<boolean> {
    try {
      return await this.updateIf(system, filter, hasNotPassed(commitBy), set);
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }
}
