import type { RecordedRequest } from '@swim/contracts';
import { Schema } from 'mongoose';

/** A request that was answered. Immutable; its id has the time of the answer. */
export interface RequestLogDocument extends Pick<RecordedRequest, 'method' | 'path' | 'status' | 'reason' | 'network'> {
  /** `rlog_…` */
  _id: string;
  /** The account of the key or user. */
  readers: string[];
  requestId: string;
  durationMs: number;
  /** Null for a user of the dashboard. */
  keyId: string | null;
  /** Null for a key. */
  userId: string | null;
  /** JSON of the query: the names of its parameters need not be valid in the database. */
  query: string;
}

const text = { type: String, required: true };
const optionalText = { type: String, default: null };

export const requestLogSchema = new Schema<RequestLogDocument>(
  {
    _id: text,
    readers: { type: [String], required: true },
    requestId: text,
    method: text,
    path: optionalText,
    query: text,
    status: { type: Number, required: true },
    reason: optionalText,
    durationMs: { type: Number, required: true },
    keyId: optionalText,
    userId: optionalText,
    network: text,
  },
  { versionKey: false },
);
// For `GET /requests`; export and erasure of an account.
requestLogSchema.index({ readers: 1, _id: -1 });
// For `GET /requests?request_id=`.
requestLogSchema.index({ readers: 1, requestId: 1 });
