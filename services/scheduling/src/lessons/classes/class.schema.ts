import type {
  ClassRecurrence,
  EventCause,
  LessonChangesOfClass,
  Location,
  SwimClass,
  SwimmingLevel,
} from '@swim/contracts';
import { type Aggregate, aggregateSchema, type Clocked, indexDue } from '@swim/mongo';
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

/** A date that has no lesson, and why. */
export interface LeftOutDate {
  /** The local date `YYYY-MM-DD`. */
  date: string;
  reason: string;
}

/** What is being done with the lessons of a class, as its request asked for it. */
export interface ClassWork {
  kind: 'open' | 'change' | 'close';
  /** The ids of the lessons that it makes follow from this one. */
  seed: string;
  outsideHours: boolean;
  cause: EventCause;
  /** A change has its fields, and the dates before. */
  fields?: (keyof ClassFields)[];
  before?: Pick<ClassFields, 'recurrence' | 'durationMinutes'>;
  /** A close has the first instant without lessons, and the reason of the school, encrypted in base64. */
  from?: Date;
  sealedReason?: string | null;
  refundAs?: 'payment_method' | 'credit';
}

/** What became of the lessons of a class by a work that has ended. */
export interface ClassWorkResult {
  seed: string;
  kind: ClassWork['kind'];
  changes: LessonChangesOfClass;
}

/** A course, as stored. A draft is seen by its school alone. */
export interface ClassDocument extends Aggregate, Clocked, ClassFields {
  schoolId: string;
  status: SwimClass['status'];
  /** Folded words of the name. */
  searchWords: string[];
  version: number;
  /** The dates that were left out when it was opened. */
  leftOut?: LeftOutDate[];
  /** The least number of places left in a lesson to come, for filters: answers count anew. Null where none is to come. */
  placesLeft: number | null;
  nextLessonAt: Date | null;
  /** Counts the counts: of two at a time, one is repeated. */
  countRev: number;
  /** When its places are to be counted again, in real time: the next lesson begins. */
  countDueAt: Date | null;
  /** Whether somebody may wait for a place in all lessons to come. */
  isAwaited?: true | undefined;
  /** Incremented by all that a run may have missed which serves the line; absent until somebody has waited. */
  lineRev?: number;
  /** When the line is served; null or absent when there is nothing to do. */
  lineDueAt?: Date | null;
  /** Absent when nothing is in progress. */
  work?: ClassWork | undefined;
  /** The latest results, for requests that are repeated; that of its close stays. */
  results?: ClassWorkResult[];
  /** When a replica goes on with that; null when nothing is in progress. */
  dueAt: Date | null;
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
  leftOut: { type: [{ _id: false, date: String, reason: String }], default: undefined },
  placesLeft: { type: Number, default: null },
  nextLessonAt: { type: Date, default: null },
  countRev: { type: Number, required: true },
  countDueAt: { type: Date, default: null },
  isAwaited: Boolean,
  lineRev: Number,
  lineDueAt: Date,
  work: Schema.Types.Mixed,
  results: { type: [Schema.Types.Mixed], default: undefined } as never,
  dueAt: { type: Date, default: null },
  clockOffsetMs: Number,
});
// For `GET /classes`.
classSchema.index({ readers: 1, _id: -1 });
// For `GET /classes?weekday=`.
classSchema.index({ 'recurrence.weekdays': 1, _id: -1 });
// For `GET /classes?account_id=`; resets and erasures.
classSchema.index({ schoolId: 1, _id: -1 });
// For what was begun with the lessons of classes, each second.
indexDue(classSchema, 'dueAt');
// For the places of classes, each second.
indexDue(classSchema, 'countDueAt');
// For the lines of classes, each second.
indexDue(classSchema, 'lineDueAt');
