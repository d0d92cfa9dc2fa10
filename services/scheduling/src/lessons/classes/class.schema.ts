import type { ClassRecurrence, Location, SwimClass, SwimmingLevel } from '@swim/contracts';
import { type Aggregate, aggregateSchema, type Clocked } from '@swim/mongo';
import { Schema } from 'mongoose';

/** The fields of a class that its school decides. */
export interface ClassFields {
  name: string;
  description: string | null;
  instructorId: string;
  location: Location | null;
  recurrence: ClassRecurrence;
  durationMinutes: number;
  capacity: number;
  levels: SwimmingLevel[];
  minAgeYears: number | null;
  maxAgeYears: number | null;
  priceCents: number;
  currency: string;
}

/** A course, as stored. A draft is seen by its school alone. */
export interface ClassDocument extends Aggregate, Clocked, ClassFields {
  schoolId: string;
  status: SwimClass['status'];
  /** Folded words of the name. */
  searchWords: string[];
  version: number;
}

export const classSchema = aggregateSchema<ClassDocument>({
  schoolId: { type: String, required: true },
  name: { type: String, required: true },
  description: { type: String, default: null },
  instructorId: { type: String, required: true },
  location: { type: Schema.Types.Mixed, default: null },
  recurrence: { type: Schema.Types.Mixed, required: true },
  durationMinutes: { type: Number, required: true },
  capacity: { type: Number, required: true },
  levels: [String],
  minAgeYears: { type: Number, default: null },
  maxAgeYears: { type: Number, default: null },
  priceCents: { type: Number, required: true },
  currency: { type: String, required: true },
  status: { type: String, required: true },
  searchWords: { type: [String], required: true },
  version: { type: Number, required: true },
  clockOffsetMs: Number,
});
// For `GET /classes`.
classSchema.index({ readers: 1, _id: -1 });
// For `GET /classes?weekday=`.
classSchema.index({ 'recurrence.weekdays': 1, _id: -1 });
// For `GET /classes?account_id=`; resets and erasures.
classSchema.index({ schoolId: 1, _id: -1 });
