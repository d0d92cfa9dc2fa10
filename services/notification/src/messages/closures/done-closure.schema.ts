import { indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';
import { NOTICE_WITHIN_MS } from '../notice.rules.js';

/** A closure that is done, and about which messages are to be made. */
export interface DoneClosure {
  /** The closure's id. */
  _id: string;
  /** The school. */
  accountId: string;
  readers: string[];
  /** When its messages are to be made, or a lease of that ends; null once they are made. */
  dueAt: Date | null;
  createdAt: Date;
}

export const doneClosureSchema = new Schema<DoneClosure>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    readers: { type: [String], required: true },
    dueAt: Date,
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);

// Nobody needs messages about what happened a day ago.
doneClosureSchema.index({ createdAt: 1 }, { expireAfterSeconds: NOTICE_WITHIN_MS / 1_000 });
// For export and erasure of an account.
doneClosureSchema.index({ accountId: 1 });
// For the work on them, each second.
indexDue(doneClosureSchema, 'dueAt');
