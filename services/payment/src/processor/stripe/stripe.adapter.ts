import { type AppError, type Logger, timeOfId } from '@swim/platform';
import type Stripe from 'stripe';
import {
  type AttachedMethod,
  type Card,
  type Charge,
  type ChargeOutcome,
  type Dispute,
  NOT_REPRESENTABLE,
  type Processor,
  type RefundOutcome,
  type RefundRequest,
  type ReportedRefund,
} from '../processor.js';
import {
  failureOf,
  needsCardholder,
  publicCode,
  toCard,
  toChargeOutcome,
  toDispute,
  toRefundOutcome,
  toReportedRefund,
  toStripeAmount,
} from './stripe.mapper.js';
import { isReplayed, processorUnavailable, type Rejection, rejectionFrom } from './stripe-client.js';

/** Clocks of two companies differ by less. */
const CLOCKS_DIFFER_SECONDS = 3_600;
const MOST_LISTED = 1_000;
// The card's last charge, which explains a decline.
const expand = ['latest_charge'];

type Intent = Stripe.PaymentIntent;

/**
 * Stripe, through its SDK. A payment is a PaymentIntent, which is made first, unconfirmed, under the payment's id as
 * idempotency key, and then confirmed: a request to make it that arrives late charges nothing, and one that was cancelled can
 * never be confirmed. A declined one is cancelled too, so that nobody confirms it later with its client secret.
 */
export class StripeAdapter implements Processor {
  constructor(
    private readonly client: () => Stripe,
    private readonly logger: Logger,
  ) {}

  private get stripe(): Stripe {
    return this.client();
  }

  async createCustomer(accountId: string): Promise<string> {
    const customer = { metadata: { account_id: accountId } };
    const options = { idempotencyKey: `customer:${accountId}` };
    const made = await this.tried(this.stripe.customers.create(customer, options), isReplayed);
    if ('value' in made) return made.value.id;
    // Stripe repeats a stored error for a day. A second customer does no harm: the wallet keeps one.
    return (await this.ask(this.stripe.customers.create(customer))).id;
  }

  async removeCustomer(customerId: string): Promise<void> {
    const removed = await this.tried(this.stripe.customers.del(customerId));
    if ('rejection' in removed && removed.rejection.code !== 'resource_missing')
      throw this.unexpected(removed.rejection);
  }

  async setUpMethod(customer: string): Promise<string> {
    // It needs no idempotency key, since a SetupIntent that nobody confirms does nothing.
    const setup = this.stripe.setupIntents.create({
      customer,
      usage: 'off_session',
      allowed_payment_method_types: ['card'],
    });
    return (await this.ask(setup)).client_secret!;
  }

  async describeMethod(token: string, customerId: string | null): Promise<Card | null> {
    const found = await this.tried(this.stripe.paymentMethods.retrieve(token));
    if ('rejection' in found) return null;
    const owner = idOf(found.value.customer);
    return owner === null || owner === customerId ? toCard(found.value) : null;
  }

  async attachMethod(token: string, customerId: string): Promise<AttachedMethod | { failureCode: string } | null> {
    const attached = await this.tried(this.stripe.paymentMethods.attach(token, { customer: customerId }));
    if ('rejection' in attached && attached.rejection.type === 'StripeCardError')
      return { failureCode: publicCode(attached.rejection.decline_code ?? attached.rejection.code) };
    // One that an earlier run has attached cannot be attached again.
    const method = 'value' in attached ? attached : await this.tried(this.stripe.paymentMethods.retrieve(token));
    if ('rejection' in method || idOf(method.value.customer) !== customerId) return null;
    const card = toCard(method.value);
    return card && { ...card, token: method.value.id };
  }

  async detachMethod(token: string): Promise<void> {
    const detached = await this.tried(this.stripe.paymentMethods.detach(token));
    if ('value' in detached) return;
    const found = await this.tried(this.stripe.paymentMethods.retrieve(token));
    if ('value' in found && found.value.customer !== null) throw this.unexpected(detached.rejection);
  }

  async charge(charge: Charge): Promise<ChargeOutcome> {
    if (toStripeAmount(charge.amountCents, charge.currency) === null)
      return { status: 'failed', failureCode: NOT_REPRESENTABLE };
    const made = charge.reference === null ? await this.make(charge) : { value: await this.retrieve(charge.reference) };
    if ('rejection' in made) return this.rejected(made.rejection, charge);
    let intent = made.value;
    if (intent.status === 'requires_confirmation') intent = await this.confirm(intent, charge, 'confirm');
    // The bank insists on the cardholder: now the payment is confirmed as one at which he is present.
    if (needsCardholder(intent) && !charge.offSession) intent = await this.confirm(intent, charge, 'authenticate');
    return this.ended(intent);
  }

  async find(charge: Charge): Promise<ChargeOutcome | null> {
    const intent = await this.lookUp(charge);
    const isOpen =
      intent?.status === 'requires_confirmation' || (intent && !charge.offSession && needsCardholder(intent));
    if (!intent || isOpen) return null;
    return this.ended(intent);
  }

  async capture(charge: Charge): Promise<ChargeOutcome> {
    const intent = await this.lookUp(charge);
    if (intent?.status !== 'requires_capture') return intent ? toChargeOutcome(intent) : { status: 'unknown' };
    const captured = await this.tried(this.stripe.paymentIntents.capture(intent.id, { expand }));
    // Another request may have captured or cancelled it, or the authorisation has ended.
    return toChargeOutcome('value' in captured ? captured.value : await this.retrieve(intent.id));
  }

  async cancel(charge: Charge): Promise<ChargeOutcome> {
    const intent = (await this.lookUp(charge)) ?? (await this.makeOrNone(charge));
    return intent ? this.end(intent) : { status: 'voided' };
  }

  async refund({ refundId, key, charge, amountCents }: RefundRequest): Promise<RefundOutcome> {
    const intent = await this.lookUp(charge);
    if (!intent) return { status: 'failed', failureCode: 'charge_not_found' };
    // Stripe forgets an idempotency key after a day; a refund that the bank leaves pending lasts longer.
    const known = await this.refundOf(intent, key);
    if (known) return toRefundOutcome(known);
    const amount = toStripeAmount(amountCents, charge.currency);
    if (amount === null) return { status: 'failed', failureCode: NOT_REPRESENTABLE };
    const metadata = { refund_id: refundId, payment_id: charge.paymentId, key };
    const request = { payment_intent: intent.id, amount, metadata };
    const made = await this.tried(this.stripe.refunds.create(request, { idempotencyKey: key }));
    if ('value' in made) return toRefundOutcome(made.value);
    return { status: 'failed', failureCode: made.rejection.code ?? 'refund_failed' };
  }

  async findRefund({ key, charge }: RefundRequest): Promise<RefundOutcome | null> {
    const intent = await this.lookUp(charge);
    const known = intent && (await this.refundOf(intent, key));
    return known ? toRefundOutcome(known) : null;
  }

  async disputesOf(charge: Charge): Promise<Dispute[]> {
    const intent = await this.lookUp(charge);
    if (!intent) return [];
    return (await this.listed(this.stripe.disputes.list({ payment_intent: intent.id, limit: 100 }))).map(toDispute);
  }

  async refundsOf(charge: Charge): Promise<ReportedRefund[]> {
    const intent = await this.lookUp(charge);
    return intent ? (await this.refundsIn(intent)).map(toReportedRefund) : [];
  }

  private async refundOf(intent: Intent, key: string): Promise<Stripe.Refund | undefined> {
    return (await this.refundsIn(intent)).find(({ metadata }) => metadata?.key === key);
  }

  private refundsIn({ id }: Intent): Promise<Stripe.Refund[]> {
    return this.listed(this.stripe.refunds.list({ payment_intent: id, limit: 100 }));
  }

  /** The PaymentIntent of a payment: at the first request a new one, which charges nothing before it is confirmed. */
  private make(charge: Charge, isFinal?: (error: unknown) => boolean) {
    const { paymentId, token, customerId, amountCents, currency, capture } = charge;
    const request: Stripe.PaymentIntentCreateParams = {
      // Stripe rejects 0.
      amount: toStripeAmount(amountCents, currency) ?? 0,
      currency: currency.toLowerCase(),
      ...(customerId === null ? {} : { customer: customerId }),
      payment_method: token,
      // Only cards are attached; those that need a redirect would need an address of the client to return to.
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      capture_method: capture ? 'automatic' : 'manual',
      metadata: { payment_id: paymentId },
    };
    return this.tried(this.stripe.paymentIntents.create(request, { idempotencyKey: paymentId }), isFinal);
  }

  /**
   * As `make`, to cancel it: a request to make it that arrives later is answered with this one. Null when every request to
   * make it is answered with the same error.
   */
  private async makeOrNone(charge: Charge): Promise<Intent | null> {
    const made = await this.make(charge, isReplayed);
    return 'value' in made ? made.value : null;
  }

  private async confirm(intent: Intent, charge: Charge, how: 'confirm' | 'authenticate'): Promise<Intent> {
    const request = how === 'confirm' ? { off_session: true } : { payment_method: charge.token, use_stripe_sdk: true };
    const options = { idempotencyKey: `${charge.paymentId}:${how}` };
    const confirmed = await this.tried(this.stripe.paymentIntents.confirm(intent.id, { ...request, expand }, options));
    if ('value' in confirmed) return confirmed.value;
    const now = await this.retrieve(intent.id);
    if (now.status !== 'requires_confirmation') return now;
    // Rejected without a try: the reason stands in the rejection alone.
    const { code, message } = confirmed.rejection;
    return {
      ...now,
      last_payment_error: { code, message, type: 'invalid_request_error' } as Intent['last_payment_error'],
    };
  }

  /** The outcome of a PaymentIntent. One that was declined or rejected is cancelled first. */
  private async ended(intent: Intent): Promise<ChargeOutcome> {
    const isDeclined = intent.status === 'requires_payment_method' || intent.status === 'requires_confirmation';
    return isDeclined ? this.end(intent) : toChargeOutcome(intent);
  }

  /** Cancels a PaymentIntent, and returns its outcome: `failed` when a try had failed. */
  private async end(intent: Intent): Promise<ChargeOutcome> {
    const failureCode = intent.status === 'canceled' ? null : failureOf(intent);
    // Without an idempotency key: a stored rejection would outlive the state that caused it.
    const cancelled = await this.tried(this.stripe.paymentIntents.cancel(intent.id, { expand }));
    const outcome = toChargeOutcome('value' in cancelled ? cancelled.value : await this.retrieve(intent.id));
    const hasEnded = outcome.status === 'voided' || outcome.status === 'failed';
    return hasEnded && failureCode !== null ? { status: 'failed', failureCode, reference: intent.id } : outcome;
  }

  private rejected({ code, param }: Rejection, { paymentId }: Charge): ChargeOutcome {
    this.logger.error({ paymentId, code: code ?? 'none', reason: param ?? 'none' }, 'Stripe rejects a payment');
    return { status: 'failed', failureCode: publicCode(code) };
  }

  /** The PaymentIntent of a payment, by its id or, where none is known, by our id in the customer's latest ones. */
  private async lookUp({ reference, paymentId, customerId }: Charge): Promise<Intent | null> {
    if (reference !== null) return this.retrieve(reference);
    const gte = Math.floor(timeOfId(paymentId).getTime() / 1_000) - CLOCKS_DIFFER_SECONDS;
    const customer = customerId === null ? {} : { customer: customerId };
    // A list is complete at once; a search lags behind.
    const latest = await this.listed(this.stripe.paymentIntents.list({ ...customer, created: { gte }, limit: 100 }));
    const found = latest.find(({ metadata }) => metadata.payment_id === paymentId);
    return found ? this.retrieve(found.id) : null;
  }

  // A missing object belongs to another account of Stripe: its outcome is not known.
  private retrieve(reference: string): Promise<Intent> {
    return this.ask(this.stripe.paymentIntents.retrieve(reference, { expand }));
  }

  private listed<T extends { id: string }>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
    return this.ask(list.autoPagingToArray({ limit: MOST_LISTED }));
  }

  /** The response to a request that Stripe has no reason to reject; throws `unavailable` without one. */
  private async ask<T>(response: Promise<T>): Promise<T> {
    const tried = await this.tried(response);
    if ('rejection' in tried) throw this.unexpected(tried.rejection);
    return tried.value;
  }

  /**
   * The response to a request, or its rejection; throws `unavailable` when neither is known. `isFinal` accepts further errors
   * as rejections.
   */
  private async tried<T>(
    response: Promise<T>,
    isFinal?: (error: unknown) => boolean,
  ): Promise<{ value: T } | { rejection: Rejection }> {
    try {
      return { value: await response };
    } catch (error) {
      return { rejection: isFinal?.(error) ? (error as Rejection) : rejectionFrom(error, this.logger) };
    }
  }

  private unexpected({ code, param }: Rejection): AppError {
    this.logger.error({ code: code ?? 'none', reason: param ?? 'none' }, 'Stripe rejects a request');
    return processorUnavailable();
  }
}

const idOf = (customer: string | { id: string } | null): string | null =>
  customer === null || typeof customer === 'string' ? customer : customer.id;
