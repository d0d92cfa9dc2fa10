import { type DoneOp, opsField } from '@swim/mongo';
import { Schema } from 'mongoose';

/** The token of one calendar feed, as stored: making another one replaces it. */
export interface CalendarTokenDocument {
  /** The instructor or member whose lessons the feed has. */
  _id: string;
  accountId: string;
  /** The school that has made it while it acted for the account: the token is valid as long as it does. Null: the account itself. */
  actingSchoolId: string | null;
  readers: string[];
  /** HMAC-SHA256 of the token's digest, base64; null: it was ended. */
  hash: string | null;
  createdAt: Date;
  /** The latest requests that changed it, each of which takes effect once. */
  ops?: DoneOp[];
}

export const calendarTokenSchema = new Schema<CalendarTokenDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    actingSchoolId: { type: String, default: null },
    readers: { type: [String], required: true },
    hash: String,
    createdAt: { type: Date, required: true },
    ops: opsField,
  },
  { versionKey: false },
);
// For the erasure of an account.
calendarTokenSchema.index({ accountId: 1 });
