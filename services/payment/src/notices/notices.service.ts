import { Inject, Injectable } from '@nestjs/common';
import { type ParsedOf, receiveStripeWebhook } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { WhenDue } from '@swim/mongo';
import { inEnvironment, LOGGER, type Logger } from '@swim/platform';
import { DisputesService } from '../payments/disputes.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import {
  type Notice,
  type SimulatedCharge,
  SimulatorNotices,
} from '../processor/simulator/simulator-notices.service.js';
import { StripeWebhooks } from '../processor/stripe/stripe-webhooks.service.js';
import { RefundsService } from '../refunds/refunds.service.js';

/**
 * Receives what processors report by themselves. A notice changes nothing by its content: it makes the outcome due to be
 * queried, so that a notice that is late, repeated or out of order does no harm.
 */
@Injectable()
export class NoticesService {
  @Inject(LOGGER) private readonly logger!: Logger;

  constructor(
    private readonly webhooks: StripeWebhooks,
    private readonly sandbox: SimulatorNotices,
    private readonly payments: PaymentsService,
    private readonly refunds: RefundsService,
    private readonly disputes: DisputesService,
  ) {}

  /** Verifies a webhook of Stripe, and stores what is to be queried before it is acknowledged: Stripe repeats it otherwise. */
  @Serve(receiveStripeWebhook)
  async receiveFromStripe({ payload, signature }: ParsedOf<typeof receiveStripeWebhook>): Promise<{ received: true }> {
    const notice = await this.webhooks.read(payload, signature);
    if (notice) await inEnvironment('live', () => this.receive(notice));
    else this.logger.info('a webhook of Stripe concerns nothing of ours');
    return { received: true };
  }

  @WhenDue(({ sandbox }: NoticesService) => sandbox.due)
  async receiveFromSandbox(charge: SimulatedCharge): Promise<void> {
    await this.receive({ kind: 'aftermath', paymentId: charge._id });
    await this.sandbox.markSent(charge);
  }

  private async receive(notice: Notice): Promise<void> {
    if (await this.note(notice)) return;
    const objectId = notice.kind === 'refund' ? notice.refundId : notice.paymentId;
    this.logger.warn({ objectId }, 'a notice of the processor is about an unknown object');
  }

  private async note(notice: Notice): Promise<boolean> {
    if (notice.kind === 'charge') return this.payments.note(notice.paymentId, notice.hasSucceeded);
    if (notice.kind === 'refund') return this.refunds.note(notice.refundId, notice.hasFailed);
    const isKnown = await this.disputes.note(notice.paymentId);
    if (isKnown) await this.refunds.follow(notice.paymentId);
    return isKnown;
  }
}
