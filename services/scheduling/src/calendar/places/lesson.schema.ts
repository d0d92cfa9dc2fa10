import type { EventCause, Lesson, Location, SwimmingLevel } from '@swim/contracts';
import { type Aggregate, aggregateSchema, type Clocked, indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';
import { type BusyElement, type ClosedTime, closedField } from '../day.schema.js';

/** How a school has cancelled a lesson: kept until its sessions are cancelled too. */
export interface Ending {
  /** Why, encrypted with the key of the school, in base64. */
  sealedReason: string | null;
  notify: boolean;
  refundAs: 'payment_method' | 'credit';
  /** The closure that has cancelled it; absent without one. */
  closureId?: string;
  cause: EventCause;
}

/**
 * What an instructor teaches at one time, as stored. It is the lock of its places, as a day is that of a resource's time: `busy` has an
 * element for each place that a session, a hold or an offer has. Every change of it increments `rev`; `version` and `updatedAt` change
 * with the lesson, not with its places.
 */
export interface LessonDocument extends Aggregate, Clocked {
  schoolId: string;
  classId: string | null;
  /** The local date of its class that it is for; absent without a class. */
  classDate?: string;
  /** The work on its class that has changed it last. */
  classSeed?: string;
  /** What was changed on the lesson itself, and does not follow its class; in the spelling of the API. */
  ownFields?: string[];
  /** The booking that made a private lesson; null for one that was made without. */
  bookingId: string | null;
  /** Made by sessions, for the members of one request; ends with its last session. */
  isPrivate: boolean;
  instructorId: string;
  location: Location | null;
  start: Date;
  end: Date;
  durationMinutes: number;
  capacity: number;
  bookable: boolean;
  levels: SwimmingLevel[];
  minAgeYears: number | null;
  maxAgeYears: number | null;
  priceCents: number;
  currency: string;
  status: Lesson['status'];
  version: number;
  /** Counts the moves: a place is taken only in the generation that its claim has read. */
  gen: number;
  /** Claim of the instructor and the lane. */
  claimId: string;
  /** The claim of a move that its only session is making: no places are taken meanwhile. */
  moving: string | null;
  busy: BusyElement[];
  /** Claims that were released here, latest last: a late push of theirs must miss. */
  gone: string[];
  /** The closures of its instructor or its pool in its time: it takes no new places. */
  closed?: ClosedTime[];
  /** Whether somebody may wait for a place. */
  isAwaited?: true | undefined;
  /** Since when free places are kept for those who wait; absent where all may take them. */
  keptAt?: Date | undefined;
  /** Incremented by all that a run may have missed which serves the line; absent until somebody has waited. */
  lineRev?: number;
  /** When the line is served; null when there is nothing to do. */
  lineDueAt?: Date | null;
  /** When the places of its class are due to be counted: set by each write that may change them; absent or null once they are. */
  placesDueAt?: Date | null;
  /** When it is completed, in real time; null when it is no longer scheduled. */
  nextDueAt: Date | null;
  /** Absent unless a cancellation is to be carried out. */
  ending?: Ending | undefined;
  /** When recovery has its sessions follow it, cancelled or moved; null when nothing is left to do. */
  dueAt?: Date | null;
}

export const lessonSchema = aggregateSchema<LessonDocument>({
  schoolId: { type: String, required: true },
  classId: { type: String, default: null },
  classDate: String,
  classSeed: String,
  ownFields: { type: [String], default: undefined },
  bookingId: { type: String, default: null },
  isPrivate: { type: Boolean, required: true },
  instructorId: { type: String, required: true },
  location: { type: Schema.Types.Mixed, default: null },
  start: { type: Date, required: true },
  end: { type: Date, required: true },
  durationMinutes: { type: Number, required: true },
  capacity: { type: Number, required: true },
  bookable: { type: Boolean, required: true },
  levels: [String],
  minAgeYears: { type: Number, default: null },
  maxAgeYears: { type: Number, default: null },
  priceCents: { type: Number, required: true },
  currency: { type: String, required: true },
  status: { type: String, required: true },
  version: { type: Number, required: true },
  gen: { type: Number, required: true },
  claimId: { type: String, required: true },
  moving: { type: String, default: null },
  busy: [{ _id: false, s: Date, e: Date, c: String, h: String }],
  gone: [String],
  closed: closedField,
  isAwaited: Boolean,
  keptAt: Date,
  lineRev: Number,
  lineDueAt: { type: Date, default: null },
  placesDueAt: Date,
  nextDueAt: { type: Date, default: null },
  ending: Schema.Types.Mixed,
  dueAt: { type: Date, default: null },
  clockOffsetMs: Number,
});
// For `GET /lessons`.
lessonSchema.index({ readers: 1, start: 1, _id: 1 });
// For `GET /lessons?account_id=`, in its order: one who also reads what is public has several entries in the index above.
lessonSchema.index({ schoolId: 1, start: 1, _id: 1 });
// For `GET /lessons?instructor_id=`; rosters.
lessonSchema.index({ instructorId: 1, start: 1, _id: 1 });
// For the places of classes; `GET /lessons?class_id=`.
lessonSchema.index({ classId: 1, start: 1 }, { partialFilterExpression: { classId: { $type: 'string' } } });
// For the lessons of a booking that a moved session may join.
lessonSchema.index({ bookingId: 1 }, { partialFilterExpression: { bookingId: { $type: 'string' } } });
// For completion, each second.
indexDue(lessonSchema, 'nextDueAt');
// For the lines of lessons, each second.
indexDue(lessonSchema, 'lineDueAt');
// For the places of classes, each second.
indexDue(lessonSchema, 'placesDueAt');
// For the recovery of cancellations and moves, each second.
indexDue(lessonSchema, 'dueAt');
