import type { Hold, Location } from '@swim/contracts';
import { type Aggregate, aggregateSchema, type Clocked, indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';
import type { Slot } from '../slots/slots.service.js';

const ENDED_KEPT_SECONDS = 30 * 86_400;

/**
 * Time held for a later booking. Its claim, whose key is the hold's id, says who has the time; the hold says for whom and
 * until when. A hold in `claiming` has no readers: clients do not see it.
 */
export interface HoldDocument extends Aggregate, Clocked {
  accountId: string;
  schoolId: string;
  instructorId: string;
  memberIds: string[];
  location: Location | null;
  /** The times, or the places in lessons, with the ids that their sessions get when a booking converts the hold. */
  slots: Slot[];
  status: Hold['status'] | 'claiming';
  /** The claim of its time; null while it is `claiming`. */
  claimId: string | null;
  bookingId: string | null;
  waitlistId: string | null;
  /** The class whose line it was offered to: an enrollment in it alone takes it. */
  classId?: string;
  /** The school has taken the time back: the entry of an offer waits again. */
  isTakenBack?: boolean;
  /** How long it lasts from the moment the time is taken. */
  lastsMs: number;
  /** In real time, by the database's clock; null while it is `claiming`. */
  expiresAt: Date | null;
  /** When the sweep processes it; null once it has ended. */
  dueAt: Date | null;
  /** When it ended; such documents are removed a month later. */
  endedAt: Date | null;
}

const slot = {
  _id: false,
  startMs: Number,
  endMs: Number,
  sessions: [{ _id: false, id: String, memberId: String }],
  lessonId: String,
  place: Schema.Types.Mixed,
};

/** Collection `holds`. */
export const holdSchema = aggregateSchema<HoldDocument>({
  accountId: { type: String, required: true },
  schoolId: { type: String, required: true },
  instructorId: { type: String, required: true },
  memberIds: { type: [String], required: true },
  location: { type: Schema.Types.Mixed, default: null },
  slots: { type: [slot], required: true },
  status: { type: String, required: true },
  claimId: { type: String, default: null },
  bookingId: { type: String, default: null },
  waitlistId: { type: String, default: null },
  classId: String,
  isTakenBack: Boolean,
  lastsMs: { type: Number, required: true },
  expiresAt: { type: Date, default: null },
  dueAt: { type: Date, default: null },
  endedAt: { type: Date, default: null },
  clockOffsetMs: Number,
});
// For the sweep of expired holds, each second.
indexDue(holdSchema, 'dueAt');
// Only cleans up: an ended hold blocks nothing.
indexDue(holdSchema, 'endedAt', { expireAfterSeconds: ENDED_KEPT_SECONDS });
