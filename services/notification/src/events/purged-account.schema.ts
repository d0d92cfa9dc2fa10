import { Schema } from 'mongoose';

/** How far an account's events have been purged. Never removed: a sequence up to here is never given again. */
export interface PurgedAccount {
  /** Id of the account. */
  _id: string;
  /** Events up to this sequence are gone, or about to go. */
  through: number;
}

export const purgedAccountSchema = new Schema<PurgedAccount>(
  { _id: { type: String, required: true }, through: { type: Number, required: true } },
  { versionKey: false },
);
