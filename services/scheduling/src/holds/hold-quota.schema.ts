import { Schema } from 'mongoose';

/** A hold that counts against the caps of the account that made it. */
export interface QuotaEntry {
  /** The hold's id. */
  id: string;
  /** Minutes of its sessions. */
  minutes: number;
  /** The hold ends before this, by the database's clock; then it no longer counts. */
  until: Date;
}

/** The live holds of an account; `_id` is the account's. Conditional updates of this one document enforce the caps. */
export interface HoldQuota {
  _id: string;
  holds: QuotaEntry[];
}

/** Collection `hold_quotas`. */
export const holdQuotaSchema = new Schema<HoldQuota>(
  { _id: String, holds: [{ _id: false, id: String, minutes: Number, until: Date }] },
  { versionKey: false },
);
