import { Inject, Injectable } from '@nestjs/common';
import { newId, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { hasPassed } from '../commands/conditional-writes.js';
import { Databases } from '../databases/databases.js';
import { MONGO_CONFIG, type MongoConfig } from '../databases/mongo-config.js';
import { asSystem } from '../guard/tenant-guard.js';
import { Repository } from '../repository/repository.js';
import { type IdempotencyRecord, KEPT_SECONDS, recordSchema } from './idempotency-record.schema.js';
import type { Identity } from './request-identity.js';
import type { StoredAnswer } from './stored-answer.js';

// A command that was sent just before the deadline may be carried out this much later.
const LATE_COMMANDS_MS = 2_000;
const MOST_RUNNING = 1_000;

const SCOPE = asSystem('the record id is derived from the account');
const erasing = asSystem('an erasure removes all answers about the member');

/** Storage of the records of writes under their keys. */
@Injectable()
export class IdempotencyRecords extends Repository<IdempotencyRecord> {
  constructor(
    private readonly databases: Databases,
    @Inject(MONGO_CONFIG) private readonly config: MongoConfig,
  ) {
    super(databases.collection('idempotency', recordSchema));
  }

  /** The record of a first run, with its lease, which is not stored yet. */
  newRecord(context: RequestContext, { id, fingerprint }: Identity): IdempotencyRecord {
    return {
      _id: id,
      accountId: context.principal.accountId,
      fingerprint,
      seed: newId('req'),
      state: 'running',
      attempt: 1,
      leaseUntil: this.databases.clock.inMs(this.leaseMs(context)),
      createdAt: this.databases.clock.now(),
    };
  }

  /**
   * Stores the record of a first run; false when the key has a record. Throws `deadline_exceeded`: a request that is too late
   * would leave its key in progress for a lease.
   */
  insert({ deadline }: RequestContext, record: IdempotencyRecord): Promise<boolean> {
    return this.tryInsert(SCOPE, record, deadline);
  }

  find(id: string): Promise<IdempotencyRecord | null> {
    return this.lookUp(SCOPE, id);
  }

  /** Whether the key has expired and no run is in progress. */
  isOver({ createdAt, state, leaseUntil }: IdempotencyRecord): boolean {
    const { clock } = this.databases;
    return createdAt < clock.inMs(-KEPT_SECONDS * 1_000) && (state === 'done' || leaseUntil < clock.now());
  }

  /** Begins the next run if the lease of the current one is over; null when another request did, or it is not over. */
  async takeOver(context: RequestContext, known: IdempotencyRecord): Promise<IdempotencyRecord | null> {
    const attempt = known.attempt + 1;
    const running = { _id: known._id, state: 'running', attempt: known.attempt };
    const lease = { attempt, leaseUntil: { $add: ['$$NOW', this.leaseMs(context)] } };
    return (await this.updateIf(SCOPE, running, hasPassed('leaseUntil'), lease)) ? { ...known, attempt } : null;
  }

  // After its deadline a run commits nothing: the next one need not wait longer.
  private leaseMs({ deadline }: RequestContext): number {
    return Math.ceil(Math.max(0, Math.min(deadline.remainingMs(), this.config.IDEMPOTENCY_LEASE_MS)));
  }

  /** Stores the answer of a run, unless it is superseded. */
  async finish(record: IdempotencyRecord, answer: StoredAnswer): Promise<void> {
    await this.update(SCOPE, runOf(record), { $set: { state: 'done', ...answer } });
  }

  /** Ends the lease of a run, so that the next request resumes the work. */
  async endLease(record: IdempotencyRecord): Promise<void> {
    await this.update(SCOPE, runOf(record), { $set: { leaseUntil: new Date(0) } });
  }

  /** Removes the record, unless it changed: its key is new again. */
  async free(record: IdempotencyRecord): Promise<void> {
    await this.remove(SCOPE, { ...runOf(record), createdAt: record.createdAt });
  }

  /**
   * Whether the runs of these accounts whose requests began before this instant have ended. Those whose lease is over are superseded,
   * without another run: a process that was paused meanwhile stores no answer.
   */
  async haveEnded(accountIds: readonly string[], before: Date): Promise<boolean> {
    const running = { accountId: { $in: [...accountIds] }, state: 'running', createdAt: { $lt: before } };
    const fields = ['seed', 'attempt', 'leaseUntil'] as const;
    const found = await this.findPicked(erasing, running, fields, { limit: MOST_RUNNING });
    const lastCommand = this.databases.clock.inMs(-LATE_COMMANDS_MS);
    if (found.length === MOST_RUNNING || found.some(({ leaseUntil }) => leaseUntil > lastCommand)) return false;
    await Promise.all(found.map((run) => this.update(erasing, runOf(run), { $inc: { attempt: 1 } })));
    return true;
  }

  /** Removes the answers that contain a member or a payment; their keys stay used. */
  async removeAnswersAbout(id: string): Promise<void> {
    const gone = { $unset: { answer: 1, warnings: 1, subjects: 1 }, $set: { forgotten: true } };
    // States the condition of the partial index, which is used only then.
    const about = { subjects: mongoose.trusted({ $type: 'string', $in: [id] }) };
    await this.model(erasing).updateMany(about as object, gone, { asSystem: 'an erasure' } as object);
  }
}

// With the seed: a late run may not end a later record of the same key.
const runOf = ({ _id, seed, attempt }: Pick<IdempotencyRecord, '_id' | 'seed' | 'attempt'>) => ({ _id, seed, attempt });
