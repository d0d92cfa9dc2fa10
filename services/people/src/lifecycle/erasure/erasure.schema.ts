import { indexDue, type Progress } from '@swim/mongo';
import { Schema } from 'mongoose';

/** One erasure: it outlives the erased data, and is replayed after a backup was restored. */
export interface ErasureDocument extends Progress {
  /** Id of the account or the member. */
  _id: string;
  /** The account, also for a member. */
  accountId: string;
  readers: string[];
  erasedAt: Date;
  /** When its next step is due, by the database's clock; null when nothing is left to do. */
  nextAt: Date | null;
}

/** The first steps of the erasures of an account and of a member. */
export const [FIRST_STEP, MEMBER_STEP] = ['keys', 'member'] as const;

/** Collection `erasures`. */
export const erasureSchema = new Schema<ErasureDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    readers: { type: [String], required: true },
    erasedAt: { type: Date, required: true },
    step: { type: String, default: null },
    nextAt: { type: Date, default: null },
  },
  { versionKey: false },
);
// For the sweep of erasures.
indexDue(erasureSchema, 'nextAt');
