import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { IdPrefix, Operation } from '@swim/contracts';
import {
  type Answer,
  type Answered,
  AppError,
  errorAnswer,
  type RequestContext,
  resultOf,
  type ServeInterceptor,
  TooEarly,
  withPrefix,
} from '@swim/platform';
import { MONGO_CONFIG, type MongoConfig } from '../databases/mongo-config.js';
import { explainStorageFault } from '../engine/storage-fault.js';
import type { IdempotencyRecord } from './idempotency-record.schema.js';
import { IdempotencyRecords } from './idempotency-records.repository.js';
import { type Identity, identitiesOf } from './request-identity.js';
import { fateOf, replayOf, sealedAnswer } from './stored-answer.js';

/** An erased member, and the accounts that could write about it until then. */
export interface Erased {
  memberId: string;
  accountIds: readonly string[];
  erasedAt: Date;
}

// Clocks of different services' databases differ by less: an alarm reports more.
const CLOCK_SLACK_MS = 5_000;

type Run = (context: RequestContext) => Promise<Answer>;

/** A record, and the master key that it was made under. */
interface Known {
  record: IdempotencyRecord;
  key: KeyObject;
}

/**
 * Lets each write take effect once under its key, in the service that owns the operation: inserts a record first, so that one of
 * several concurrent requests runs; takes over after the lease; stores the answer byte for byte.
 */
@Injectable()
export class Idempotency implements ServeInterceptor {
  private readonly beforeRepeats = new Map<string, (answer: Answer, context: RequestContext) => Promise<void>>();

  constructor(
    private readonly records: IdempotencyRecords,
    @Inject(MONGO_CONFIG) private readonly config: MongoConfig,
  ) {}

  /** Has this work done before a stored success of an operation is repeated, whose handler does not run; a failure rejects it. */
  beforeRepeat<O extends Operation>(
    operation: O,
    work: (data: Answered<O>, context: RequestContext) => Promise<void>,
  ): void {
    this.beforeRepeats.set(operation.name, (answer, context) => work(resultOf(operation, answer), context));
  }

  explain(error: unknown): AppError | null {
    return explainStorageFault(error);
  }

  async intercept(operation: Operation, context: RequestContext, run: Run): Promise<Answer> {
    if (context.writeKey === null || context.dryRun) return run(context);
    const identities = identitiesOf(operation, context, this.config);
    const [{ key }] = identities;
    const known = { record: this.records.newRecord(context, identities[0]), key };
    const earlier = await this.store(known.record, identities, context);
    if (earlier) return this.repeat(earlier, operation, context, run);
    return this.keep(known, context, await runOnce(known.record, context, run, false));
  }

  /** Stores the record of a first run; the identity under which the key has a record already, null when it has none. */
  private async store(
    record: IdempotencyRecord,
    [own, ...others]: readonly [Identity, ...Identity[]],
    context: RequestContext,
  ): Promise<Identity | null> {
    // Before as well: a process that is killed before it has freed its record would leave one whose repetition runs.
    for (const other of others) if (await this.records.find(other.id)) return other;
    if (!(await this.records.insert(context, record))) return own;
    for (const other of others) {
      if (!(await this.records.find(other.id))) continue;
      await this.records.free(record);
      return other;
    }
    return null;
  }

  /**
   * Throws `TooEarly` while a request that began before the erasure is in progress: what it stores about the member would escape a
   * search that is made earlier.
   */
  async requireEnded(erased: Omit<Erased, 'memberId'>): Promise<void> {
    if (!(await this.haveEnded(erased))) throw new TooEarly('A request about the member may still be under way.');
  }

  /**
   * Whether the requests of these accounts that began before an erasure have ended. Runs whose lease is over store no answer from then
   * on.
   */
  haveEnded({ accountIds, erasedAt }: Omit<Erased, 'memberId'>): Promise<boolean> {
    return this.records.haveEnded(accountIds, new Date(erasedAt.getTime() + CLOCK_SLACK_MS));
  }

  /**
   * Removes the answers that contain an erased member; their keys stay used, and repeat nothing. Throws `TooEarly` while a
   * request that began before the erasure may still store its answer.
   */
  async forget(erased: Erased): Promise<void> {
    await this.requireEnded(erased);
    await this.removeAnswersAbout(erased.memberId);
  }

  /** Removes the answers stored so far that contain a member or a payment: none is repeated from then on. `forget` is final. */
  async removeAnswersAbout(id: string): Promise<void> {
    await this.records.removeAnswersAbout(id);
  }

  private async repeat(
    { id, key, fingerprint }: Identity,
    operation: Operation,
    context: RequestContext,
    run: Run,
  ): Promise<Answer> {
    const known = await this.records.find(id);
    if (!known) return errorAnswer(inProgress());
    if (this.records.isOver(known)) {
      await this.records.free(known);
      return this.intercept(operation, context, run);
    }
    if (known.fingerprint !== fingerprint)
      return errorAnswer(new AppError('idempotency_key_reused', { field: 'Idempotency-Key' }));
    if (known.state === 'done') {
      const answer = replayOf(known, { key, clientKey: context.writeKey! });
      if (!answer.error) await this.beforeRepeats.get(operation.name)?.(answer, context);
      return answer;
    }
    const record = await this.records.takeOver(context, known);
    if (!record) return errorAnswer(inProgress());
    return this.keep({ record, key }, context, await runOnce(record, context, run, true));
  }

  /** Stores the answer of a run, or ends its record without one. */
  private async keep({ record, key }: Known, context: RequestContext, answer: Answer): Promise<Answer> {
    const fate = fateOf(answer);
    if (fate === 'free') await this.records.free(record);
    if (fate === 'leave') await this.records.endLease(record);
    if (fate === 'keep') {
      const keys = { key, clientKey: context.writeKey! };
      await this.records.finish(record, sealedAnswer(record, keys, answer));
    }
    return answer;
  }
}

const runOnce = (record: IdempotencyRecord, context: RequestContext, run: Run, resumed: boolean): Promise<Answer> =>
  run({
    ...context,
    opId: record._id.slice(0, 22),
    opSeed: record.seed,
    resumed,
    attempt: record.attempt,
    newId: (prefix: IdPrefix) => withPrefix(prefix, record.seed),
  });

const inProgress = (): AppError =>
  new AppError('idempotency_in_progress', { field: 'Idempotency-Key', retryAfterSeconds: 1 });
