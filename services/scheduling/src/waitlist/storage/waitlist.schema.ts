import type { WaitlistEntry } from '@swim/contracts';
import { type Aggregate, aggregateSchema, type Clocked, indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';

const LEFT_KEPT_SECONDS = 86_400;

/** A hold offered to an entry. */
export interface Offer {
  holdId: string;
  startMs: number;
  endMs: number;
  expiresAt: Date;
}

/** A member's request for an instructor's time, or for a place in a lesson or a class; the id orders entries by creation. */
export interface WaitlistDocument extends Aggregate, Clocked {
  accountId: string;
  schoolId: string;
  /** Both absent where an instructor's time is awaited. Its lesson or class gives an entry instructor and time. */
  lessonId?: string;
  classId?: string;
  /** The school has joined it, whose places need not fit. */
  asSchool?: true;
  instructorId: string;
  memberId: string;
  /** The generation of the connection by which it was joined; absent for members of the school itself. */
  connectionGen?: number;
  from: Date;
  to: Date;
  durationMinutes: number;
  status: WaitlistEntry['status'];
  offer: Offer | null;
  bookingId: string | null;
  /** The requested time, lesson or class, while the entry is open: unique, so that a member requests it once. */
  openKey?: string | undefined;
  /** When the entry expires, in real time, or is to be looked after since its lesson or class may not know of it; null once it has ended. */
  dueAt: Date | null;
  /** When the account left; the entry has no readers, and is removed a day later. */
  leftAt: Date | null;
}

/** Collection `waitlist`. */
export const waitlistSchema = aggregateSchema<WaitlistDocument>({
  accountId: { type: String, required: true },
  schoolId: { type: String, required: true },
  lessonId: String,
  classId: String,
  asSchool: Boolean,
  instructorId: { type: String, required: true },
  memberId: { type: String, required: true },
  connectionGen: Number,
  from: { type: Date, required: true },
  to: { type: Date, required: true },
  durationMinutes: { type: Number, required: true },
  status: { type: String, required: true },
  offer: { type: Schema.Types.Mixed, default: null },
  bookingId: { type: String, default: null },
  openKey: String,
  dueAt: { type: Date, default: null },
  leftAt: { type: Date, default: null },
  clockOffsetMs: Number,
});
// For `GET /waitlist`.
waitlistSchema.index({ readers: 1, _id: -1 });
// For entries that freed time may match.
waitlistSchema.index({ instructorId: 1, status: 1, _id: 1 });
// For the lines of lessons.
waitlistSchema.index(
  { lessonId: 1, status: 1, _id: 1 },
  { partialFilterExpression: { lessonId: { $type: 'string' } } },
);
// For the lines of classes.
waitlistSchema.index({ classId: 1, status: 1, _id: 1 }, { partialFilterExpression: { classId: { $type: 'string' } } });
// For entries that new lanes of a school's pool may match.
waitlistSchema.index({ schoolId: 1, status: 1, _id: 1 });
// For one open entry per member and time.
waitlistSchema.index({ openKey: 1 }, { unique: true, sparse: true });
// Only cleans up: entries that were left have no readers.
indexDue(waitlistSchema, 'leftAt', { expireAfterSeconds: LEFT_KEPT_SECONDS });
// For the sweep of offers and past entries, each second.
indexDue(waitlistSchema, 'dueAt');
