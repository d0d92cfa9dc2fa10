import { Schema } from 'mongoose';

/** The position of the purge of an account's events. Never removed: a sequence up to here is never assigned again. */
export interface PurgedAccount {
  /** Id of the account. */
  _id: string;
  /** Events up to this sequence are removed, or about to be. */
  through: number;
  /** The events that were purged are older than this: one since then has got its sequence after that was freed. */
  before: Date;
}

export const purgedAccountSchema = new Schema<PurgedAccount>(
  {
    _id: { type: String, required: true },
    through: { type: Number, required: true },
    before: { type: Date, required: true },
  },
  { versionKey: false },
);
