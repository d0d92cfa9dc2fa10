import { Schema } from 'mongoose';

/**
 * Owners of an account, each of whom is one now: one document decides which of them may go, so that one stays. A crash may leave
 * out another one.
 */
export interface OwnersDocument {
  /** `acct_…` */
  _id: string;
  readers: string[];
  owners: string[];
  /** Counts releases: an owner is added only if there was none since its role was read. Absent: 0. */
  rev?: number;
}

export const ownersSchema = new Schema<OwnersDocument>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    owners: { type: [String], required: true },
    rev: Number,
  },
  { versionKey: false },
);
