import type { EventCause } from '@swim/contracts';
import { indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';
import type { Taught } from './lesson-changes.js';

// As long as a late run of the request may come: its key is kept for a day.
const ENDED_KEPT_SECONDS = 48 * 3600;

/** Lessons that a substitute takes over: the log of the work on them. */
export interface SubstitutionDocument extends Taught {
  _id: string;
  accountId: string;
  substituteId: string;
  /** The lessons whose outcome is not known yet. */
  left: string[];
  moved: string[];
  skipped: { lesson_id: string; reason: string }[];
  cause: EventCause;
  /** Counts the runs: a later one fences off the claims of earlier ones. */
  attempt: number;
  /** When another run takes it over; null once it has ended. */
  dueAt: Date | null;
  createdAt: Date;
  /** Absent while lessons are left. */
  endedAt?: Date;
}

/** Collection `substitutions`. */
export const substitutionSchema = new Schema<SubstitutionDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    instructorId: { type: String, required: true },
    substituteId: { type: String, required: true },
    from: { type: Date, required: true },
    to: { type: Date, required: true },
    left: { type: [String], required: true },
    moved: { type: [String], required: true },
    skipped: { type: [{ _id: false, lesson_id: String, reason: String }], required: true },
    cause: { type: Schema.Types.Mixed, required: true },
    attempt: { type: Number, required: true },
    dueAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    endedAt: Date,
  },
  { versionKey: false, minimize: false },
);
// For the work on substitutions, each second.
indexDue(substitutionSchema, 'dueAt');
// For the removal of substitutions two days after they ended.
indexDue(substitutionSchema, 'endedAt', { expireAfterSeconds: ENDED_KEPT_SECONDS });
