import type { Payment } from '@swim/contracts';
import { metadataOf } from '@swim/mongo';
import { isDisputed, toDispute } from './dispute.rules.js';
import type { PaymentDocument } from './payment.schema.js';

/** The account that pays: before the booking has reserved the money, the one that requests it. */
export const payerOf = ({ payerId, origin }: Pick<PaymentDocument, 'payerId' | 'origin'>): string =>
  payerId ?? origin.accountId;

/** Maps a stored payment to the API's JSON, which its events contain too. */
export const toPayment = (document: PaymentDocument): Payment => ({
  id: document._id,
  account_id: payerOf(document),
  booking_id: document.bookingId,
  payment_method_id: document.methodId,
  method: document.method ?? 'card',
  reference: document.note ?? null,
  amount_cents: document.amountCents,
  refunded_cents: document.refundedCents,
  currency: document.currency,
  status: document.status,
  failure_code: document.failureCode,
  disputed: isDisputed(document),
  dispute: toDispute(document),
  next_action: null,
  metadata: metadataOf(document.metadata),
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
});

/** The same for one account: only the payer gets what its cardholder has to do. */
export function toPaymentFor(accountId: string, document: PaymentDocument): Payment {
  const { nextAction, status } = document;
  if (!nextAction || status !== 'pending' || payerOf(document) !== accountId) return toPayment(document);
  const { type, redirectUrl, clientSecret } = nextAction;
  return { ...toPayment(document), next_action: { type, redirect_url: redirectUrl, client_secret: clientSecret } };
}
