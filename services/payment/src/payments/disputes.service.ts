import { Inject, Injectable } from '@nestjs/common';
import { paymentDisputeClosed, paymentDisputed } from '@swim/contracts';
import { WhenDue } from '@swim/mongo';
import { Clock, isServerFault, LOGGER, type Logger, type RequestContext, systemContext } from '@swim/platform';
import { Processors } from '../processor/processors.service.js';
import { BookingLedger } from './booking-ledger.service.js';
import { isNewlyDecided, type KnownDispute, nextToRecord, withRecorded, withReported } from './dispute.rules.js';
import { toPayment } from './payment.mapper.js';
import type { PaymentDocument } from './payment.schema.js';
import { chargeOf } from './payment-run.service.js';
import { PaymentsRepository } from './payments.repository.js';

/**
 * Follows the disputes of charged payments: their state is requested from the processor whenever it has changed, marks the
 * payment, and is recorded by the booking. Each step may be repeated.
 */
@Injectable()
export class DisputesService {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly processors: Processors,
    private readonly ledger: BookingLedger,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stores that the disputes of a payment have changed; false when there is no such payment. */
  async note(paymentId: string): Promise<boolean> {
    return this.payments.markDisputesDue(paymentId, systemContext(paymentId));
  }

  @WhenDue(({ payments }: DisputesService) => payments.disputed)
  async follow(taken: PaymentDocument): Promise<void> {
    const context = systemContext(taken.origin.accountId);
    const reported = await this.processors.current().disputesOf(chargeOf(taken));
    const disputes = withReported(taken.disputes ?? [], reported, this.clock.now());
    const marked = disputes ? await this.mark(taken, disputes, context) : taken;
    if (marked) await this.record(marked, context);
  }

  private mark(
    payment: PaymentDocument,
    disputes: KnownDispute[],
    context: RequestContext,
  ): Promise<PaymentDocument | null> {
    const before = payment.disputes ?? [];
    const types = [
      ...(disputes.length > before.length ? [paymentDisputed] : []),
      ...(isNewlyDecided(before, disputes) ? [paymentDisputeClosed] : []),
    ];
    const events = types.map((type) => ({ type, object: toPayment }));
    return this.payments.keepDisputes(payment, { disputes }, context, events);
  }

  /** Has the booking record each state; a superseded run stops, and its successor repeats what it did. */
  private async record(payment: PaymentDocument, context: RequestContext): Promise<void> {
    const { _id: paymentId, bookingId } = payment;
    let now: PaymentDocument | null = payment;
    while (now) {
      const disputes: KnownDispute[] = now.disputes ?? [];
      const next = nextToRecord(disputes);
      if (!next) return void (await this.payments.keepDisputes(now, { disputesAt: null }, context));
      const { id: disputeId, revision, state, amountCents } = next;
      try {
        await this.ledger.recordDispute({ bookingId, paymentId, disputeId, revision, state, amountCents }, context);
      } catch (error) {
        // It is repeated: the payment may be unsettled with its booking yet.
        if (!isServerFault(error)) this.logger.error({ paymentId, bookingId, state }, 'booking rejects a dispute');
        throw error;
      }
      now = await this.payments.keepDisputes(now, { disputes: withRecorded(disputes, next) }, context);
    }
  }
}
