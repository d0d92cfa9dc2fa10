import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, LOGGER, type Logger, type RequestContext, refundFailuresTotal } from '@swim/platform';
import type { Config } from '../config.js';
import { BookingLedger } from '../payments/booking-ledger.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { Processors } from '../processor/processors.service.js';
import { StepRun } from '../steps/step-run.js';
import { keyOf } from './refund.rules.js';
import type { RefundDocument } from './refund.schema.js';
import { RefundsRepository } from './refunds.repository.js';

/** How long an automatic refund of a disputed payment waits before it looks again. */
const DISPUTED_MS = 3_600_000;

/**
 * Runs the steps of a refund: the booking sets the money aside, the processor refunds it, the payment counts it, the booking
 * settles it.
 */
@Injectable()
export class RefundRun extends StepRun<RefundDocument> {
  @Inject(PaymentsService) private readonly payments!: PaymentsService;
  @Inject(BookingLedger) private readonly ledger!: BookingLedger;

  constructor(
    private readonly refunds: RefundsRepository,
    private readonly processors: Processors,
    @Inject(CONFIG) { PROCESSOR_TIMEOUT_MS: processorTimeoutMs }: Config,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ documents: refunds, logger, processorTimeoutMs });
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
      case 'settle':
      case 'withdraw':
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
      const { readers } = await this.payments.getById(paymentId, context);
      return this.refunds.markReserved(refund, { amountCents, readers }, context);
    });
  }

  private async refund(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    const { charge, disputed, lost } = await this.payments.getCharge(refund.paymentId, context);
    const { _id: refundId, amountCents, failures } = refund;
    const request = { refundId, key: keyOf(refundId, failures), charge, amountCents };
    const processor = this.processors.of(context.principal.env);
    const isWaiting = disputed && refund.isAutomatic;
    // An earlier run may have requested it before the dispute: then the money is back, or on its way.
    const outcome = await this.atProcessor(refund, context, () =>
      isWaiting ? processor.findRefund(request) : processor.refund(request),
    );
    if (outcome === null && lost) return this.refunds.markAbandoned(refund, context);
    if (outcome === null) return this.refunds.putOff(refund, context, DISPUTED_MS);
    if (outcome.status === 'succeeded') return this.refunds.markRefunded(refund, context);
    if (outcome.status === 'unknown') return this.refunds.putOff(refund, context);
    refundFailuresTotal.inc();
    const { paymentId, bookingId } = refund;
    const fields = { refundId, paymentId, bookingId, reason: outcome.failureCode };
    this.logger.error(fields, 'the processor failed a refund, which is tried again');
    return this.refunds.markFailed(refund, outcome.failureCode, context);
  }

  private settle(refund: RefundDocument, context: RequestContext): Promise<RefundDocument | null> {
    const { _id: refundId, bookingId, step } = refund;
    const outcome = step === 'settle' ? 'succeeded' : 'failed';
    return this.settleBy(refund, context, (soon) => this.ledger.settleRefund({ bookingId, refundId, outcome }, soon));
  }
}
