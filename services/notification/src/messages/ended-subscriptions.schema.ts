import { Schema } from 'mongoose';

/** The kinds of message that an account has ended. */
export interface EndedSubscriptions {
  /** The account's id. */
  _id: string;
  readers: string[];
  /** `kind|address`: the address by its `addressName`, since the link of one ends no messages to a later one. */
  ended: string[];
}

export const endedSubscriptionsSchema = new Schema<EndedSubscriptions>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    ended: { type: [String], required: true },
  },
  { versionKey: false },
);
