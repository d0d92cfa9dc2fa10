import type { DateConflict } from '@swim/contracts';
import { Schema } from 'mongoose';

/** A resource's time that a claim takes: an instructor's with buffers, a member's without. */
export interface ClaimElement {
  /** Id of the instructor, member or pool. */
  resource: string;
  startMs: number;
  endMs: number;
  /** Sessions for which the time is taken; a group shares one element of its instructor. */
  holders: string[];
  /** Lanes of a pool: as many may have it at any instant. Absent: only one may. */
  lanes?: number;
}

/**
 * Time on its way from one claim to the next: whoever had it has given it up for good, and it stands in nobody's way who
 * is to have it next, but still in everybody else's.
 */
export interface ExcludedClaim {
  claimId: string;
  /** Holders of the elements that are excluded. */
  holders: string[];
}

/**
 * `taking`: day documents are being locked; nobody is rejected because of it. `held`: taken until `until`. `confirmed`:
 * taken for good. `released`: given up, its elements are on their way out.
 */
export type ClaimState = 'taking' | 'held' | 'confirmed' | 'released';

/** A date that was asked for and left out. */
export interface SkippedDate {
  date: string;
  reason: DateConflict['reason'];
}

/** The truth about who has which time. Day documents are locks that point to it. */
export interface Claim {
  _id: string;
  /** What it is for: a booking's id, or `<session id>#<generation>`. One claim of a key is ever confirmed. */
  key: string;
  state: ClaimState;
  elements: ClaimElement[];
  /** Sessions that still hold it. */
  holders: string[];
  /** Dates of the same request that were left out because they were not free. */
  skipped: SkippedDate[];
  /** Which run of its request takes it; absent in what was claimed before runs were counted. */
  attempt?: number;
  /** When its request ends, by the database's clock: a commit that comes later changes nothing. */
  commitBy?: Date;
  /** Until when, by the database's clock, a `taking` or `held` claim counts. */
  until?: Date;
  /** The key and the attempt, once confirmed; unique. A fence has those of an attempt that is not to be confirmed any more. */
  confirmedKey?: string;
  /** What is still to be made of it once it is confirmed. */
  plan?: unknown;
  /** When recovery should look after it; absent when nothing is left to do. */
  dueAt?: Date;
  createdAt: Date;
}

export const claimSchema = new Schema<Claim>(
  {
    _id: String,
    key: { type: String, required: true },
    state: { type: String, required: true },
    elements: [{ _id: false, resource: String, startMs: Number, endMs: Number, holders: [String], lanes: Number }],
    holders: [String],
    skipped: [{ _id: false, date: String, reason: String }],
    attempt: Number,
    commitBy: Date,
    until: Date,
    confirmedKey: String,
    plan: Schema.Types.Mixed,
    dueAt: Date,
    createdAt: Date,
  },
  { versionKey: false },
);
claimSchema.index({ key: 1 });
claimSchema.index({ confirmedKey: 1 }, { unique: true, sparse: true });
claimSchema.index({ dueAt: 1 }, { sparse: true });
