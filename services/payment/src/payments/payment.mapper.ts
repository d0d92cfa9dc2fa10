import type { Payment } from '@swim/contracts';
import type { PaymentDocument } from './payment.schema.js';

/** Maps a stored payment to the API's JSON, which its events contain too. */
export const toPayment = (document: PaymentDocument): Payment => ({
  id: document._id,
  booking_id: document.bookingId,
  payment_method_id: document.methodId,
  amount_cents: document.amountCents,
  refunded_cents: document.refundedCents,
  currency: document.currency,
  status: document.status,
  failure_code: document.failureCode,
  created_at: document.createdAt.toISOString(),
});
