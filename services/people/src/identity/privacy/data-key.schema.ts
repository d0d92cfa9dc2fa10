import type { WrappedKey } from '@swim/platform';
import { Schema } from 'mongoose';

/** The key that encrypts an account's personal data, itself encrypted with a master key. Without it the data are unreadable. */
export interface DataKeyDocument extends WrappedKey {
  /** The account. */
  _id: string;
  readers: string[];
  createdAt: Date;
}

export const dataKeySchema = new Schema<DataKeyDocument>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    wrapped: { type: String, required: true },
    master: String,
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);
