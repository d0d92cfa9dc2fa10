import { BOOKING_STATUSES, type Booking, type EventCause, type Location } from '@swim/contracts';
import { type Aggregate, aggregateSchema, type Managed } from '@swim/mongo';
import { Schema } from 'mongoose';
import type { RequestedSlot } from './booking.rules.js';
import type { LedgerEntry } from './ledger.rules.js';

const FAILED_KEPT_SECONDS = 48 * 3600;

/** A session as it was booked. Where it is now, scheduling knows. */
export interface BookedSession {
  id: string;
  memberId: string;
  /** ISO 8601 UTC. */
  date: string;
  endDate: string;
  durationMinutes: number;
  priceCents: number;
}

/** What was asked of scheduling; stands until the booking is made or has failed. */
export interface RequestedTimes {
  slots: RequestedSlot[];
  onConflict: 'fail' | 'skip';
  location: Location | null;
  /** The hold whose time it takes over; absent in what was asked before there were any. */
  holdId?: string | null;
}

/**
 * A booking, its money, and the log of the work that makes it. While it is `claiming`, and once it has `failed`, nobody
 * is among its readers: to the outside it does not exist.
 */
export interface BookingDocument extends Aggregate {
  accountId: string;
  schoolId: string;
  instructorId: string;
  memberIds: string[];
  paymentMethodId: string | null;
  /** In the database encrypted under the key of the account. */
  notes: string | null;
  status: Booking['status'] | 'claiming' | 'failed';
  /** Request that made it: what recovery does later is told as its effect. */
  cause: EventCause;
  asked: RequestedTimes | null;
  /** Whether the school's policy asked for prepayment when it was booked. */
  prepay: boolean;
  sessions: BookedSession[];
  /** Dates left out because they were taken; null unless skipping was asked for, and until it is made. */
  skipped: { date: string; reason: string }[] | null;
  amountCents: number;
  currency: string;
  payments: LedgerEntry[];
  expiresAt: Date | null;
  /** Set while it expires: no money is taken any more, its sessions are being given back. */
  freeing: boolean;
  /** Fences those who work on it: counts take-overs. */
  attempt: number;
  /** When the recoverer should look after it, by the database's clock; null when nothing is left to do. */
  nextAt: Date | null;
  /** JSON of the error by which it failed; null when it failed without a verdict, so that trying again makes sense. */
  refusal: string | null;
  /** When it failed; such documents are removed two days later. */
  failedAt: Date | null;
  /** Public version. */
  version: number;
}

/** A booking before its first write; the rest is the aggregate's and the saga's. */
export type NewBooking = Omit<BookingDocument, Managed | 'nextAt'>;

const session = {
  _id: false,
  id: String,
  memberId: String,
  date: String,
  endDate: String,
  durationMinutes: Number,
  priceCents: Number,
};
const entry = { _id: false, id: String, amountCents: Number, dueCents: Number, state: String };

/** Collection `bookings`. */
export const bookingSchema = aggregateSchema<BookingDocument>({
  accountId: { type: String, required: true },
  schoolId: { type: String, required: true },
  instructorId: { type: String, required: true },
  memberIds: { type: [String], required: true },
  paymentMethodId: String,
  // Encrypted: what a former release stored is text.
  notes: Schema.Types.Mixed,
  status: { type: String, enum: [...BOOKING_STATUSES, 'claiming', 'failed'], required: true },
  cause: { type: Schema.Types.Mixed, required: true },
  asked: Schema.Types.Mixed,
  prepay: { type: Boolean, required: true },
  sessions: { type: [session], required: true },
  skipped: { type: [{ _id: false, date: String, reason: String }], default: undefined },
  amountCents: { type: Number, required: true },
  currency: { type: String, required: true },
  payments: { type: [entry], required: true },
  expiresAt: Date,
  freeing: { type: Boolean, required: true },
  attempt: { type: Number, required: true },
  nextAt: Date,
  refusal: String,
  failedAt: Date,
  version: { type: Number, required: true },
});
bookingSchema.index({ readers: 1, _id: -1 });
bookingSchema.index({ readers: 1, status: 1, _id: -1 });
bookingSchema.index({ instructorId: 1, _id: -1 });
bookingSchema.index({ memberIds: 1, _id: -1 });
bookingSchema.index({ nextAt: 1 });
// Only cleans up: a failed booking has no readers from the moment it fails.
bookingSchema.index({ failedAt: 1 }, { expireAfterSeconds: FAILED_KEPT_SECONDS });
