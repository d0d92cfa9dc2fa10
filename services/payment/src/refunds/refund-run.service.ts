import { Inject, Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import {
  CONFIG,
  counter,
  derivedId,
  LOGGER,
  type Logger,
  lowestIdAt,
  type RequestContext,
  systemContext,
} from '@swim/platform';
import type { Config } from '../config.js';
import { BookingLedger } from '../payments/booking-ledger.service.js';
import { DisputesService } from '../payments/disputes.service.js';
import { type PaymentDocument, PaymentsService } from '../payments/payments.service.js';
import { Processors, type ReportedRefund } from '../processor/processors.service.js';
import { originOf, resumedContext } from '../steps/origin.mapper.js';
import { StepRun } from '../steps/step-run.js';
import { keyOf } from './refund.rules.js';
import type { RefundDocument } from './refund.schema.js';
import { type NewRefund, RefundsRepository } from './refunds.repository.js';

/** Refunds that the payment processor failed. Each is tried again; an increase needs an operator's attention. */
const refundFailuresTotal = counter({
  name: 'swim_refund_failures_total',
  help: 'Refunds that the payment processor failed; each is tried again',
});

/** How long an automatic refund of a disputed payment waits before it looks again. */
const DISPUTED_MS = 3_600_000;

const DISPUTED = 'payment_disputed';

/**
 * Runs the steps of a refund: the booking sets the money aside, the processor refunds it, the payment counts it, the booking
 * settles it.
 */
@Injectable()
export class RefundRun extends StepRun<RefundDocument> {
  @Inject(PaymentsService) private readonly payments!: PaymentsService;
  @Inject(BookingLedger) private readonly ledger!: BookingLedger;
  @Inject(DisputesService) private readonly disputes!: DisputesService;

  constructor(
    private readonly refunds: RefundsRepository,
    private readonly processors: Processors,
    @Inject(CONFIG) { PROCESSOR_TIMEOUT_MS: processorTimeoutMs }: Config,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ kind: 'refund', documents: refunds, logger, processorTimeoutMs });
  }

  /** Resumes a refund whose process crashed or whose retry is due, from its current step. */
  @WhenDue(({ refunds }: RefundRun) => refunds.unfinished)
  resume(refund: RefundDocument): Promise<RefundDocument> {
    return this.advance(refund, resumedContext(refund.origin));
  }

  /**
   * Queries the refunds of a charged payment at the processor: counts those that were made there by hand, and queries
   * those that the bank has returned, but for the one of a run that asks. Returns whether it found new ones. Idempotent.
   */
  async follow(payment: PaymentDocument, askedBy?: string): Promise<boolean> {
    const context = systemContext(payment.origin.accountId);
    const { charge } = await this.payments.getCharge(payment._id);
    const reported = await this.processors.current().refundsOf(charge);
    let hasNew = false;
    for (const each of reported) {
      const { refundId, state } = each;
      const id = refundId ?? derivedId('rfd', lowestIdAt('rfd', each.createdAt), each.id);
      if (refundId === null && state === 'succeeded')
        hasNew = (await this.count(handMade(id, payment, each, context), context)) || hasNew;
      const isRepeated = reported.some((other) => other.refundId === id && other.state !== 'failed');
      if (state === 'failed' && !isRepeated && id !== askedBy) await this.refunds.markNoticed(id, true, context);
    }
    return hasNew;
  }

  private async count(refund: NewRefund, context: RequestContext): Promise<boolean> {
    const stored = await this.refunds.insert(context, refund);
    if (stored.rev !== 1) return false;
    await this.advance(stored, context);
    return true;
  }

  protected override async takeStep(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    switch (refund.step) {
      case 'reserve':
        return this.reserve(refund, context);
      case 'refund':
        return this.refund(refund, context);
      case 'count':
        await this.payments.countRefund(refund, context);
        return this.refunds.markCounted(refund, context);
      case 'withdraw':
        if (refund.isHandMade) await this.payments.countRefund(refund, context);
        return this.settle(refund, context);
      case 'settle':
        return this.settle(refund, context);
      case 'done':
        return refund;
    }
  }

  private reserve(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    const { _id: refundId, paymentId, bookingId, requestedCents } = refund;
    const requested = { bookingId, paymentId, refundId, amountCents: requestedCents, dryRun: false };
    return this.reserveBy(refund, context, async () => {
      const { amountCents } = await this.ledger.reserveRefund(requested, context);
      const { readers } = await this.payments.getById(paymentId);
      return this.refunds.markReserved(refund, { amountCents, readers }, context);
    });
  }

  private async refund(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    const { charge, disputed, lost, isRecorded } = await this.payments.getCharge(refund.paymentId);
    if (isRecorded) return this.refunds.markRefunded(refund, context);
    const { _id: refundId, amountCents, failures } = refund;
    const request = { refundId, key: keyOf(refundId, failures), charge, amountCents };
    const processor = this.processors.current();
    // An earlier run may have requested it before the dispute: then the money is back, or on its way.
    const outcome = await this.atProcessor(refund, context, () =>
      disputed ? processor.findRefund(request) : processor.refund(request),
    );
    // The school may refund once the dispute is won; what the booking refunds by itself waits for that.
    if (outcome === null && (lost || !refund.isAutomatic)) return this.refunds.markAbandoned(refund, DISPUTED, context);
    if (outcome === null) return this.refunds.putOff(refund, context, DISPUTED_MS);
    if (outcome.status === 'succeeded') return this.refunds.markRefunded(refund, context);
    if (outcome.status === 'unknown') return this.refunds.putOff(refund, context);
    return this.fail(refund, outcome.failureCode, context);
  }

  /** Tries a failed refund again later, unless refunds that were made by hand have left too little to refund. */
  private async fail(refund: RefundDocument, reason: string, context: RequestContext): Promise<RefundDocument | null> {
    const { _id: refundId, paymentId, bookingId, amountCents } = refund;
    const payment = await this.payments.getById(paymentId);
    await this.disputes.note(paymentId);
    await this.atProcessor(refund, context, () => this.follow(payment, refundId));
    const leftCents = payment.amountCents - (await this.refunds.settledCents(paymentId));
    if (leftCents < amountCents) return this.refunds.markAbandoned(refund, reason, context);
    refundFailuresTotal.inc();
    this.logger.error(
      { refundId, paymentId, bookingId, reason },
      'the processor failed a refund, which is tried again',
    );
    return this.refunds.markFailed(refund, reason, context);
  }

  private settle(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    const { _id: refundId, bookingId, paymentId, amountCents, step, isHandMade } = refund;
    const outcome = step === 'settle' ? 'succeeded' : 'failed';
    const settled = {
      bookingId,
      refundId,
      outcome,
      ...(isHandMade ? { made: { paymentId, amountCents } } : {}),
    } as const;
    return this.settleBy(refund, context, (soon) => this.ledger.settleRefund(settled, soon));
  }
}

/** A refund that was made by hand at the processor. Who made it, and why, is not known. */
function handMade(
  id: string,
  { _id: paymentId, bookingId, readers, origin, currency }: PaymentDocument,
  { amountCents }: ReportedRefund,
  context: RequestContext,
): NewRefund {
  const { accountId } = origin;
  return {
    ...{ _id: id, readers, origin: originOf(context), paymentId, bookingId, accountId, currency },
    ...{ isAutomatic: false, isHandMade: true, requestedCents: null, amountCents, reason: null },
  };
}
