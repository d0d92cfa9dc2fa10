import { Schema } from 'mongoose';

/** A hold that counts against the caps of the account that made it. */
export interface QuotaEntry {
  /** The hold's id. */
  id: string;
  /** Minutes of the sessions that it keeps. */
  minutes: number;
  /** The hold does not outlast this, by the database's clock; then it counts no more. */
  until: Date;
}

/** What an account holds; `_id` is the account's. Conditional updates of this one document keep it within its caps. */
export interface HoldQuota {
  _id: string;
  holds: QuotaEntry[];
}

/** Collection `hold_quotas`. */
export const holdQuotaSchema = new Schema<HoldQuota>(
  { _id: String, holds: [{ _id: false, id: String, minutes: Number, until: Date }] },
  { versionKey: false },
);
