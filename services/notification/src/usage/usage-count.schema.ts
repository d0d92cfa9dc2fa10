import { Schema } from 'mongoose';

/** What one gateway has answered to one key within a clock hour. Its numbers only grow. */
export interface UsageCountDocument {
  /** `usc_…`, made by the gateway within the hour or shortly after. */
  _id: string;
  /** The account of the key. */
  readers: string[];
  keyId: string;
  /** Beginning of the clock hour. */
  hour: Date;
  requests: number;
  clientErrors: number;
  serverErrors: number;
  limited: number;
}

const text = { type: String, required: true };
const number = { type: Number, required: true };

export const usageCountSchema = new Schema<UsageCountDocument>(
  {
    _id: text,
    readers: { type: [String], required: true },
    keyId: text,
    hour: { type: Date, required: true },
    requests: number,
    clientErrors: number,
    serverErrors: number,
    limited: number,
  },
  { versionKey: false },
);
// For `GET /usage`; erasure of an account.
usageCountSchema.index({ readers: 1, hour: 1 });
