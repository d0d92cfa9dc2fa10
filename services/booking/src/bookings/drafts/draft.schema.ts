import type { BookingTerms, EventCause, Location } from '@swim/contracts';
import { type Clocked, indexDue, type StoredMetadata } from '@swim/mongo';
import { Schema } from 'mongoose';
import type { RequestedSlot } from '../request/booking.rules.js';

// As long as a late run of the request may come: its key is kept for a day.
const ENDED_KEPT_SECONDS = 48 * 3600;

/** The requested times. */
export interface RequestedTimes {
  slots: RequestedSlot[];
  onConflict: 'fail' | 'skip';
  location: Location | null;
  /** The hold to convert. */
  holdId: string | null;
}

/** The enrollment that a booking is. */
export interface StoredEnrollment {
  classId: string;
  /** The zone of the class, in which its dates are. */
  timezone: string;
  startsOn: string;
  endsOn: string | null;
  /** Whether its last date is over. */
  isOver?: true;
}

/** What is booked, as the booking stores it. */
export interface DraftedBooking extends Clocked {
  schoolId: string;
  instructorId: string;
  memberIds: string[];
  paymentMethodId: string | null;
  creditId: string | null;
  /** Stored encrypted with the key of the account. */
  notes: string | null;
  /** Absent where there is none. */
  metadata?: StoredMetadata;
  /** Whether the school's policy requires prepayment. */
  prepay: boolean;
  terms: BookingTerms;
  currency: string;
  /** Absent unless it is an enrollment in a class. */
  enrollment?: StoredEnrollment;
}

/**
 * A booking that is being made, under the id that it gets: the log of its saga. It has no readers. What is booked goes once the
 * booking is made or rejected; the rest stays for two days, so that a late run of the request finds how it ended.
 */
export interface DraftDocument {
  _id: string;
  accountId: string;
  /** `failed`: with a rejection for good; without one it starts over when the request is repeated. */
  state: 'claiming' | 'made' | 'failed';
  booking?: DraftedBooking;
  times?: RequestedTimes;
  /** The request: the cause of events that recovery publishes. */
  cause?: EventCause;
  /** The members, where there are notes or metadata. */
  textsAbout?: string[];
  /** Whether an erasure has removed notes and metadata: its booking loses them too. */
  textsErased?: boolean;
  /** Fences off superseded runs: counts them. */
  attempt: number;
  /** What its makeup credit pays, once a run with a confirmed claim has decided it. */
  creditedCents?: number;
  /** When the recoverer processes it, by the database's clock; absent when it has ended. */
  nextAt?: Date;
  /** JSON of the error by which it was rejected. */
  rejection?: string;
  endedAt?: Date;
}

/** A draft whose booking may still be made. */
export type OpenDraft = DraftDocument & Required<Pick<DraftDocument, 'booking' | 'times' | 'cause'>>;

/** A draft before its first write. */
export type NewDraft = Pick<OpenDraft, '_id' | 'accountId' | 'booking' | 'times' | 'cause'>;

/** Collection `drafts`. */
export const draftSchema = new Schema<DraftDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    state: { type: String, enum: ['claiming', 'made', 'failed'], required: true },
    booking: Schema.Types.Mixed,
    times: Schema.Types.Mixed,
    cause: Schema.Types.Mixed,
    textsAbout: { type: [String], default: undefined },
    textsErased: Boolean,
    attempt: { type: Number, required: true },
    creditedCents: Number,
    nextAt: Date,
    rejection: String,
    endedAt: Date,
  },
  { versionKey: false, minimize: false },
);
// For the recoverer, each second: bookings that are being made.
indexDue(draftSchema, 'nextAt');
// For the removal of drafts two days after they ended.
indexDue(draftSchema, 'endedAt', { expireAfterSeconds: ENDED_KEPT_SECONDS });
// For the erasure of a member's notes.
draftSchema.index({ textsAbout: 1 }, { partialFilterExpression: { textsAbout: { $type: 'string' } } });
