import { REFUND_STATES, type Refund } from '@swim/contracts';
import { aggregateSchema } from '@swim/mongo';
import { Schema } from 'mongoose';
import { indexSteps, type Stepped, steppedFields } from '../steps/stepped.schema.js';
import { STEPS, type Step } from './refund.rules.js';

/** A refund, and the log of its steps. */
export interface RefundDocument extends Stepped<Step> {
  paymentId: string;
  /** The booking's account, whose key encrypts the reason. */
  accountId: string;
  /** Whether the booking requested it by itself: it has set the money aside already. */
  isAutomatic: boolean;
  /** Whether it was made by hand at the processor; absent otherwise. */
  isHandMade?: true;
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
}

/** Collection `refunds`. */
export const refundSchema = aggregateSchema<RefundDocument>({
  ...steppedFields(STEPS),
  paymentId: { type: String, required: true },
  accountId: { type: String, required: true },
  isAutomatic: { type: Boolean, required: true },
  isHandMade: Boolean,
  requestedCents: Number,
  amountCents: { type: Number, required: true },
  currency: { type: String, required: true },
  reason: Schema.Types.Mixed,
  status: { type: String, enum: REFUND_STATES, required: true },
  failures: { type: Number, required: true },
  failureCode: String,
});
// For refunds of an account, for its export.
refundSchema.index({ readers: 1, _id: -1 });
// For `GET /payments/{id}/refunds`; limit of refunds per payment.
refundSchema.index({ paymentId: 1, _id: -1 });
indexSteps(refundSchema);
