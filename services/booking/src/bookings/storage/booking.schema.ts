import { BOOKING_STATUSES, type Booking, type BookingTerms } from '@swim/contracts';
import {
  type Aggregate,
  aggregateSchema,
  type Clocked,
  indexDue,
  type Managed,
  metadataField,
  type StoredMetadata,
} from '@swim/mongo';
import { Schema } from 'mongoose';
import type { LedgerEntry, Movement, Refund } from '../../money/balance.rules.js';
import type { Consent } from '../../money/consent.rules.js';
import type { DuePart } from '../../money/due-parts.rules.js';
import type { CreditIssue } from '../../money/returns.rules.js';
import type { BookedSession } from '../../money/session-billing.rules.js';
import type { StoredEnrollment } from '../drafts/draft.schema.js';

/** A cancellation in progress: the booking accepts no payments, and the recoverer finishes it. */
export interface Cancelling {
  /** The account that cancels. */
  by: string;
  /** When it was requested, by the account's clock: decides fees and sessions. */
  at: string;
  notifyParticipants: boolean;
  /** The sessions with their fees, once no payment was in progress any more; null before. */
  sessions: { id: string; late: boolean; feeCents: number; creditId?: string }[] | null;
  refundAs: 'payment_method' | 'credit';
  /** Only sessions from this instant on, ISO 8601 UTC: an enrollment ends. */
  from?: string;
}

/** A booking and its money. While it is being made, there is only its draft (`draft.schema.ts`). */
export interface BookingDocument extends Aggregate, Clocked {
  accountId: string;
  schoolId: string;
  instructorId: string;
  memberIds: string[];
  paymentMethodId: string | null;
  /** Its account's consent to be charged by that method; absent or null without. */
  consent?: Consent | null;
  /** When its account has last changed it, by the clock of the two; absent where nobody but the school has. */
  ownChangeAt?: Date;
  /** Stored encrypted with the key of the account. */
  notes: string | null;
  /** Absent where there is none. */
  metadata?: StoredMetadata;
  status: Booking['status'];
  /** Whether the school's policy required prepayment when it was booked. */
  prepay: boolean;
  terms: BookingTerms;
  sessions: BookedSession[];
  /** Dates skipped because they were taken; null unless the request permits skipping. */
  skipped: { lesson_id?: string | undefined; date: string; reason: string }[] | null;
  amountCents: number;
  currency: string;
  payments: LedgerEntry[];
  /** Failed payments that have no entry any more; absent without any. */
  failedCount?: number;
  /** Absent before the first, like the movements. */
  refunds?: Refund[];
  movements?: Movement[];
  /** What is due for it, the oldest first; empty or absent where nothing is. */
  dueParts?: DuePart[] | undefined;
  /** The makeup credit that it was booked with; absent without one. */
  creditId?: string | null;
  /** How much of that credit is spent, as the credit records it; null until it does. */
  creditSettledCents?: number | null;
  /** The makeup credits that it has given; absent before the first. */
  issues?: CreditIssue[];
  /** When requests to payment and scheduling are repeated (see `BookingRequests`); null when both have accepted all. */
  requestsAt?: Date | null;
  /** When its time to pay ends, in real time; null unless it is `pending`, and once that has ended while a lesson took place. */
  expiresAt: Date | null;
  /** The same as it was when the booking was made; absent where it requires no prepayment. */
  payUntil?: Date;
  /** Set while it expires: it accepts no payments, and its sessions to come are being cancelled. */
  freeing: boolean;
  /** Null or absent when none is in progress. */
  cancelling?: Cancelling | null;
  /** The reason of the cancellation in progress; stored encrypted, like the notes. */
  cancelReason?: string | null;
  /** Absent unless it is an enrollment in a class. */
  enrollment?: StoredEnrollment;
  /** When the last date of the enrollment is over, in real time; null or absent when nothing is to come of that. */
  enrollmentDueAt?: Date | null;
  /** Counts take-overs. */
  attempt: number;
  /** When the recoverer processes it, by the database's clock; null when nothing is left to do. */
  nextAt: Date | null;
  /** Public version. */
  version: number;
}

/** A booking before its first write, without the fields that the repository sets. */
export type FirstBooking = Omit<BookingDocument, Managed>;

const session = {
  _id: false,
  id: String,
  lessonId: String,
  instructorId: String,
  memberId: String,
  date: String,
  endDate: String,
  durationMinutes: Number,
  priceCents: Number,
  status: String,
  attendance: String,
  version: Number,
  feeCents: Number,
  isFinal: Boolean,
  refundId: String,
  creditId: String,
  report: String,
};
const entry = {
  _id: false,
  id: String,
  amountCents: Number,
  dueCents: Number,
  at: String,
  state: String,
  method: String,
  methodId: String,
  voiding: String,
  disputes: {
    type: [{ _id: false, id: String, revision: Number, state: String, amountCents: Number }],
    default: undefined,
  },
};
const refund = { _id: false, id: String, paymentId: String, amountCents: Number, kind: String, state: String };
const issue = {
  _id: false,
  id: String,
  sessionId: String,
  memberId: String,
  amountCents: Number,
  at: String,
  state: String,
  revokedCents: Number,
  revision: Number,
};
const movement = { _id: false, kind: String, amountCents: Number, at: String, of: String, method: String };

/** Collection `bookings`. */
export const bookingSchema = aggregateSchema<BookingDocument>({
  accountId: { type: String, required: true },
  schoolId: { type: String, required: true },
  instructorId: { type: String, required: true },
  memberIds: { type: [String], required: true },
  paymentMethodId: String,
  consent: { type: { _id: false, agreedCents: Number, ownCents: Number, at: Date }, default: undefined },
  ownChangeAt: Date,
  // Encrypted.
  notes: Schema.Types.Mixed,
  metadata: metadataField,
  status: { type: String, enum: [...BOOKING_STATUSES], required: true },
  prepay: { type: Boolean, required: true },
  terms: { type: Schema.Types.Mixed, required: true },
  sessions: { type: [session], required: true },
  skipped: { type: [{ _id: false, lesson_id: String, date: String, reason: String }], default: undefined },
  amountCents: { type: Number, required: true },
  currency: { type: String, required: true },
  payments: { type: [entry], required: true },
  failedCount: Number,
  refunds: { type: [refund], default: undefined },
  movements: { type: [movement], default: undefined },
  dueParts: { type: [{ _id: false, at: String, cents: Number }], default: undefined },
  creditId: String,
  creditSettledCents: Number,
  issues: { type: [issue], default: undefined },
  requestsAt: Date,
  expiresAt: Date,
  payUntil: Date,
  freeing: { type: Boolean, required: true },
  cancelling: Schema.Types.Mixed,
  cancelReason: Schema.Types.Mixed,
  enrollment: Schema.Types.Mixed,
  enrollmentDueAt: Date,
  attempt: { type: Number, required: true },
  nextAt: Date,
  version: { type: Number, required: true },
  clockOffsetMs: Number,
});
// For `GET /bookings`.
bookingSchema.index({ readers: 1, _id: -1 });
// For `GET /bookings?due=true`. Bookings for which nothing is due are not in it.
bookingSchema.index(
  { readers: 1, _id: -1 },
  { name: 'due', partialFilterExpression: { 'dueParts.at': { $type: 'string' } } },
);
// For `GET /bookings?status=`.
bookingSchema.index({ readers: 1, status: 1, _id: -1 });
// For `GET /bookings?instructor_id=`.
bookingSchema.index({ instructorId: 1, _id: -1 });
// For `GET /bookings?member_id=`; erasure of a member's notes.
bookingSchema.index({ memberIds: 1, _id: -1 });
// For `GET /accounts/{account_id}/statement`. Bookings without a movement of money are not in it: see `MovementsRepository`.
bookingSchema.index(
  { schoolId: 1, 'movements.at': 1 },
  { partialFilterExpression: { 'movements.at': { $type: 'string' } } },
);
// For `GET /families`. Bookings for which nothing is due are not in it: see `DuesRepository`.
bookingSchema.index({ schoolId: 1, accountId: 1 }, { partialFilterExpression: { 'dueParts.at': { $type: 'string' } } });
// For `GET /enrollments`.
bookingSchema.index(
  { readers: 1, 'enrollment.classId': 1, _id: -1 },
  { partialFilterExpression: { 'enrollment.classId': { $type: 'string' } } },
);
// For the ends of enrollments, each second.
indexDue(bookingSchema, 'enrollmentDueAt');
// For the recoverer, each second: cancellations in progress and unpaid bookings.
indexDue(bookingSchema, 'nextAt');
// For the sweep of requests to payment.
indexDue(bookingSchema, 'requestsAt');
