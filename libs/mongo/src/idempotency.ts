import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Environment, type ErrorBody, type IdPrefix, type Operation, REASONS, type Reason } from '@swim/contracts';
import {
  type Answer,
  AppError,
  Cipher,
  errorAnswer,
  newId,
  type RequestContext,
  type ServeInterceptor,
  TooEarly,
  withPrefix,
} from '@swim/platform';
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
  /** Source of the ids of the objects that the request makes. */
  seed: string;
  state: 'running' | 'done';
  attempt: number;
  /** The lease of the current run ends then, by the database's clock. */
  leaseUntil: Date;
  error?: boolean;
  /** The stored answer, AES-256-GCM under a key derived also from the Idempotency-Key, which is not stored here. */
  answer?: Buffer;
  /** Absent for answers of a release that encrypted with the master key alone: they expire after a day. */
  needsClientKey?: boolean;
  /** Members in the answer: it is removed when one of them is erased. */
  subjects?: string[];
  /** Whether the answer was removed by an erasure. */
  forgotten?: boolean;
  createdAt: Date;
}

/** The identity of a request under one master key. */
interface Identity {
  key: Buffer;
  id: string;
  fingerprint: string;
}

/** A record, and the key that it was made under. */
interface Known {
  scope: Scope;
  record: IdempotencyRecord;
  key: Buffer;
}

/** An erased member, and the accounts that could write about it until then. */
export interface Erased {
  env: Environment;
  memberId: string;
  accountIds: readonly string[];
  erasedAt: Date;
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
    needsClientKey: Boolean,
    subjects: { type: [String], default: undefined },
    forgotten: Boolean,
    createdAt: Date,
  },
  { versionKey: false },
);
// Only cleans up: the age of a key is checked independently of this index.
recordSchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
recordSchema.index({ accountId: 1 });
recordSchema.index({ subjects: 1 }, { sparse: true });

const MEMBER_ID = /\bmem_[0-9a-z]{26}\b/g;
const subjectsOf = (body: Uint8Array): string[] => [...new Set(Buffer.from(body).toString('latin1').match(MEMBER_ID))];
// Clocks of different services' databases differ by less: an alarm reports more.
const CLOCK_SLACK_MS = 5_000;

// A concurrent change intervened: a retry of the same request may succeed.
const PASSING_CONFLICT: Reason = 'change_in_progress';

/** What happens to the record after a run: keep the answer, free the key, or leave the work to the next run. */
function fateOf(answer: Answer): 'keep' | 'free' | 'leave' {
  if (!answer.error) return 'keep';
  const { code, details } = JSON.parse(Buffer.from(answer.body).toString()) as ErrorBody;
  if (code === 'SERVER_ERROR' || details.reason === PASSING_CONFLICT) return 'leave';
  if (NEVER_STORED.has(code)) return 'free';
  const stored = code !== 'VALIDATION_ERROR' || STORED_VALIDATION.has(details.reason as Reason);
  return stored || !(details.reason in REASONS) ? 'keep' : 'free';
}

/**
 * Implements `Idempotency-Key` in the service that owns the operation: inserts a record first, so that one of several
 * concurrent requests runs; takes over after the lease; stores the answer byte for byte.
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

  async intercept(
    operation: Operation,
    context: RequestContext,
    run: (context: RequestContext) => Promise<Answer>,
  ): Promise<Answer> {
    if (context.idempotencyKey === null || context.dryRun) return run(context);
    const scope = asSystem(context.principal.env, 'the record id is derived from the account');
    const [own, ...others] = this.identitiesOf(operation, context);
    const fresh = this.newRecord(own!, context);
    if (!(await this.tryInsert(scope, fresh))) return this.repeat(scope, own!, operation, context, run);
    for (const other of others) {
      if (!(await this.lookUp(scope, other.id))) continue;
      await this.remove(scope, { _id: fresh._id, attempt: 1 });
      return this.repeat(scope, other, operation, context, run);
    }
    return this.finish({ scope, record: fresh, key: own!.key }, context, run, false);
  }

  /**
   * Removes the answers that contain an erased member; their keys stay used, and repeat nothing. Throws `TooEarly` while a
   * request that began before the erasure may still store its answer.
   */
  async forget({ env, memberId, accountIds, erasedAt }: Erased): Promise<void> {
    const scope = asSystem(env, 'an erasure removes all answers about the member');
    const running = {
      accountId: { $in: [...accountIds] },
      state: 'running',
      createdAt: { $lt: new Date(erasedAt.getTime() + CLOCK_SLACK_MS) },
      leaseUntil: { $gt: this.databases.clock.now() },
    };
    if (await this.findOne(scope, running)) throw new TooEarly('A request about the member may still be under way.');
    const gone = { $unset: { answer: 1, subjects: 1 }, $set: { forgotten: true } };
    await this.model(scope).updateMany({ subjects: memberId }, gone, { asSystem: 'an erasure' } as object);
  }

  private identitiesOf(operation: Operation, context: RequestContext): Identity[] {
    const { env, accountId } = context.principal;
    const { DATA_KEY, DATA_KEYS_ALSO_READ = [] } = this.config;
    // Some answers contain more with a certain scope: they are not replayed to a key without it, nor the other way round.
    const { reveals } = operation;
    const revealed = reveals && context.principal.scopes.includes(reveals) ? [reveals] : [];
    return [DATA_KEY, ...DATA_KEYS_ALSO_READ].map((key) => {
      const digest = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
      return {
        key,
        id: digest(`${env}|${accountId}|${operation.name}|${context.idempotencyKey}`),
        fingerprint: digest([operation.name, context.fingerprint, ...revealed].join('|')),
      };
    });
  }

  private newRecord({ id, fingerprint }: Identity, context: RequestContext): IdempotencyRecord {
    return {
      _id: id,
      accountId: context.principal.accountId,
      fingerprint,
      seed: newId('req'),
      state: 'running',
      attempt: 1,
      leaseUntil: this.databases.clock.inMs(this.config.IDEMPOTENCY_LEASE_MS),
      createdAt: this.databases.clock.now(),
    };
  }

  private async repeat(
    scope: Scope,
    { id, key, fingerprint }: Identity,
    operation: Operation,
    context: RequestContext,
    run: (context: RequestContext) => Promise<Answer>,
  ): Promise<Answer> {
    const known = await this.lookUp(scope, id);
    if (!known) return errorAnswer(inProgress());
    if (this.isOver(known)) {
      await this.remove(scope, { _id: known._id, createdAt: known.createdAt, attempt: known.attempt });
      return this.intercept(operation, context, run);
    }
    if (known.fingerprint !== fingerprint)
      return errorAnswer(new AppError('idempotency_key_reused', { field: 'Idempotency-Key' }));
    if (known.state === 'done') return replayOf(known, key, context.idempotencyKey!);
    const record = await this.takeOver(scope, known);
    if (!record) return errorAnswer(inProgress());
    return this.finish({ scope, record, key }, context, run, true);
  }

  /** Whether the key has expired and no run is in progress. */
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
    { scope, record, key }: Known,
    context: RequestContext,
    run: (context: RequestContext) => Promise<Answer>,
    resumed: boolean,
  ): Promise<Answer> {
    const answer = await run({
      ...context,
      opId: record._id.slice(0, 22),
      resumed,
      attempt: record.attempt,
      newId: (prefix: IdPrefix) => withPrefix(prefix, record.seed),
    });
    const mine = { _id: record._id, attempt: record.attempt };
    const fate = fateOf(answer);
    if (fate === 'free') await this.remove(scope, mine);
    if (fate === 'leave') await this.update(scope, mine, { $set: { leaseUntil: new Date(0) } });
    if (fate === 'keep') {
      const cipher = cipherOf(key, record.accountId, context.idempotencyKey!);
      const sealed = cipher.seal(Buffer.from(answer.body), record._id);
      const subjects = subjectsOf(answer.body);
      const kept = { state: 'done', error: answer.error, answer: sealed, needsClientKey: true };
      await this.update(scope, mine, { $set: { ...kept, ...(subjects.length > 0 ? { subjects } : {}) } });
    }
    return answer;
  }
}

function replayOf(record: IdempotencyRecord, key: Buffer, clientKey: string): Answer {
  if (record.forgotten) return errorAnswer(new AppError('resource_not_found'));
  const stored = record.answer as unknown as Buffer | { buffer: Uint8Array };
  const sealed = Buffer.isBuffer(stored) ? stored : Buffer.from(stored.buffer);
  const body = cipherOf(key, record.accountId, record.needsClientKey ? clientKey : '').open(sealed, record._id);
  return { body, error: record.error === true, pagination: null, replayed: true, retryAfterSeconds: null };
}

const inProgress = (): AppError =>
  new AppError('idempotency_in_progress', { field: 'Idempotency-Key', retryAfterSeconds: 1 });

const cipherOf = (key: Buffer, accountId: string, clientKey: string): Cipher =>
  Cipher.derived(key, `idempotency|${accountId}`, clientKey);
