import { Schema } from 'mongoose';

/** The owners of an account: one document decides which of several owners may go, so that one stays. */
export interface OwnersDocument {
  /** `acct_…` */
  _id: string;
  readers: string[];
  owners: string[];
}

export const ownersSchema = new Schema<OwnersDocument>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    owners: { type: [String], required: true },
  },
  { versionKey: false },
);
