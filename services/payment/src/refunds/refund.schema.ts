import { REFUND_STATES, type Refund } from '@swim/contracts';
import { type Aggregate, aggregateSchema, indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';
import { type Origin, originFields } from '../payments/origin.mapper.js';
import { STEPS, type Step } from './refund.rules.js';

const REJECTED_KEPT_SECONDS = 48 * 3600;

/**
 * A refund, and the log of its steps. Until the booking has set the money aside, and after it has rejected that, it has no
 * readers: clients do not see it.
 */
export interface RefundDocument extends Aggregate {
  origin: Origin;
  paymentId: string;
  bookingId: string;
  /** The booking's account, whose key encrypts the reason. */
  accountId: string;
  /** Whether the booking requested it by itself: it has set the money aside already. */
  isAutomatic: boolean;
  /** What the client requested; null is all that is left. */
  requestedCents: number | null;
  /** What is refunded; 0 until the booking has set it aside. */
  amountCents: number;
  currency: string;
  /** Stored encrypted with the key of the booking's account. */
  reason: string | null;
  status: Refund['status'];
  /** Known failures at the processor. */
  failures: number;
  failureCode: string | null;
  /** The next step. */
  step: Step;
  /** Fences off superseded runs: counts take-overs. */
  attempt: number;
  /** When the recoverer processes it, by the database's clock; null when nothing is left to do. */
  nextAt: Date | null;
  /** JSON of the error by which the booking rejected it; null otherwise. */
  refusal: string | null;
  /** When it was rejected; such documents are removed two days later. */
  refusedAt?: Date;
}

/** Collection `refunds`. */
export const refundSchema = aggregateSchema<RefundDocument>({
  origin: { type: originFields, required: true },
  paymentId: { type: String, required: true },
  bookingId: { type: String, required: true },
  accountId: { type: String, required: true },
  isAutomatic: { type: Boolean, required: true },
  requestedCents: Number,
  amountCents: { type: Number, required: true },
  currency: { type: String, required: true },
  reason: Schema.Types.Mixed,
  status: { type: String, enum: REFUND_STATES, required: true },
  failures: { type: Number, required: true },
  failureCode: String,
  step: { type: String, enum: STEPS, required: true },
  attempt: { type: Number, required: true },
  nextAt: Date,
  refusal: String,
  refusedAt: Date,
});
refundSchema.index({ readers: 1, _id: -1 });
refundSchema.index({ paymentId: 1, _id: -1 });
indexDue(refundSchema, 'nextAt');
// Only cleans up: a rejected refund never had readers.
indexDue(refundSchema, 'refusedAt', { expireAfterSeconds: REJECTED_KEPT_SECONDS });
