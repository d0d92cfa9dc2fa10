import { PAYMENT_STATES, type Payment, type Principal } from '@swim/contracts';
import { type Aggregate, aggregateSchema, indexDue } from '@swim/mongo';
import { STEPS, type Step } from './payment.rules.js';

const REJECTED_KEPT_SECONDS = 48 * 3600;

/** The request that made the payment: recovery acts in its account's name, and events name it as their cause. */
export interface Origin extends Pick<Principal, 'accountId' | 'kind' | 'keyId'> {
  requestId: string;
  idempotencyKey: string | null;
  /** W3C trace context of the request; absent where the client sent none. */
  traceparent?: string;
}

/**
 * A payment, and the log of its steps. Until the booking has reserved the money, and after it has rejected that, it has no
 * readers: clients do not see it.
 */
export interface PaymentDocument extends Aggregate {
  origin: Origin;
  bookingId: string;
  methodId: string;
  /** The processor's id of the method; stored here so that a payment in progress survives the method's removal. */
  token: string;
  amountCents: number;
  refundedCents: number;
  currency: string;
  status: Payment['status'];
  failureCode: string | null;
  /** The next step. */
  step: Step;
  /** Fences off superseded runs: counts take-overs. */
  attempt: number;
  /** When the recoverer processes it, by the database's clock; null when nothing is left to do. */
  nextAt: Date | null;
  /** JSON of the error by which the booking rejected the reservation; null otherwise. */
  refusal: string | null;
  /** When it was rejected; such documents are removed two days later. */
  refusedAt?: Date;
}

const origin = {
  _id: false,
  accountId: String,
  kind: String,
  keyId: String,
  requestId: String,
  idempotencyKey: String,
  traceparent: String,
};

/** Collection `payments`. */
export const paymentSchema = aggregateSchema<PaymentDocument>({
  origin: { type: origin, required: true },
  bookingId: { type: String, required: true },
  methodId: { type: String, required: true },
  token: { type: String, required: true },
  amountCents: { type: Number, required: true },
  refundedCents: { type: Number, required: true },
  currency: { type: String, required: true },
  status: { type: String, enum: PAYMENT_STATES, required: true },
  failureCode: String,
  step: { type: String, enum: STEPS, required: true },
  attempt: { type: Number, required: true },
  nextAt: Date,
  refusal: String,
  refusedAt: Date,
});
paymentSchema.index({ readers: 1, _id: -1 });
paymentSchema.index({ readers: 1, status: 1, _id: -1 });
paymentSchema.index({ bookingId: 1, _id: -1 });
indexDue(paymentSchema, 'nextAt');
// Only cleans up: a rejected payment never had readers.
indexDue(paymentSchema, 'refusedAt', { expireAfterSeconds: REJECTED_KEPT_SECONDS });
