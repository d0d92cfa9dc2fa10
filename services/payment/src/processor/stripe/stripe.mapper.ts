import { centsStep } from '@swim/contracts';
import type Stripe from 'stripe';
import type { Card, ChargeOutcome, Dispute, NextAction, RefundOutcome, ReportedRefund } from '../processor.js';

/**
 * What one of our minor units is at Stripe, where that differs from ISO 4217: ISK and UGX have two decimals there, MGA none.
 */
const UNITS: Record<string, readonly [multiply: number, divide: number]> = {
  ISK: [100, 1],
  UGX: [100, 1],
  MGA: [1, 100],
};
const unitOf = (currency: string) => UNITS[currency] ?? [1, 1];

/** An amount as Stripe expects it; null when Stripe does not take it. */
export function toStripeAmount(amountCents: number, currency: string): number | null {
  const [multiply, divide] = unitOf(currency);
  return amountCents % centsStep(currency) === 0 ? (amountCents * multiply) / divide : null;
}

function fromStripeAmount(amount: number, currency: string): number {
  const [multiply, divide] = unitOf(currency.toUpperCase());
  return Math.round((amount * divide) / multiply);
}

/** A card; null for any other kind of method. */
export function toCard({ card }: Stripe.PaymentMethod): Card | null {
  if (!card) return null;
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = card;
  return { processor: 'stripe', brand, last4, expMonth, expYear };
}

// Stripe asks merchants not to reveal these: they would tell a thief what is known about the card.
const UNREVEALED = new Set(['fraudulent', 'lost_card', 'merchant_blacklist', 'stolen_card']);
const RENAMED: Record<string, string> = { payment_intent_authentication_failure: 'authentication_failed' };
const SNAKE_CASE = /^[a-z0-9_]{1,64}$/;

/** One of Stripe's codes as our public failure code. */
export function publicCode(code: string | null | undefined): string {
  if (!code || !SNAKE_CASE.test(code) || UNREVEALED.has(code)) return 'card_declined';
  return RENAMED[code] ?? code;
}

/** Whether the bank requires a confirmation of the cardholder, which nobody has requested yet. */
export const needsCardholder = ({ status, last_payment_error: error }: Stripe.PaymentIntent): boolean =>
  status === 'requires_payment_method' && error?.code === 'authentication_required';

/** Why the last try of a PaymentIntent failed; null when there was none. */
export function failureOf({ last_payment_error: error, latest_charge: charge }: Stripe.PaymentIntent): string | null {
  if (error) return publicCode(error.decline_code ?? error.code);
  // Stripe clears the error when it cancels the PaymentIntent.
  if (charge === null || typeof charge === 'string' || charge.status !== 'failed') return null;
  // A try without the cardholder is followed by one with him.
  return charge.failure_code === 'authentication_required'
    ? null
    : publicCode(charge.outcome?.reason ?? charge.failure_code);
}

function toNextAction({ next_action: action, client_secret: secret }: Stripe.PaymentIntent): NextAction {
  const redirectUrl = action?.redirect_to_url?.url ?? null;
  if (redirectUrl !== null) return { type: 'redirect', redirectUrl, clientSecret: null };
  return { type: 'use_processor_sdk', redirectUrl: null, clientSecret: secret };
}

/** What a PaymentIntent says about its charge. One without a result is `unknown`. */
export function toChargeOutcome(intent: Stripe.PaymentIntent): ChargeOutcome {
  const { id: reference, status } = intent;
  if (status === 'succeeded') return { status: 'succeeded', reference };
  if (status === 'requires_capture') return { status: 'authorized', reference };
  if (status === 'requires_action') return { status: 'requires_action', nextAction: toNextAction(intent), reference };
  if (status !== 'canceled') return { status: 'unknown', reference };
  const failureCode = failureOf(intent);
  return failureCode === null ? { status: 'voided', reference } : { status: 'failed', failureCode, reference };
}

/** The state of a refund; `unknown` until the bank has decided. */
export function toRefundOutcome({ status, failure_reason: reason }: Stripe.Refund): RefundOutcome {
  if (status === 'succeeded') return { status: 'succeeded' };
  if (status !== 'failed' && status !== 'canceled') return { status: 'unknown' };
  return { status: 'failed', failureCode: reason ?? 'refund_failed' };
}

/** A refund as Stripe lists it: without our id in its metadata it was made by hand. */
export function toReportedRefund(refund: Stripe.Refund): ReportedRefund {
  const { id, amount, currency, metadata, created } = refund;
  const { status } = toRefundOutcome(refund);
  return {
    id,
    refundId: metadata?.refund_id ?? null,
    amountCents: fromStripeAmount(amount, currency),
    state: status === 'unknown' ? 'pending' : status,
    createdAt: new Date(created * 1_000),
  };
}

// An appeal follows a lost dispute: the amount is gone until it is won.
const DECIDED: Record<string, Dispute['state']> = {
  won: 'won',
  prevented: 'won',
  warning_closed: 'won',
  lost: 'lost',
  appeal_needs_response: 'lost',
  appeal_under_review: 'lost',
};

/** A dispute with its state and the disputed amount. */
export const toDispute = ({ id, status, amount, currency }: Stripe.Dispute): Dispute => ({
  id,
  state: DECIDED[status] ?? 'open',
  amountCents: fromStripeAmount(amount, currency),
});
