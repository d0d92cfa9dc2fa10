import type { BookingTerms, Location, Session } from '@swim/contracts';
import {
  type Aggregate,
  aggregateSchema,
  type Clocked,
  indexDue,
  metadataField,
  type StoredMetadata,
} from '@swim/mongo';
import { Schema } from 'mongoose';

/** The move that was made with the least notice. */
export interface ClosestMove {
  /** The start of the session before that move. */
  start: Date;
  /** When it was moved. */
  at: Date;
  /** The earliest start that a late move has left. Absent without one, and outside bookings. */
  earliestLate?: Date;
}

/** A member's place in a lesson, as stored. */
export interface SessionDocument extends Aggregate, Clocked {
  accountId: string;
  schoolId: string;
  bookingId: string | null;
  lessonId: string;
  instructorId: string;
  memberId: string;
  start: Date;
  end: Date;
  durationMinutes: number;
  location: Location | null;
  /** Stored encrypted, like the reason of a cancellation and stored answers. */
  notes: string | null;
  /** Absent where there is none. */
  metadata?: StoredMetadata;
  /** The generation of the connection by which it was planned; absent for members of the school itself. */
  connectionGen?: number | undefined;
  status: Session['status'];
  attendance: Session['attendance'];
  /** When the attendance was noted, by the clock of the school; absent before. */
  attendanceAt?: Date;
  /** Set once money or a credit of its booking follows the attendance: then it can neither change nor the session be moved. */
  attendanceIsFinal?: true;
  cancellation: Session['cancellation'];
  /** The closure that has cancelled it; absent without one. */
  closureId?: string;
  priceCents: number;
  /** The school has set the price: it stays when the session changes. */
  priceIsSet?: true;
  /** Why; stored encrypted, like the notes. Absent without a reason. */
  priceReason?: string | null;
  /** Rate and policies that hold for it; absent outside bookings. */
  terms?: BookingTerms;
  /** Absent until its start has been moved. */
  closestMove?: ClosestMove | undefined;
  /** The school has moved its lesson: it costs nothing to cancel until it starts. */
  freeUntilStart?: true | undefined;
  /** The latest move of a lesson that it has followed. */
  followed?: { lessonId: string; gen: number };
  currency: string;
  /** The version that clients see; counts the changes visible to them. */
  version: number;
  /** Generation of its claim; each move increments it, also one that is abandoned. */
  gen: number;
  /** Claim of its time. */
  claimId: string;
  /** Claims that the session has left and that must be released. */
  drop: string[];
  /** Lessons that the session has left, and in which it may still have its place. */
  left: string[];
  /** When the service sends its next reminder, or completes it, in real time; null when it is no longer scheduled. */
  nextDueAt: Date | null;
  /** When recovery processes it; null when nothing is left to do. */
  dueAt: Date | null;
}

export const sessionSchema = aggregateSchema<SessionDocument>({
  accountId: { type: String, required: true },
  schoolId: { type: String, required: true },
  bookingId: { type: String, default: null },
  lessonId: { type: String, required: true },
  instructorId: { type: String, required: true },
  memberId: { type: String, required: true },
  start: { type: Date, required: true },
  end: { type: Date, required: true },
  durationMinutes: { type: Number, required: true },
  location: { type: Schema.Types.Mixed, default: null },
  // Encrypted.
  notes: { type: Schema.Types.Mixed, default: null },
  metadata: metadataField,
  connectionGen: Number,
  status: { type: String, required: true },
  attendance: { type: String, required: true },
  attendanceAt: Date,
  attendanceIsFinal: Boolean,
  cancellation: { type: Schema.Types.Mixed, default: null },
  closureId: String,
  priceCents: { type: Number, required: true },
  priceIsSet: Boolean,
  priceReason: { type: Schema.Types.Mixed, default: undefined },
  terms: Schema.Types.Mixed,
  closestMove: Schema.Types.Mixed,
  freeUntilStart: Boolean,
  followed: Schema.Types.Mixed,
  currency: { type: String, required: true },
  version: { type: Number, required: true },
  gen: { type: Number, required: true },
  claimId: { type: String, required: true },
  drop: { type: [String], default: [] },
  left: { type: [String], default: [] },
  nextDueAt: { type: Date, default: null },
  dueAt: { type: Date, default: null },
  clockOffsetMs: Number,
});
// For `GET /sessions`.
sessionSchema.index({ readers: 1, start: 1, _id: 1 });
// For `GET /sessions?instructor_id=`.
sessionSchema.index({ instructorId: 1, start: 1, _id: 1 });
// For `GET /sessions?member_id=`; erasure of a member.
sessionSchema.index({ memberId: 1, start: 1, _id: 1 });
// For sessions of a booking, of several in `GET /bookings`.
sessionSchema.index({ bookingId: 1 }, { partialFilterExpression: { bookingId: { $type: 'string' } } });
// For the sessions of lessons.
sessionSchema.index({ lessonId: 1 });
// For the e-mails about closures.
sessionSchema.index({ closureId: 1, _id: 1 }, { partialFilterExpression: { closureId: { $type: 'string' } } });
// For reminders and completion, each second.
indexDue(sessionSchema, 'nextDueAt');
// For the recovery of releases, each second.
indexDue(sessionSchema, 'dueAt');
