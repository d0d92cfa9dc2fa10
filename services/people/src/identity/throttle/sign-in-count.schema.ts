import { Schema } from 'mongoose';

/** How often something was tried within a window of time. */
export interface SignInCountDocument {
  /** What, a keyed hash of by whom, and the number of the window. */
  _id: string;
  readers: string[];
  count: number;
  expiresAt: Date;
}

export const signInCountSchema = new Schema<SignInCountDocument>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    count: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
// Only cleans up: the number of the window is part of the id.
signInCountSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 60 });
