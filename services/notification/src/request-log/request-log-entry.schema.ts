import type { RecordedRequest } from '@swim/contracts';
import { Schema } from 'mongoose';

/** A request that was answered. Immutable; its id has the time of the answer. */
export interface RequestLogDocument extends Omit<RecordedRequest, 'id' | 'account_id' | 'request_id' | 'query'> {
  /** `rlog_…` */
  _id: string;
  /** The account of the key or user. */
  readers: string[];
  requestId: string;
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
    duration_ms: { type: Number, required: true },
    key_id: optionalText,
    user_id: optionalText,
    network: text,
  },
  { versionKey: false },
);
requestLogSchema.index({ readers: 1, _id: -1 });
requestLogSchema.index({ readers: 1, requestId: 1 });
