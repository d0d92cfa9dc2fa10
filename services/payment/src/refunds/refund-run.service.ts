import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  CONFIG,
  Deadline,
  isServerFault,
  LOGGER,
  type Logger,
  type RequestContext,
  refundFailuresTotal,
  within,
} from '@swim/platform';
import type { Config } from '../config.js';
import { BookingLedger } from '../payments/booking-ledger.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { Processors, type RefundOutcome } from '../processor/processors.service.js';
import { keyOf } from './refund.rules.js';
import type { RefundDocument } from './refund.schema.js';
import { RefundsRepository } from './refunds.repository.js';

const MOST_SETTLING_MS = 3_000;
/** Reserved for storing a result before the deadline, in ms. */
const MARGIN_MS = 500;
/** How long an automatic refund of a disputed payment waits before it looks again. */
const DISPUTED_MS = 3_600_000;

const sooner = (context: RequestContext, mostMs: number): number =>
  Math.max(Math.min(mostMs, context.deadline.remainingMs() - MARGIN_MS), 1);

/**
 * Runs the steps of a refund: the booking sets the money aside, the processor refunds it, the payment counts it, the booking
 * settles it. Any process may repeat a step; its result is stored before the next one begins.
 */
@Injectable()
export class RefundRun {
  @Inject(CONFIG) private readonly config!: Config;
  @Inject(LOGGER) private readonly logger!: Logger;

  constructor(
    private readonly refunds: RefundsRepository,
    private readonly payments: PaymentsService,
    private readonly ledger: BookingLedger,
    private readonly processors: Processors,
  ) {}

  /**
   * Continues from the current step as far as possible, and returns the refund as it is then. Throws the booking's rejection,
   * or the error of the request to it.
   */
  async advance(refund: RefundDocument, context: RequestContext): Promise<RefundDocument> {
    let now = refund;
    for (;;) {
      const after = await this.takeStep(now, context);
      if (!after) return (await this.refunds.findById(context.principal.env, refund._id)) ?? now;
      if (after.step === now.step || after.step === 'withdraw' || after.step === 'done') return after;
      now = after;
    }
  }

  private async takeStep(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    switch (refund.step) {
      case 'reserve':
        return this.reserve(refund, context);
      case 'refund':
        return this.refund(refund, context);
      case 'count':
        await this.payments.countRefund(refund, context);
        return this.refunds.markCounted(refund, context);
      case 'settle':
      case 'withdraw':
        return this.settle(refund, context);
      case 'done':
        return refund;
    }
  }

  private async reserve(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    const { _id: refundId, paymentId, bookingId, requestedCents } = refund;
    const requested = { bookingId, paymentId, refundId, amountCents: requestedCents, dryRun: false };
    try {
      const { amountCents } = await this.ledger.reserveRefund(requested, context);
      const { readers } = await this.payments.getById(paymentId, context);
      return await this.refunds.markReserved(refund, { amountCents, readers }, context);
    } catch (error) {
      if (!isServerFault(error)) return this.reject(refund, error as AppError, context);
      await this.refunds.putOff(refund, context);
      throw error;
    }
  }

  private async reject(
    refund: RefundDocument,
    rejection: AppError,
    context: RequestContext,
  ): Promise<RefundDocument | null> {
    // A request of an earlier attempt may still reach the booking: until it cannot, the rejected refund must stay stored.
    if (refund.attempt > 1) return this.refunds.markRejected(refund, JSON.stringify(rejection.toBody()), context);
    if (!(await this.refunds.removeRejected(context.principal.env, refund))) return null;
    throw rejection;
  }

  private async refund(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    const { charge, disputed } = await this.payments.getCharge(refund.paymentId, context);
    if (disputed && refund.isAutomatic) return this.refunds.putOff(refund, context, DISPUTED_MS);
    const { _id: refundId, amountCents, failures } = refund;
    const request = { refundId, key: keyOf(refundId, failures), charge, amountCents };
    const outcome = await this.atProcessor(refund, context, () =>
      this.processors.of(context.principal.env).refund(request),
    );
    if (outcome.status === 'succeeded') return this.refunds.markRefunded(refund, context);
    if (outcome.status === 'unknown') return this.refunds.putOff(refund, context);
    refundFailuresTotal.inc();
    const { paymentId, bookingId } = refund;
    const fields = { refundId, paymentId, bookingId, reason: outcome.failureCode };
    this.logger.error(fields, 'the processor failed a refund, which is tried again');
    return this.refunds.markFailed(refund, outcome.failureCode, context);
  }

  private async atProcessor(
    { _id: refundId, attempt }: RefundDocument,
    context: RequestContext,
    work: () => Promise<RefundOutcome>,
  ): Promise<RefundOutcome> {
    try {
      return await within(work(), sooner(context, this.config.PROCESSOR_TIMEOUT_MS));
    } catch (error) {
      this.logger.warn({ err: error, refundId, attempt }, 'no response from the processor');
      return { status: 'unknown' };
    }
  }

  private async settle(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    const outcome = refund.step === 'settle' ? 'succeeded' : 'failed';
    try {
      const deadline = new Deadline(sooner(context, MOST_SETTLING_MS));
      const { _id: refundId, bookingId } = refund;
      await this.ledger.settleRefund({ bookingId, refundId, outcome }, { ...context, deadline });
    } catch (error) {
      const { _id: refundId, bookingId, attempt } = refund;
      const fields = { err: error, refundId, bookingId, attempt };
      if (isServerFault(error)) this.logger.warn(fields, 'refund not settled with its booking yet');
      else this.logger.error(fields, 'booking rejects the outcome of its refund');
      return this.refunds.putOff(refund, context);
    }
    return this.refunds.markSettled(refund, context);
  }
}
