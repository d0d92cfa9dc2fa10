import { z } from 'zod';
import { currency, id, idText, instantText, orRequired, patch, text } from '../formats/formats.js';
import { changingFilters, listQuery, metadataFilter, several } from '../formats/list-query.js';
import { metadata, metadataAnswer, metadataPatch } from '../formats/metadata.js';
import { apiObject } from '../formats/object-kinds.js';
import { event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';
import { ownList } from '../operations/own-list.js';

/** Where a payment stands (contract, Payments); `pending` until the processor's answer is known for certain. */
export const PAYMENT_STATES = [
  'pending',
  'authorized',
  'succeeded',
  'partially_refunded',
  'refunded',
  'failed',
  'voided',
] as const;

/**
 * The step by which a cardholder authenticates a pending payment (contract, Payments): `redirect_url` where the processor has
 * a page for it, else the client secret for the processor's own library.
 */
const nextAction = z.object({
  type: z.enum(['redirect', 'use_processor_sdk']),
  redirect_url: z.string().nullable(),
  client_secret: z.string().nullable(),
});

/** How a dispute stands: `open` until the bank has decided. A decided one may be decided again. */
export const DISPUTE_STATES = ['open', 'won', 'lost'] as const;

/** How a school got money elsewhere that it records. */
export const RECORDED_METHODS = ['cash', 'transfer', 'terminal', 'voucher'] as const;
export type RecordedMethod = (typeof RECORDED_METHODS)[number];

/** How money was paid: by a card of a wallet, or elsewhere. */
export const PAID_BY = ['card', ...RECORDED_METHODS] as const;

/** A payment as every operation returns it; money in minor units. */
export const payment = apiObject('payment', {
  id: idText('pay'),
  /** The account that pays. */
  account_id: idText('acct'),
  booking_id: idText('bkg'),
  /** Null for money that the school recorded. */
  payment_method_id: idText('pm').nullable(),
  method: z.enum(PAID_BY),
  /** What the school noted with money that it recorded: it goes with the metadata. */
  reference: z.string().nullable(),
  amount_cents: z.int(),
  refunded_cents: z.int(),
  currency: z.string(),
  status: z.enum(PAYMENT_STATES),
  failure_code: z.string().nullable(),
  /** Whether its cardholder disputes it at the bank, or has its money back by that: nothing of it can be refunded then. */
  disputed: z.boolean(),
  /** The dispute that decides so, else the latest; null without one. */
  dispute: z
    .object({
      status: z.enum(DISPUTE_STATES),
      closed_at: instantText.nullable().meta({ description: 'When it was decided; null while it is open' }),
    })
    .nullable(),
  /** What the cardholder has to do before the processor charges; null in any other case, and for all but the payer. */
  next_action: nextAction.nullable(),
  metadata: metadataAnswer,
  created_at: instantText,
  updated_at: instantText,
});
export type Payment = z.output<typeof payment>;

/** What one payment may charge, in minor units: 1 to 99 999 999. */
const amountCents = z.int(orRequired).min(1, { error: 'too_small' }).max(99_999_999, { error: 'too_large' });

/**
 * Charges a method for a booking, or records money that its school got elsewhere. A decline answers `card_declined` with `details.payment_id` and `decline_code`, and the
 * payment is kept as failed; an outcome that the processor has not reported yet answers the payment as `pending`.
 */
export const createPayment = rpc('payment.create', {
  summary: 'Pay for a booking',
  description:
    'Charges a payment method, or with `capture: false` authorizes the amount. A decline is 402 with the failed payment. With `method` the school records money that it got elsewhere; with neither it charges the method of the booking, by the family’s consent. Send an `Idempotency-Key`.',
  kind: 'write',
  // The processor may be slow.
  isIsolated: true,
  input: z
    .strictObject({
      booking_id: id('bkg'),
      payment_method_id: id('pm').optional().meta({ description: 'The method; required of the account that pays' }),
      method: z
        .enum(RECORDED_METHODS)
        .optional()
        .meta({ description: 'How the school got money that it records, in place of a payment method' }),
      reference: text(200, 1)
        .optional()
        .meta({ description: 'Only with `method`: the number of a receipt or a transfer' }),
      amount_cents: amountCents,
      currency,
      capture: z
        .boolean()
        .default(true)
        .meta({ description: 'false only authorises the amount: the school captures or voids it later' }),
      metadata: metadata.optional(),
    })
    .refine((input) => !(input.payment_method_id && input.method), {
      error: 'mutually_exclusive',
      path: ['method'],
      params: { excludes: 'payment_method_id' },
    })
    .refine((input) => input.capture || !input.method, {
      error: 'mutually_exclusive',
      path: ['capture'],
      params: { expected: 'true, or left out, with a method' },
    })
    .refine((input) => input.reference === undefined || input.method, { error: 'required', path: ['method'] }),
  output: payment,
  errors: [
    'required',
    'school_only',
    'no_consent',
    'consent_exceeded',
    'card_declined',
    'authentication_required',
    'not_found',
    'amount_exceeds_due',
    'not_representable',
    'currency_mismatch',
    'invalid_state',
    'already_paid',
    'too_many_attempts',
    'change_in_progress',
  ],
});

/** An operation that ends an authorisation. */
const endingOf = (name: 'payment.capture' | 'payment.void', texts: { summary: string; description: string }) =>
  rpc(name, {
    ...texts,
    kind: 'write',
    // The processor may be slow.
    isIsolated: true,
    input: z.strictObject({ payment_id: id('pay') }),
    output: payment,
    errors: ['resource_not_found', 'school_only', 'invalid_state', 'change_in_progress'],
  });

/**
 * Charges an authorised payment in full; only the school may. While the processor has not answered, the payment is answered
 * as `authorized`, and becomes `succeeded` by asking. An authorisation that has ended at the processor is `invalid_state`.
 */
export const capturePayment = endingOf('payment.capture', {
  summary: 'Capture a payment',
  description: 'Charges an authorized payment. Only the school may.',
});

/** Releases an authorised payment without charging it; only the school may. */
export const voidPayment = endingOf('payment.void', {
  summary: 'Void a payment',
  description: 'Releases an authorized payment without a charge. Only the school may.',
});

export const getPayment = rpc('payment.get', {
  summary: 'Get a payment',
  description: 'A payment as it is now; one that is `pending` is settled within a minute.',
  kind: 'read',
  input: z.strictObject({ payment_id: id('pay') }),
  output: payment,
  errors: ['resource_not_found'],
});

/** Changes what a client keeps at a payment. `change_in_progress` while the payment or a refund of it is in progress. */
export const updatePayment = rpc('payment.update', {
  summary: 'Update a payment',
  description: 'Changes its metadata.',
  kind: 'write',
  reads: getPayment,
  input: z.strictObject({ payment_id: id('pay'), changes: patch({ metadata: metadataPatch }) }),
  output: payment,
  errors: ['resource_not_found', 'change_in_progress', 'too_long'],
});

export const listPayments = rpc('payment.list', {
  summary: 'List payments',
  description:
    'The payments that the account may see, newest first: those that it made, and for a school those for its lessons.',
  kind: 'list',
  input: listQuery({
    account_id: id('acct').optional(),
    status: several(PAYMENT_STATES).optional(),
    booking_id: id('bkg').optional(),
    ...changingFilters('pay'),
    ...metadataFilter,
  }),
  output: payment,
  errors: ['foreign_account'],
});

/** Where a refund stands. One that `failed` is tried again by itself. */
export const REFUND_STATES = ['pending', 'succeeded', 'failed'] as const;

/** A refund as every operation returns it; money in minor units. */
export const refund = apiObject('refund', {
  id: idText('rfd'),
  payment_id: idText('pay'),
  amount_cents: z.int(),
  currency: z.string(),
  reason: z.string().nullable(),
  // Deliveries of webhooks have states of the same names.
  status: z.enum(REFUND_STATES).meta({ title: 'RefundStatus' }),
  created_at: instantText,
  updated_at: instantText,
});
export type Refund = z.output<typeof refund>;

export const createRefund = rpc('payment.createRefund', {
  summary: 'Refund a payment',
  description:
    'Gives back an amount, or without one all that is left. Of a recorded payment it records that the school gave it back. Only the school may.',
  kind: 'write',
  // The processor may be slow.
  isIsolated: true,
  input: z.strictObject({ payment_id: id('pay'), amount_cents: amountCents.optional(), reason: text(500, 1) }),
  output: refund,
  errors: [
    'resource_not_found',
    'school_only',
    'invalid_state',
    'payment_disputed',
    'not_representable',
    'amount_exceeds_refundable',
    'limit_reached',
    'change_in_progress',
  ],
});

export const listRefunds = rpc('payment.listRefunds', {
  summary: 'List refunds of a payment',
  description: 'Refunds of the payment, newest first, automatic ones included.',
  kind: 'list',
  input: listQuery({ payment_id: id('pay'), ...changingFilters('rfd') }),
  output: refund,
  errors: ['resource_not_found'],
});

export const listOwnRefunds = ownList('payment.listOwnRefunds', refund);

/**
 * A webhook of Stripe: the body as it was received, and the header Stripe-Signature. The service verifies it, since no other
 * process has the secret. A verified one is accepted whatever it is about.
 */
export const receiveStripeWebhook = rpc('payment.receiveStripeWebhook', {
  summary: 'Receive a webhook of Stripe',
  description: 'For Stripe alone: it needs no API key, but the signature by the secret of the webhook.',
  kind: 'write',
  // Anybody may send one: a flood affects no payment.
  isIsolated: true,
  input: z.strictObject({ payload: z.string().max(262_144), signature: z.string().max(4_096) }),
  output: z.object({
    received: z.literal(true).meta({ description: 'The webhook is stored or concerns nothing of this product' }),
  }),
  errors: ['invalid_signature'],
});

export const paymentSucceeded = event('payment', 'payment.succeeded', payment);
export const paymentFailed = event('payment', 'payment.failed', payment);
export const paymentAuthorized = event('payment', 'payment.authorized', payment);
export const paymentVoided = event('payment', 'payment.voided', payment);
/** Its cardholder disputes it at the bank. One event for each dispute. */
export const paymentDisputed = event('payment', 'payment.disputed', payment);
/** A dispute of it was won or lost. One event for each decision: the bank may change it. */
export const paymentDisputeClosed = event('payment', 'payment.dispute_closed', payment);
/** Money of it went back: a part, or all. One event for each refund that succeeded, also one made by hand at the processor. */
export const paymentRefunded = event('payment', 'payment.refunded', payment);
