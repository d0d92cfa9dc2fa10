import { Inject, Injectable } from '@nestjs/common';
import { listOwnRefunds, listRefunds, type Page, type ParsedOf } from '@swim/contracts';
import { asSystem, Databases, FreeTexts, isSealed, type ListQuery, OutboxRelay } from '@swim/mongo';
import { CONFIG, CursorCodec, type RequestContext } from '@swim/platform';
import type { Config } from '../config.js';
import { delayMsAfter } from '../payments/payment.rules.js';
import { SteppedRepository, system } from '../steps/stepped.repository.js';
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
> &
  Pick<RefundDocument, 'isHandMade'>;

// More than the refunds of the payments of a hundred bookings.
const MOST = 60_000;

const placeOf = ({ _id, accountId }: Pick<RefundDocument, '_id' | 'accountId'>) => ({
  owner: { accountId, id: accountId },
  field: 'reason',
  documentId: _id,
});

/** Storage of refunds. */
@Injectable()
export class RefundsRepository extends SteppedRepository<RefundDocument, StepResult> {
  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
    private readonly texts: FreeTexts,
    @Inject(CONFIG) { PAYMENT_LEASE_MS: leaseMs }: Config,
  ) {
    super({ name: 'refunds', databases, relay, models: databases.collection('refunds', refundSchema), leaseMs });
  }

  protected override moveFrom(step: RefundDocument['step'], result: StepResult) {
    return moveOf(step, result);
  }

  protected override opened(stored: RefundDocument[]): Promise<RefundDocument[]> {
    return Promise.all(stored.map((refund) => this.openReason(refund)));
  }

  protected override async sealed<F extends Partial<RefundDocument>>(fields: F, of: RefundDocument): Promise<F> {
    if (typeof fields.reason !== 'string') return fields;
    return { ...fields, reason: await this.texts.seal(fields.reason, placeOf(of)) };
  }

  /** Stores a refund as pending, or one that was made by hand; an existing one of an earlier run is returned unchanged. */
  insert(context: RequestContext, refund: NewRefund): Promise<RefundDocument> {
    const first = refund.isAutomatic ? 'refund' : 'reserve';
    return this.create(context, {
      ...refund,
      status: refund.isHandMade ? 'succeeded' : 'pending',
      failures: 0,
      failureCode: null,
      ...this.firstStep(refund.isHandMade ? 'count' : first, context),
    });
  }

  /** The amount of a payment that the booking counts as refunded, as far as that is known here. */
  async settledCents(paymentId: string): Promise<number> {
    const settled = { paymentId, status: 'succeeded', step: 'done' };
    const found = await this.findPicked(system, settled, ['amountCents'], { limit: MOST });
    return found.reduce((cents, { amountCents }) => cents + amountCents, 0);
  }

  /** The refunds of a payment that the account may see, newest first. */
  listOfPayment(query: ParsedOf<typeof listRefunds>, { principal }: RequestContext): Promise<Page<RefundDocument>> {
    const filter = { paymentId: query.payment_id };
    return this.listPage(principal, query, { name: listRefunds.name, filter, cursors: this.cursors });
  }

  /** All refunds that the account may see, newest first. */
  listVisible(query: ListQuery, { principal }: RequestContext): Promise<Page<RefundDocument>> {
    return this.listPage(principal, query, { name: listOwnRefunds.name, cursors: this.cursors });
  }

  /** Removes the reasons that clients gave for the refunds of these payments. Idempotent. */
  async clearReasons(context: RequestContext, paymentIds: readonly string[]): Promise<void> {
    const scope = asSystem('an erasure reaches every refund of the payments');
    const given = { paymentId: { $in: [...paymentIds] }, isAutomatic: false, reason: { $ne: null } };
    const found = await this.findPicked(scope, given, [], { limit: MOST });
    const clear = ({ reason }: RefundDocument) =>
      reason === null ? null : { set: { reason: null }, forgetsAnswers: true };
    await Promise.all(found.map(({ _id }) => this.mutate(scope, _id, { ...context, opId: null }, clear)));
  }

  /** How many refunds a payment has; at most `most`. */
  async countOf(paymentId: string, most: number): Promise<number> {
    return (await this.findPicked(system, { paymentId }, [], { limit: most })).length;
  }

  /** reserve → refund, and from here on visible to these accounts. */
  markReserved(
    refund: RefundDocument,
    reserved: Pick<RefundDocument, 'amountCents' | 'readers'>,
    context: RequestContext,
  ): Promise<RefundDocument | null> {
    return this.move(refund, 'reserved', reserved, context);
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

  /** refund → withdraw, for one that can no longer be made. */
  markAbandoned(refund: RefundDocument, failureCode: string, context: RequestContext): Promise<RefundDocument | null> {
    return this.move(refund, 'abandoned', { failureCode, nextAt: this.databases.clock.now() }, context);
  }

  /** Makes refunds of a payment that have failed due now, rather than hours later. */
  async hasten(paymentId: string, context: RequestContext): Promise<void> {
    const failed = { paymentId, step: 'refund', status: 'failed' };
    for (const { _id } of await this.findPicked(system, failed, [], { limit: MOST }))
      await this.mutate(system, _id, context, ({ step }) =>
        step === 'refund' ? { set: { nextAt: this.databases.clock.now() }, unseen: true } : null,
      );
  }

  /** count → settle. */
  markCounted(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    return this.move(refund, 'counted', {}, context);
  }

  /**
   * The processor's outcome of a refund may have changed. One that is queried becomes due, unless its request may be running; one
   * that the bank has returned: done → refund, or, when it was made by hand, done → withdraw. Null when there is no such refund.
   */
  async markNoticed(id: string, hasFailed: boolean, context: RequestContext): Promise<RefundDocument | null> {
    const changed = await this.mutate(system, id, context, (now) => {
      const dueNow = { nextAt: this.databases.clock.now() };
      if (now.step === 'refund' && now.attempt > 1 && now.status === 'pending') return { set: dueNow, unseen: true };
      const move =
        hasFailed && now.status === 'succeeded' ? moveOf(now.step, now.isHandMade ? 'returned' : 'noticed') : null;
      return move && { set: { ...move, ...dueNow }, unseen: move.status === undefined };
    });
    return changed?.document ?? null;
  }

  /** Postpones the next attempt, which the recoverer makes; by default the longer the more attempts there were. */
  override putOff(
    refund: RefundDocument,
    context: RequestContext,
    ms = (refund.step === 'refund' ? queryMsAfter : delayMsAfter)(refund.attempt),
  ): Promise<RefundDocument | null> {
    return this.commit(refund, { set: { nextAt: this.databases.clock.inMs(ms) }, unseen: true }, context);
  }

  private async openReason(stored: RefundDocument): Promise<RefundDocument> {
    if (!isSealed(stored.reason)) return stored;
    return { ...stored, reason: await this.texts.open(stored.reason, placeOf(stored)) };
  }
}
