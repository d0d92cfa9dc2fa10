import { Inject, Injectable } from '@nestjs/common';
import type { Environment, Page } from '@swim/contracts';
import {
  AggregateRepository,
  asSystem,
  Databases,
  dueBy,
  FreeTexts,
  isSealed,
  type ListQuery,
  type Managed,
  OutboxRelay,
} from '@swim/mongo';
import { CONFIG, CursorCodec, type RequestContext } from '@swim/platform';
import type { Config } from '../config.js';
import { delayMsAfter } from '../payments/payment.rules.js';
import { moveOf, queryMsAfter, retryMsAfter, type StepResult } from './refund.rules.js';
import { type RefundDocument, refundSchema } from './refund.schema.js';

/** The fields of a new refund. */
export type NewRefund = Pick<
  RefundDocument,
  | '_id'
  | 'readers'
  | 'origin'
  | 'paymentId'
  | 'bookingId'
  | 'accountId'
  | 'isAutomatic'
  | 'requestedCents'
  | 'amountCents'
  | 'currency'
  | 'reason'
>;

type Changes = Partial<Omit<RefundDocument, Managed | '_id'>>;

const MOST_COUNTED = 1_000;

const scopeOf = (env: Environment) => asSystem(env, 'refunds in progress have no readers yet');

const placeOf = ({ _id, accountId }: Pick<RefundDocument, '_id' | 'accountId'>) => ({
  owner: { accountId, id: accountId },
  field: 'reason',
  documentId: _id,
});

/** Storage of refunds. Every write is conditional on `rev`: a superseded run writes nothing and gets null. */
@Injectable()
export class RefundsRepository extends AggregateRepository<RefundDocument> {
  @Inject(CONFIG) private readonly config!: Config;

  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
    private readonly texts: FreeTexts,
  ) {
    super(databases.collection('refunds', refundSchema), relay);
  }

  protected override opened(env: Environment, stored: RefundDocument[]): Promise<RefundDocument[]> {
    return Promise.all(stored.map((refund) => this.openReason(env, refund)));
  }

  protected override async sealed<F extends Partial<RefundDocument>>(
    env: Environment,
    fields: F,
    of: RefundDocument,
  ): Promise<F> {
    if (typeof fields.reason !== 'string') return fields;
    return { ...fields, reason: await this.texts.seal(env, fields.reason, placeOf(of)) };
  }

  /** Stores a refund as pending; an existing one of an earlier run is returned unchanged. */
  insertPending(context: RequestContext, refund: NewRefund): Promise<RefundDocument> {
    return this.create(context, {
      ...refund,
      status: 'pending',
      failures: 0,
      failureCode: null,
      step: refund.isAutomatic ? 'refund' : 'reserve',
      attempt: 1,
      nextAt: this.leaseEnd(),
      refusal: null,
    });
  }

  /** A refund, regardless of its readers. */
  findById(env: Environment, id: string): Promise<RefundDocument | null> {
    return this.lookUp(scopeOf(env), id);
  }

  /** Refunds that the account may see, of one payment or of all, newest first. */
  list(filter: { paymentId?: string }, query: ListQuery, { principal }: RequestContext): Promise<Page<RefundDocument>> {
    return this.listPage(principal, query, { name: 'payment.listRefunds', filter, cursors: this.cursors });
  }

  /** How many refunds a payment has; at most `most`. */
  async countOf(env: Environment, paymentId: string, most: number): Promise<number> {
    return (await this.findPicked(scopeOf(env), { paymentId }, [], { limit: most })).length;
  }

  /** Whether a refund that is about the account's bookings is in progress; of these, one that has not failed yet. */
  async hasUnfinished(env: Environment, accountId: string, { failed = true } = {}): Promise<boolean> {
    const unfinished = { accountId, nextAt: { $type: 'date' }, ...(failed ? {} : { failures: 0 }) };
    return (await this.findOne(scopeOf(env), unfinished)) !== null;
  }

  /** Due refunds, longest overdue first. */
  findDue(env: Environment, limit: number): Promise<RefundDocument[]> {
    return this.findMany(scopeOf(env), { nextAt: dueBy(this.databases.clock.now()) }, { nextAt: 1 }, limit);
  }

  /** How many refunds are in progress, counted up to 1 000, and the age of the oldest in seconds. */
  async backlog(env: Environment): Promise<{ count: number; oldestSeconds: number }> {
    const inProgress = { nextAt: { $type: 'date' } };
    const sort = { nextAt: 1 } as const;
    const found = await this.findPicked(scopeOf(env), inProgress, ['createdAt'], { sort, limit: MOST_COUNTED });
    const nowMs = this.databases.clock.now().getTime();
    const agesMs = found.map(({ createdAt }) => nowMs - createdAt.getTime());
    return { count: found.length, oldestSeconds: Math.max(0, ...agesMs) / 1_000 };
  }

  /** Takes over a refund whose lease has ended, by the database's clock; null when it has not, or the refund has changed. */
  async takeOver(env: Environment, refund: RefundDocument): Promise<RefundDocument | null> {
    const [attempt, rev] = [refund.attempt + 1, refund.rev + 1];
    const lease = { attempt, rev, nextAt: { $add: ['$$NOW', this.config.PAYMENT_LEASE_MS] } };
    const unchanged = { _id: refund._id, rev: refund.rev };
    const taken = await this.updateOncePast(scopeOf(env), unchanged, 'nextAt', lease);
    return taken ? { ...refund, attempt, rev } : null;
  }

  /** reserve → refund, and from here on visible to these accounts. */
  markReserved(
    refund: RefundDocument,
    reserved: Pick<RefundDocument, 'amountCents' | 'readers'>,
    context: RequestContext,
  ): Promise<RefundDocument | null> {
    return this.move(refund, 'reserved', reserved, context);
  }

  /** reserve → withdraw, due when no earlier request can reach the booking any more. `rejection` is JSON. */
  markRejected(refund: RefundDocument, rejection: string, context: RequestContext): Promise<RefundDocument | null> {
    return this.move(refund, 'rejected', { refusal: rejection, refusedAt: this.databases.clock.now() }, context);
  }

  /** refund → count. */
  markRefunded(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    return this.move(refund, 'succeeded', { failureCode: null }, context);
  }

  /** Stays at refund: the next attempt has a key of its own, since this one is known to have refunded nothing. */
  markFailed(refund: RefundDocument, failureCode: string, context: RequestContext): Promise<RefundDocument | null> {
    const failures = refund.failures + 1;
    const nextAt = this.databases.clock.inMs(retryMsAfter(failures));
    return this.move(refund, 'failed', { failureCode, failures, nextAt }, context);
  }

  /** count → settle. */
  markCounted(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    return this.move(refund, 'counted', {}, context);
  }

  /** settle or withdraw → done. */
  markSettled(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    return this.move(refund, 'settled', { nextAt: null }, context);
  }

  /**
   * The processor's outcome of a refund may have changed. One that is queried becomes due, unless its request may be running; one
   * that the bank has returned: done → refund. Null when there is no such refund.
   */
  async markNoticed(id: string, hasFailed: boolean, context: RequestContext): Promise<RefundDocument | null> {
    const changed = await this.mutate(scopeOf(context.principal.env), id, context, (now) => {
      const dueNow = { nextAt: this.databases.clock.now() };
      if (now.step === 'refund' && now.attempt > 1 && now.status === 'pending') return { set: dueNow, unseen: true };
      const move = hasFailed && now.status === 'succeeded' ? moveOf(now.step, 'noticed') : null;
      return move && { set: { ...move, ...dueNow }, unseen: true };
    });
    return changed?.document ?? null;
  }

  /** Postpones the next attempt, which the recoverer makes; by default the longer the more attempts there were. */
  putOff(
    refund: RefundDocument,
    context: RequestContext,
    ms = (refund.step === 'refund' ? queryMsAfter : delayMsAfter)(refund.attempt),
  ): Promise<RefundDocument | null> {
    return this.commit(refund, { set: { nextAt: this.databases.clock.inMs(ms) }, unseen: true }, context);
  }

  /** Removes a refund without a reservation; false when another process has taken it over. */
  removeRejected(env: Environment, { _id, rev }: RefundDocument): Promise<boolean> {
    return this.remove(scopeOf(env), { _id, rev });
  }

  private move(
    refund: RefundDocument,
    result: StepResult,
    changes: Changes,
    context: RequestContext,
  ): Promise<RefundDocument | null> {
    const move = moveOf(refund.step, result);
    if (!move) throw new Error(`A refund at the step ${refund.step} cannot have the result ${result}.`);
    const unseen = move.status === undefined;
    return this.commit(refund, { set: { nextAt: this.leaseEnd(), ...move, ...changes }, unseen }, context);
  }

  private async openReason(env: Environment, stored: RefundDocument): Promise<RefundDocument> {
    if (!isSealed(stored.reason)) return stored;
    return { ...stored, reason: await this.texts.open(env, stored.reason, placeOf(stored)) };
  }

  private leaseEnd(): Date {
    return this.databases.clock.inMs(this.config.PAYMENT_LEASE_MS);
  }
}
