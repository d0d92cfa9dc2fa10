import type { DateConflict } from '@swim/contracts';
import { indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';

/** A resource's time that a claim takes: an instructor's with buffers, a member's without; or a place of a lesson. */
export interface ClaimElement {
  /** Id of the instructor, member, pool or lesson. */
  resource: string;
  startMs: number;
  endMs: number;
  /** For what it is taken: the lesson has its instructor and its lane, a session its member and its place. */
  holder: string;
  /** The lesson's own time, where the element has buffers around it. */
  taught?: { startMs: number; endMs: number };
  /** Lanes of a pool, or places of a lesson: the number of holders at any instant. Absent: exclusive. */
  lanes?: number;
  /** With a lesson only: the conditions on which its place is taken. */
  place?: PlaceTerms;
}

/** The conditions on which a place of a lesson is taken. */
export interface PlaceTerms {
  /** The generation of the lesson that was read. */
  gen: number;
  /** A private lesson takes in only members of its own booking. */
  bookingId?: string;
  /** The school takes places also in lessons that families cannot book. */
  asSchool?: true;
  /** The lesson is one of a class, which counts its places. */
  inClass?: true;
  /** Taken for somebody who waits: also a place that is kept. */
  asOffer?: true;
}

/**
 * A claim whose time passes on to another one. Its holder has given the time up for good. It does not block the claim
 * that excludes it, but blocks all others.
 */
export interface ExcludedClaim {
  claimId: string;
  /** Holder of the excluded elements. */
  holder: string;
}

/**
 * `taking`: its day documents are being locked; it rejects no other claim. `held`: taken until `until`. `confirmed`: taken for
 * good. `released`: abandoned, its elements are being removed.
 */
export type ClaimState = 'taking' | 'held' | 'confirmed' | 'released';

/** A requested date that was left out. */
export interface SkippedDate {
  lesson_id?: string;
  date: string;
  reason: DateConflict['reason'];
}

/** The record of who holds which time. Day documents are locks that refer to it. */
export interface Claim {
  _id: string;
  /** A booking's id, or `<session id>#<generation>#<request>` of a move. At most one claim of a key is ever confirmed. */
  key: string;
  state: ClaimState;
  elements: ClaimElement[];
  /** The lessons and sessions that still hold it. */
  holders: string[];
  /** Dates of the same request that were left out because they were not free. */
  skipped: SkippedDate[];
  /** The run of the request that takes it; absent where no other run competes. */
  attempt?: number;
  /** The request's deadline, by the database's clock: a later commit changes nothing. */
  commitBy?: Date;
  /** A `taking` or `held` claim expires then, by the database's clock. */
  until?: Date;
  /** The key and the attempt, once confirmed; unique. A fence has the key of an attempt that must not be confirmed. */
  confirmedKey?: string;
  /** Sessions to insert and publish, or the move to make, once it is confirmed; absent when that is done. */
  plan?: unknown;
  /** Set when its time was given up for good before its plan was made: it is released once that is done. */
  over?: true;
  /** When recovery processes it; absent when nothing is left to do. */
  dueAt?: Date;
  createdAt: Date;
}

export const claimSchema = new Schema<Claim>(
  {
    _id: String,
    key: { type: String, required: true },
    state: { type: String, required: true },
    elements: [
      {
        _id: false,
        resource: String,
        startMs: Number,
        endMs: Number,
        holder: String,
        taught: Schema.Types.Mixed,
        lanes: Number,
        place: Schema.Types.Mixed,
      },
    ],
    holders: [String],
    skipped: [{ _id: false, lesson_id: String, date: String, reason: String }],
    attempt: Number,
    commitBy: Date,
    until: Date,
    confirmedKey: String,
    plan: Schema.Types.Mixed,
    over: Boolean,
    dueAt: Date,
    createdAt: Date,
  },
  { versionKey: false },
);
// For the claim of a booking or a session.
claimSchema.index({ key: 1 });
// At most one claim of a key is confirmed. The index is partial: the offline engine also writes an entry for an absent field of a
// sparse one.
claimSchema.index(
  { confirmedKey: 1 },
  { unique: true, partialFilterExpression: { confirmedKey: { $type: 'string' } } },
);
// For the recovery, each second: claims that are not fulfilled.
indexDue(claimSchema, 'dueAt');
