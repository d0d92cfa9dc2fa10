import { Inject, Injectable } from '@nestjs/common';
import { id } from '@swim/contracts';
import { AppError, Clock, CONFIG, derived, LOGGER, type Logger } from '@swim/platform';
import Stripe from 'stripe';
import type { Config } from '../../config.js';
import type { Notice } from '../processor.js';
import { processorUnavailable, rejectionFrom, stripeClient } from './stripe-client.js';

/** How old a signature may be, in seconds, by the shared clock. */
const TOLERANCE_SECONDS = 300;
const RETRY_AFTER_SECONDS = 3_600;

const [paymentId, refundId] = [id('pay'), id('rfd')];

/** Verifies Stripe's webhooks, and reads what they are about. Of their content only ids are used. */
@Injectable()
export class StripeWebhooks {
  private readonly stripe: () => Stripe | null;

  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.stripe = derived(
      () => [config.STRIPE_SECRET_KEY],
      (key) => (key === undefined ? null : stripeClient(key, config)),
    );
  }

  /**
   * The notice that a webhook is; null for one that is about nothing of ours. `payload` is the body as it was received. Throws
   * `invalid_signature`; `unavailable` without a configuration, or while Stripe cannot be queried.
   */
  async read(payload: string, signature: string): Promise<Notice | null> {
    const event = this.verified(payload, signature);
    const { type } = event;
    const object = event.data.object as unknown as Record<string, unknown>;
    if (type.startsWith('payment_intent.')) {
      const known = paymentId.safeParse(metadataOf(object).payment_id);
      return known.success
        ? { kind: 'charge', paymentId: known.data, hasSucceeded: object.status === 'succeeded' }
        : null;
    }
    const isOfRefund = type.startsWith('refund.') || type === 'charge.refund.updated';
    const known = refundId.safeParse(metadataOf(object).refund_id);
    if (isOfRefund && known.success) {
      const hasFailed = object.status === 'failed' || object.status === 'canceled';
      return { kind: 'refund', refundId: known.data, hasFailed };
    }
    const isOfCharge = isOfRefund || type === 'charge.refunded' || type.startsWith('charge.dispute.');
    return isOfCharge ? this.ofCharge(object.payment_intent) : null;
  }

  private verified(payload: string, signature: string): Stripe.Event {
    const { STRIPE_WEBHOOK_SECRET: secret } = this.config;
    if (secret === undefined) {
      const message = 'No payment processor is configured for the live environment: its webhooks are not processed.';
      throw new AppError('unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    const nowMs = this.clock.now().getTime();
    try {
      return Stripe.webhooks.constructEvent(payload, signature, secret, TOLERANCE_SECONDS, undefined, nowMs);
    } catch {
      throw new AppError('invalid_signature', { field: 'Stripe-Signature' });
    }
  }

  /** A dispute, or a refund that was made by hand, names the PaymentIntent alone. */
  private async ofCharge(reference: unknown): Promise<Notice | null> {
    const stripe = this.stripe();
    if (typeof reference !== 'string' || stripe === null) return null;
    try {
      const known = paymentId.safeParse(metadataOf(await stripe.paymentIntents.retrieve(reference)).payment_id);
      return known.success ? { kind: 'aftermath', paymentId: known.data } : null;
    } catch (error) {
      const { code } = rejectionFrom(error, this.logger);
      this.logger.error({ code: code ?? 'none' }, 'Stripe does not know the payment of a dispute or refund');
      throw processorUnavailable();
    }
  }
}

function metadataOf({ metadata }: { metadata?: unknown }): Record<string, unknown> {
  return metadata !== null && typeof metadata === 'object' ? (metadata as Record<string, unknown>) : {};
}
