import { indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';
import type { Progress } from './erasure.rules.js';

/** One erasure: it outlives the erased data, and is replayed after a backup was restored. */
export interface ErasureDocument extends Progress {
  /** Id of the account or the member. */
  _id: string;
  /** The account, also for a member. */
  accountId: string;
  readers: string[];
  erasedAt: Date;
  /** Fences off superseded runs: counts take-overs. */
  attempt: number;
  /** When the sweep processes it, by the database's clock; null when nothing is left to do. */
  nextAt: Date | null;
}

/** Collection `erasures`. */
export const erasureSchema = new Schema<ErasureDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    readers: { type: [String], required: true },
    erasedAt: { type: Date, required: true },
    step: { type: String, default: null },
    round: { type: Number, required: true },
    attempt: { type: Number, required: true },
    nextAt: { type: Date, default: null },
  },
  { versionKey: false },
);
// For the sweep of erasures.
indexDue(erasureSchema, 'nextAt');
