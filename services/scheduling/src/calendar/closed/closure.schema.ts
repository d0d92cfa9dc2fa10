import type { EventCause } from '@swim/contracts';
import { type Aggregate, aggregateSchema, indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';

/** Time that a school has closed. Its log says how far the work on it has come; the days say which time is closed. */
export interface ClosureDocument extends Aggregate {
  accountId: string;
  poolIds: string[];
  instructorIds: string[];
  from: Date;
  to: Date;
  reason: string;
  /** Whether lessons in its time stay. */
  keepsLessons: boolean;
  refundAs: 'payment_method' | 'credit';
  notify: boolean;
  /** `closing` until its time is closed, and `removed` from its removal on: then it has no readers. */
  status: 'closing' | 'running' | 'done' | 'removed';
  lessons: number;
  sessions: number;
  cancelled: number;
  /** The lessons that are being cancelled, whose sessions `cancelled` does not count yet. */
  batch: string[];
  cause: EventCause;
  /** The next step of the work; null when nothing is left to do. */
  step: string | null;
  /** When a replica goes on with it; null when nothing is left to do. */
  dueAt: Date | null;
}

/** Collection `closures`. */
export const closureSchema = aggregateSchema<ClosureDocument>({
  accountId: { type: String, required: true },
  poolIds: [String],
  instructorIds: [String],
  from: { type: Date, required: true },
  to: { type: Date, required: true },
  reason: { type: String, required: true },
  keepsLessons: { type: Boolean, required: true },
  refundAs: { type: String, required: true },
  notify: { type: Boolean, required: true },
  status: { type: String, required: true },
  lessons: { type: Number, required: true },
  sessions: { type: Number, required: true },
  cancelled: { type: Number, required: true },
  batch: [String],
  cause: { type: Schema.Types.Mixed, required: true },
  step: { type: String, default: null },
  dueAt: { type: Date, default: null },
});
// For `GET /closures`.
closureSchema.index({ readers: 1, createdAt: -1, _id: -1 });
// For the work on closures, each second.
indexDue(closureSchema, 'dueAt');
