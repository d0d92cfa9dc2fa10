import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type ErrorBody, type IdPrefix, type Operation, REASONS, type Reason } from '@swim/contracts';
import { type Answer, type Call, refusalAnswer, type ServeInterceptor } from '@swim/messaging';
import { AppError, Cipher, newId, withPrefix } from '@swim/platform';
import { Schema } from 'mongoose';
import { Databases } from './databases.js';
import { MONGO_CONFIG, type MongoConfig } from './mongo-config.js';
import { Repository } from './repository.js';
import { explainStorageFault } from './storage-fault.js';
import { asSystem, type Scope } from './tenant-guard.js';

const KEPT_SECONDS = 24 * 3600;
const NEVER_STORED = new Set<string>(['AUTHENTICATION_ERROR', 'AUTHORIZATION_ERROR', 'RATE_LIMIT_EXCEEDED']);
const STORED_VALIDATION = new Set<Reason>(['card_declined', 'authentication_required']);

interface IdempotencyRecord {
  _id: string;
  accountId: string;
  fingerprint: string;
  /** Id that what is made takes over, under its own prefix. */
  seed: string;
  state: 'running' | 'done';
  attempt: number;
  /** Until when, by the database's clock, the run at hand is believed alive. */
  leaseUntil: Date;
  error?: boolean;
  /** The stored answer, AES-256-GCM. */
  answer?: Buffer;
  createdAt: Date;
}

const recordSchema = new Schema<IdempotencyRecord>(
  {
    _id: String,
    accountId: String,
    fingerprint: String,
    seed: String,
    state: String,
    attempt: Number,
    leaseUntil: Date,
    error: Boolean,
    answer: Buffer,
    createdAt: Date,
  },
  { versionKey: false },
);
// Only cleans up: whether a key still counts is never decided by when this index gets to it.
recordSchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
recordSchema.index({ accountId: 1 });

// Another change was in the way for a moment: the same request may well succeed now.
const PASSING_CONFLICT: Reason = 'change_in_progress';

/** What becomes of the record after a run: the answer is kept, or the key is free again, or the next one takes over. */
function fateOf(answer: Answer): 'keep' | 'free' | 'leave' {
  if (!answer.error) return 'keep';
  const { code, details } = JSON.parse(Buffer.from(answer.body).toString()) as ErrorBody;
  if (code === 'SERVER_ERROR' || details.reason === PASSING_CONFLICT) return 'leave';
  if (NEVER_STORED.has(code)) return 'free';
  const stored = code !== 'VALIDATION_ERROR' || STORED_VALIDATION.has(details.reason as Reason);
  return stored || !(details.reason in REASONS) ? 'keep' : 'free';
}

/**
 * Keeps the contract of `Idempotency-Key` in the service that owns the operation: insert first, so that of any number of
 * racers one runs; a lapsed lease is taken over; the answer is stored byte for byte.
 */
@Injectable()
export class Idempotency extends Repository<IdempotencyRecord> implements ServeInterceptor {
  constructor(
    private readonly databases: Databases,
    @Inject(MONGO_CONFIG) private readonly config: MongoConfig,
  ) {
    super(databases.collection('idempotency', recordSchema));
  }

  explain(error: unknown): AppError | null {
    return explainStorageFault(error);
  }

  async intercept(operation: Operation, call: Call, run: (call: Call) => Promise<Answer>): Promise<Answer> {
    if (call.idempotencyKey === null || call.dryRun) return run(call);
    const { env, accountId } = call.principal;
    const scope = asSystem(env, 'the record id is made of the account');
    const fresh = this.newRecord(operation, call, `${env}|${accountId}|${operation.name}|${call.idempotencyKey}`);
    if (await this.tryInsert(scope, fresh)) return this.finish(scope, fresh, call, run, false);
    const known = await this.findOne(scope, { _id: fresh._id });
    if (!known) return refusalAnswer(new AppError('idempotency_in_progress', { retryAfterSeconds: 1 }));
    if (this.isOver(known)) {
      await this.remove(scope, { _id: known._id, createdAt: known.createdAt, attempt: known.attempt });
      return this.intercept(operation, call, run);
    }
    if (known.fingerprint !== fresh.fingerprint)
      return refusalAnswer(new AppError('idempotency_key_reused', { field: 'Idempotency-Key' }));
    if (known.state === 'done') return this.replay(known);
    const taken = await this.takeOver(scope, known);
    if (!taken) return refusalAnswer(new AppError('idempotency_in_progress', { retryAfterSeconds: 1 }));
    return this.finish(scope, taken, call, run, true);
  }

  private newRecord(operation: Operation, call: Call, identity: string): IdempotencyRecord {
    const digest = (text: string) => createHmac('sha256', this.config.DATA_KEY).update(text).digest('base64url');
    return {
      _id: digest(identity),
      accountId: call.principal.accountId,
      fingerprint: digest(`${operation.name}|${call.fingerprint}`),
      seed: newId('req'),
      state: 'running',
      attempt: 1,
      leaseUntil: this.databases.clock.inMs(this.config.IDEMPOTENCY_LEASE_MS),
      createdAt: this.databases.clock.now(),
    };
  }

  /** Whether the key has been kept its time and nobody works under it any more. */
  private isOver({ createdAt, state, leaseUntil }: IdempotencyRecord): boolean {
    const { clock } = this.databases;
    return createdAt < clock.inMs(-KEPT_SECONDS * 1_000) && (state === 'done' || leaseUntil < clock.now());
  }

  private async takeOver(scope: Scope, known: IdempotencyRecord): Promise<IdempotencyRecord | null> {
    const attempt = known.attempt + 1;
    const running = { _id: known._id, state: 'running', attempt: known.attempt };
    const lease = { attempt, leaseUntil: { $add: ['$$NOW', this.config.IDEMPOTENCY_LEASE_MS] } };
    return (await this.updateOncePast(scope, running, 'leaseUntil', lease)) ? { ...known, attempt } : null;
  }

  private async finish(
    scope: Scope,
    record: IdempotencyRecord,
    call: Call,
    run: (call: Call) => Promise<Answer>,
    retaken: boolean,
  ): Promise<Answer> {
    const answer = await run({
      ...call,
      opId: record._id.slice(0, 22),
      retaken,
      newId: (prefix: IdPrefix) => withPrefix(prefix, record.seed),
    });
    const mine = { _id: record._id, attempt: record.attempt };
    const fate = fateOf(answer);
    if (fate === 'free') await this.remove(scope, mine);
    if (fate === 'leave') await this.update(scope, mine, { $set: { leaseUntil: new Date(0) } });
    if (fate === 'keep') {
      const sealed = this.cipher(record.accountId).seal(Buffer.from(answer.body), record._id);
      await this.update(scope, mine, { $set: { state: 'done', error: answer.error, answer: sealed } });
    }
    return answer;
  }

  private replay(record: IdempotencyRecord): Answer {
    const stored = record.answer as unknown as Buffer | { buffer: Uint8Array };
    const sealed = Buffer.isBuffer(stored) ? stored : Buffer.from(stored.buffer);
    const body = this.cipher(record.accountId).open(sealed, record._id);
    return { body, error: record.error === true, pagination: null, replayed: true, retryAfterSeconds: null };
  }

  private cipher(accountId: string): Cipher {
    return Cipher.derived(this.config.DATA_KEY, `idempotency|${accountId}`);
  }
}
