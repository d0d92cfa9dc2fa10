import { Schema } from 'mongoose';
import type { Challenge } from '../second-factors/passkeys.service.js';
import { challengeField } from './pending-sign-in.schema.js';
import type { SessionDates } from './session.rules.js';

/** A session of a user. Its cookie is set once and never stored. */
export interface UserSessionDocument extends SessionDates {
  /** `uss_…`, part of the cookie. */
  _id: string;
  userId: string;
  /** The account that its cookie is bound to. */
  accountId: string;
  readers: string[];
  /** Keyed hash of the secret of the cookie. */
  hash: string;
  /** That of the cookie before the latest rotation, which is valid until `formerUntil`. */
  formerHash: string | null;
  formerUntil: Date | null;
  /** The account of the former cookie, where a switch has replaced it. */
  formerAccountId?: string;
  /** What a passkey has to sign that confirms it. */
  challenge: Challenge | null;
  /** From where it was signed in. */
  network: string | null;
  /** Counts the changes that invalidate cached verdicts. */
  invalidations: number;
  /** When the latest of them was stored: the outbox of this document. Absent once it is published. */
  unpublishedSince?: Date;
}

const text = { type: String, required: true };
const date = { type: Date, required: true };

export const userSessionSchema = new Schema<UserSessionDocument>(
  {
    _id: text,
    userId: text,
    accountId: text,
    readers: { type: [String], required: true },
    hash: text,
    formerHash: { type: String, default: null },
    formerUntil: { type: Date, default: null },
    formerAccountId: String,
    isKept: { type: Boolean, required: true },
    challenge: challengeField,
    network: { type: String, default: null },
    createdAt: date,
    rotatedAt: date,
    confirmedAt: date,
    lastUsedAt: date,
    expiresAt: date,
    revokedAt: { type: Date, default: null },
    invalidations: { type: Number, required: true },
    unpublishedSince: Date,
  },
  { versionKey: false },
);
// For sessions of a user: listed, ended, verified again.
userSessionSchema.index({ userId: 1, _id: -1 });
// For sessions of an account: ended with it.
userSessionSchema.index({ accountId: 1 });
// For the sweep of unpublished invalidations of sessions.
userSessionSchema.index({ unpublishedSince: 1 }, { sparse: true });
// Only cleans up.
userSessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 86_400 });
