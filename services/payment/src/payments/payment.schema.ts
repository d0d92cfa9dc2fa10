import { PAYMENT_STATES, type Payment, type RecordedMethod } from '@swim/contracts';
import { aggregateSchema, indexDue, metadataField, type StoredMetadata } from '@swim/mongo';
import { Schema } from 'mongoose';
import type { NextAction } from '../processor/processors.service.js';
import { type Origin, originFields } from '../steps/origin.mapper.js';
import { indexSteps, type Stepped, steppedFields } from '../steps/stepped.schema.js';
import type { KnownDispute } from './dispute.rules.js';
import { STEPS, type Step } from './payment.rules.js';

/** The capture or void of an authorised payment. */
export interface Ending {
  /** Names the request, so that its repetition resumes it; null without an Idempotency-Key. */
  opId: string | null;
  opSeed: string | null;
  /** The request; null once it is done. */
  origin: Origin | null;
}

/** A payment, and the log of its steps. */
export interface PaymentDocument extends Stepped<Step> {
  /** Null for money that the school recorded. */
  methodId: string | null;
  /** How the school got that money; absent where a processor charges it. */
  method?: RecordedMethod;
  /** The school charges the payer's method, by consent. */
  isByConsent?: true;
  /** The reference that the school noted with it. */
  note?: string | null;
  /** The processor's id of the method; stored here so that a payment in progress survives the method's removal. Empty without one. */
  token: string;
  /** The processor's id of the payer; null or absent where it keeps no customers. */
  customerId?: string | null;
  /** Whether it is charged at once, rather than authorised. */
  capture: boolean;
  /** The processor's own id of the charge; null before its first answer, and where it has none. */
  reference?: string | null;
  /** What the cardholder has to do; null in any other case. */
  nextAction?: NextAction | null;
  /** It waits for its cardholder no longer: its account is emptied. */
  isGivenUp?: true;
  /** The booking's account, which pays; absent before the reservation. */
  payerId?: string;
  /** The instructor's school, which captures, voids and refunds; absent before the reservation. */
  schoolId?: string;
  /** When it came to be charged, by the database's clock; absent before that. */
  reservedAt?: Date;
  /** The latest capture or void. */
  ending?: Ending | null;
  /** The disputes of its cardholder, as the processor reports them. */
  disputes?: KnownDispute[];
  /** When they are requested from the processor again, by the database's clock; null when nothing is left to do. */
  disputesAt?: Date | null;
  /** Absent where there is none. */
  metadata?: StoredMetadata;
  amountCents: number;
  refundedCents: number;
  /** Ids of the refunds counted in `refundedCents`. */
  refundIds?: string[];
  currency: string;
  status: Payment['status'];
  failureCode: string | null;
}

/** The fields of a new payment. */
export type NewPayment = Pick<
  PaymentDocument,
  | '_id'
  | 'origin'
  | 'bookingId'
  | 'methodId'
  | 'method'
  | 'isByConsent'
  | 'note'
  | 'token'
  | 'customerId'
  | 'capture'
  | 'amountCents'
  | 'currency'
  | 'metadata'
>;

/** Collection `payments`. */
export const paymentSchema = aggregateSchema<PaymentDocument>({
  ...steppedFields(STEPS),
  methodId: String,
  method: String,
  isByConsent: Boolean,
  note: String,
  token: String,
  customerId: String,
  capture: Boolean,
  reference: String,
  nextAction: Schema.Types.Mixed,
  isGivenUp: Boolean,
  payerId: String,
  schoolId: String,
  reservedAt: Date,
  ending: { type: { _id: false, opId: String, opSeed: String, origin: originFields }, default: undefined },
  disputes: {
    type: [
      {
        ...{ _id: false, id: String, state: String, amountCents: Number },
        ...{ revision: Number, recorded: String, closedAt: Date },
      },
    ],
    default: undefined,
  },
  disputesAt: Date,
  metadata: metadataField,
  amountCents: { type: Number, required: true },
  refundedCents: { type: Number, required: true },
  refundIds: { type: [String], default: undefined },
  currency: { type: String, required: true },
  status: { type: String, enum: PAYMENT_STATES, required: true },
  failureCode: String,
});
// For `GET /payments`.
paymentSchema.index({ readers: 1, _id: -1 });
// For `GET /payments?status=`.
paymentSchema.index({ readers: 1, status: 1, _id: -1 });
// For `GET /payments?booking_id=`; failures of a booking within 24 hours.
paymentSchema.index({ bookingId: 1, _id: -1 });
indexSteps(paymentSchema);
// For the sweep of disputes, each second.
indexDue(paymentSchema, 'disputesAt');
