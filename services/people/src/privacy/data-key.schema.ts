import { Schema } from 'mongoose';

/** The key that an account's personal data are encrypted with, itself encrypted under the master key. Without it they are gone. */
export interface DataKeyDocument {
  /** The account. */
  _id: string;
  readers: string[];
  /** AES-256-GCM of 32 random bytes, base64. */
  wrapped: string;
  createdAt: Date;
}

export const dataKeySchema = new Schema<DataKeyDocument>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    wrapped: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);
