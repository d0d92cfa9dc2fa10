import { Schema } from 'mongoose';

/** The place of an open stream of an account: `_id` makes each of them unique, however many requests take one at once. */
export interface EventStreamDocument {
  /** `<account>.<slot>` */
  _id: string;
  accountId: string;
  readers: string[];
  slot: number;
  /** Names the stream that has the place. */
  token: string;
  /** From this instant on another stream may take it. */
  until: Date;
}

export const eventStreamSchema = new Schema<EventStreamDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    readers: { type: [String], required: true },
    slot: { type: Number, required: true },
    token: { type: String, required: true },
    until: { type: Date, required: true },
  },
  { versionKey: false },
);
