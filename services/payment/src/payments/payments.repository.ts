import { Inject, Injectable } from '@nestjs/common';
import {
  type listPayments,
  type Page,
  type ParsedOf,
  type Payment,
  paymentAuthorized,
  paymentFailed,
  paymentRefunded,
  paymentSucceeded,
  paymentVoided,
} from '@swim/contracts';
import { Databases, type NewEvent, OutboxRelay, oneOf } from '@swim/mongo';
import { CONFIG, CursorCodec, type RequestContext, systemContext } from '@swim/platform';
import type { Config } from '../config.js';
import type { NextAction } from '../processor/processors.service.js';
import { type Changes, REASON, SteppedRepository, system } from '../steps/stepped.repository.js';
import { toPayment } from './payment.mapper.js';
import { delayMsAfter, moveOf, type StepResult, statusAfterRefunds } from './payment.rules.js';
import { type Ending, type NewPayment, type PaymentDocument, paymentSchema } from './payment.schema.js';

type Events = NewEvent<PaymentDocument>[];

/** The known outcome of a step at the processor. */
export type KnownOutcome =
  | { status: 'succeeded' | 'authorized' | 'voided'; reference?: string }
  | { status: 'failed'; failureCode: string; reference?: string };

/** Who may see a payment, and by consent what is charged. */
interface Reserved {
  accountId: string;
  schoolId: string;
  charged?: Pick<PaymentDocument, 'methodId' | 'token' | 'customerId'>;
}

const EVENT_OF = {
  succeeded: paymentSucceeded,
  authorized: paymentAuthorized,
  failed: paymentFailed,
  voided: paymentVoided,
} as const;

/** Longer than the disputes of a payment take. */
const DISPUTES_LEASE_MS = 60_000;

/** Storage of payments. */
@Injectable()
export class PaymentsRepository extends SteppedRepository<PaymentDocument, StepResult> {
  /** Payments whose disputes may have changed at the processor. */
  readonly disputed = this.work({
    name: 'disputes',
    due: 'disputesAt',
    reason: REASON,
    leaseMs: DISPUTES_LEASE_MS,
    counts: ['rev'],
    atOnce: 16,
  });

  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
    @Inject(CONFIG) { PAYMENT_LEASE_MS: leaseMs }: Config,
  ) {
    super({ name: 'payments', databases, relay, models: databases.collection('payments', paymentSchema), leaseMs });
  }

  protected override moveFrom(step: PaymentDocument['step'], result: StepResult) {
    return moveOf(step, result);
  }

  /** Stores a payment as pending; an existing one of an earlier run is returned unchanged. */
  insertPending(context: RequestContext, payment: NewPayment): Promise<PaymentDocument> {
    return this.create(context, {
      ...payment,
      readers: [],
      refundedCents: 0,
      reference: null,
      nextAction: null,
      status: 'pending',
      failureCode: null,
      ...this.firstStep('reserve', context),
    });
  }

  /** A payment that the account may see, or null. */
  findVisible(id: string, { principal }: RequestContext): Promise<PaymentDocument | null> {
    return this.lookUp({ accountId: principal.accountId }, id);
  }

  /** Payments that the account may see, newest first. */
  list(query: ParsedOf<typeof listPayments>, { principal }: RequestContext): Promise<Page<PaymentDocument>> {
    const { status, booking_id: bookingId } = query;
    const filter = { ...oneOf('status', status), ...(bookingId ? { bookingId } : {}) };
    const list = { name: 'payment.list', filter, findsFew: bookingId !== undefined, cursors: this.cursors };
    return this.listPage(principal, query, list);
  }

  /** Whether a payment that the account requested, or pays, is in progress. */
  hasUnfinished(accountId: string): Promise<boolean> {
    return this.isUnfinished({ $or: [{ 'origin.accountId': accountId }, { payerId: accountId }] });
  }

  /** The payments among these that the processor is charging, or is about to. */
  async findCharging(ids: readonly string[]): Promise<string[]> {
    const charging = { _id: { $in: [...ids] }, step: { $in: ['reserve', 'charge'] } };
    return (await this.findMany(system, charging, { _id: 1 })).map(({ _id }) => _id);
  }

  /**
   * Authorised payments that the account sees and that are neither captured nor voided now; of these, those made before an instant.
   */
  findAuthorized(accountId: string, limit: number, before?: Date): Promise<PaymentDocument[]> {
    const made = before ? { createdAt: { $lt: before } } : {};
    const authorized = { status: 'authorized', step: { $in: ['settle', 'done'] }, ...made };
    return this.findMany({ accountId }, authorized, { _id: 1 }, limit);
  }

  /** Payments that wait for their cardholder, of those that the account sees, made before an instant. */
  async findWaiting(accountId: string, limit: number, before?: Date): Promise<PaymentDocument[]> {
    const made = before ? { createdAt: { $lt: before } } : {};
    const waiting = { step: 'charge', nextAction: { $type: 'object' }, isGivenUp: null, ...made };
    return this.findMany({ accountId }, waiting, { _id: 1 }, limit);
  }

  /** Has a payment wait for its cardholder no longer. */
  async giveUp(id: string): Promise<void> {
    const set = { isGivenUp: true, nextAt: this.databases.clock.now() } as const;
    const waits = ({ step, nextAction }: PaymentDocument) => step === 'charge' && nextAction;
    await this.mutate(system, id, systemContext(id), (now) => (waits(now) ? { set, unseen: true } : null));
  }

  /** reserve → charge, and from here on visible to these accounts. */
  markReserved(
    payment: PaymentDocument,
    { accountId, schoolId, charged }: Reserved,
    context: RequestContext,
  ): Promise<PaymentDocument | null> {
    const readers = [...new Set([payment.origin.accountId, accountId, schoolId])];
    const reserved = { readers, payerId: accountId, schoolId, reservedAt: this.databases.clock.now(), ...charged };
    return this.move(payment, 'reserved', reserved, context);
  }

  /** charge, capture or void → settle with the processor's outcome, with its event in the same write. */
  markOutcome(
    payment: PaymentDocument,
    outcome: KnownOutcome,
    context: RequestContext,
  ): Promise<PaymentDocument | null> {
    const failureCode = outcome.status === 'failed' ? outcome.failureCode : null;
    const reference = outcome.reference ?? payment.reference ?? null;
    const event = { type: EVENT_OF[outcome.status], object: toPayment };
    return this.move(payment, outcome.status, { failureCode, reference, nextAction: null }, context, [event]);
  }

  /** settle or done → capture or void, of an authorised payment. */
  markEnding(
    payment: PaymentDocument,
    result: 'capturing' | 'voiding',
    ending: Ending,
    context: RequestContext,
  ): Promise<PaymentDocument | null> {
    return this.move(payment, result, { ending, attempt: 1 }, context);
  }

  /**
   * Counts a refund that succeeded, once, with its event in the same write; one that has failed since counts no more, which is no
   * event.
   */
  async countRefund(
    context: RequestContext,
    id: string,
    { refundId, amountCents, counts }: { refundId: string; amountCents: number; counts: boolean },
  ): Promise<void> {
    await this.mutate(system, id, context, (now) => {
      const { refundIds = [] } = now;
      if (refundIds.includes(refundId) === counts) return null;
      const refundedCents = now.refundedCents + (counts ? amountCents : -amountCents);
      const others = refundIds.filter((each) => each !== refundId);
      const status: Payment['status'] = statusAfterRefunds(now.amountCents, refundedCents);
      const previous = { refunded_cents: now.refundedCents, status: now.status };
      return {
        set: { refundedCents, refundIds: counts ? [...others, refundId] : others, status },
        events: counts ? [{ type: paymentRefunded, object: toPayment, previous }] : [],
      };
    });
  }

  /**
   * An authorised payment: done → check. One that waits for its cardholder becomes due. Others stay; null when there is no
   * such payment.
   */
  async markNoticed(id: string, context: RequestContext): Promise<PaymentDocument | null> {
    const changed = await this.mutate(system, id, context, (now) => {
      const dueNow = { nextAt: this.databases.clock.now() };
      const waits = now.step === 'charge' && now.nextAction;
      if (waits) return { set: dueNow, unseen: true };
      const move = now.status === 'authorized' ? moveOf(now.step, 'noticed') : null;
      return move && { set: { ...move, ...dueNow, attempt: 1 }, unseen: true };
    });
    return changed?.document ?? null;
  }

  /** Makes the disputes of a payment due; false when there is no such payment. */
  async markDisputesDue(id: string, context: RequestContext): Promise<boolean> {
    const set = { disputesAt: this.databases.clock.now() };
    return (await this.mutate(system, id, context, () => ({ set, unseen: true }))) !== null;
  }

  /** Stores disputes, or that nothing of them is left to do; null when the payment has changed. */
  keepDisputes(
    payment: PaymentDocument,
    set: Pick<Changes<PaymentDocument>, 'disputes' | 'disputesAt'>,
    context: RequestContext,
    events: Events = [],
  ): Promise<PaymentDocument | null> {
    return this.commit(payment, { set, events, unseen: set.disputes === undefined }, context);
  }

  override markSettled(payment: PaymentDocument, context: RequestContext): Promise<PaymentDocument | null> {
    const ending = payment.ending && { ...payment.ending, origin: null };
    return this.move(payment, 'settled', { nextAt: null, ...(ending ? { ending } : {}) }, context);
  }

  /** Postpones the next attempt, which the recoverer makes; stores what the processor has answered so far. */
  override putOff(
    payment: PaymentDocument,
    context: RequestContext,
    answered: { reference?: string; nextAction?: NextAction } = {},
  ): Promise<PaymentDocument | null> {
    const nextAt = this.databases.clock.inMs(delayMsAfter(payment.attempt));
    return this.commit(payment, { set: { nextAt, ...answered }, unseen: !answered.nextAction }, context);
  }

  /** For how long the processor has been requested to charge it, by the database's clock, in ms. */
  chargingMs({ reservedAt, createdAt }: PaymentDocument): number {
    // Its id, and so `createdAt`, is as old as the first try of its request, which may have stored no payment.
    return this.databases.clock.now().getTime() - (reservedAt ?? createdAt).getTime();
  }
}
