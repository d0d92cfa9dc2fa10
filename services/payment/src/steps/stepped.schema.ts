import { type Aggregate, indexDue } from '@swim/mongo';
import type { Schema, SchemaDefinition } from 'mongoose';
import { type Origin, originFields } from './origin.mapper.js';

const REJECTED_KEPT_SECONDS = 48 * 3600;

/**
 * A document that is the log of its own steps. Until the booking has reserved its money, and after it has rejected that, it has no
 * readers: clients do not see it.
 */
export interface Stepped<Step extends string = string> extends Aggregate {
  /** The request that made it. */
  origin: Origin;
  /** Whose money it moves. */
  bookingId: string;
  /** As clients see it; `pending` until the outcome of the request is known. */
  status: string;
  /** The next step. */
  step: Step;
  /** Fences off superseded runs: the run of the request that stored it, incremented by each take-over. */
  attempt: number;
  /** When the recoverer processes it, by the database's clock; null when nothing is left to do. */
  nextAt: Date | null;
  /** JSON of the error by which the booking rejected the reservation; null otherwise. */
  rejection: string | null;
  /** When it was rejected; such documents are removed two days later. */
  rejectedAt?: Date;
}

/** The fields of a `Stepped` in a schema, beside those of an aggregate. */
export const steppedFields = (steps: readonly string[]): SchemaDefinition => ({
  origin: { type: originFields, required: true },
  bookingId: { type: String, required: true },
  step: { type: String, enum: steps, required: true },
  attempt: { type: Number, required: true },
  nextAt: Date,
  rejection: String,
  rejectedAt: Date,
});

/** The indexes of recovery and of the removal of rejected documents. */
export function indexSteps<D extends Stepped>(schema: Schema<D>): void {
  const stepped = schema as unknown as Schema<Stepped>;
  // For the recoverer of payments and of refunds, each second; the check for unfinished ones before an erasure.
  indexDue(stepped, 'nextAt');
  // Only cleans up: a rejected document never had readers.
  indexDue(stepped, 'rejectedAt', { expireAfterSeconds: REJECTED_KEPT_SECONDS });
}
