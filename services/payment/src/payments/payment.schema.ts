import { PAYMENT_STATES, type Payment, type Principal } from '@swim/contracts';
import { type Aggregate, aggregateSchema } from '@swim/mongo';
import { STEPS, type Step } from './payment.rules.js';

const REJECTED_KEPT_SECONDS = 48 * 3600;

/** Who asked for the payment and how, so that whoever finishes it speaks for them and events name their cause. */
export interface Origin extends Pick<Principal, 'accountId' | 'kind' | 'keyId'> {
  requestId: string;
  idempotencyKey: string | null;
  /** W3C trace context of the request; absent where the client sent none. */
  traceparent?: string;
}

/**
 * A payment, and the log of the work that makes it. Until the booking has set the money aside, and after it has rejected
 * to, nobody is among its readers: to the outside it does not exist.
 */
export interface PaymentDocument extends Aggregate {
  origin: Origin;
  bookingId: string;
  methodId: string;
  /** The method as the processor names it; stands here so that a removed method does not stop what was begun. */
  token: string;
  amountCents: number;
  refundedCents: number;
  currency: string;
  status: Payment['status'];
  failureCode: string | null;
  /** What is to be done next. */
  step: Step;
  /** Fences those who work on it: counts take-overs. */
  attempt: number;
  /** When the recoverer should look after it, by the database's clock; null when nothing is left to do. */
  nextAt: Date | null;
  /** JSON of the error by which the booking set nothing aside; null otherwise. */
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
paymentSchema.index({ nextAt: 1 });
// Only cleans up: a rejected payment never had readers.
paymentSchema.index({ refusedAt: 1 }, { expireAfterSeconds: REJECTED_KEPT_SECONDS });
