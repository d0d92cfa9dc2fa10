import { Schema } from 'mongoose';
import type { Challenge } from '../second-factors/passkeys.service.js';

/** A sign-in whose password was right, and which waits for a second factor. */
export interface PendingSignInDocument {
  /** `usi_…`, part of the cookie. */
  _id: string;
  userId: string;
  readers: string[];
  /** Keyed hash of the secret of the cookie. */
  hash: string;
  /** Whether the user chose to stay signed in. */
  isKept: boolean;
  /** The browser in which the user has signed in before, or the link that was opened; null for any other browser. */
  device: string | null;
  /** When the user's password was set: another one ends the sign-in. */
  passwordChangedAt: Date;
  /** Codes and signatures that were tried. */
  tries: number;
  /** What a passkey has to sign; null before it is requested, and once it was answered. */
  challenge: Challenge | null;
  expiresAt: Date;
}

const text = { type: String, required: true };

/** What a passkey has to sign; null where nothing is. */
export const challengeField = {
  type: new Schema<Challenge>({ value: text, expiresAt: { type: Date, required: true } }, { _id: false }),
  default: null,
};

export const pendingSignInSchema = new Schema<PendingSignInDocument>(
  {
    _id: text,
    userId: text,
    readers: { type: [String], required: true },
    hash: text,
    isKept: { type: Boolean, required: true },
    device: { type: String, default: null },
    passwordChangedAt: { type: Date, required: true },
    tries: { type: Number, required: true },
    challenge: challengeField,
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
// Only cleans up.
pendingSignInSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 60 });
