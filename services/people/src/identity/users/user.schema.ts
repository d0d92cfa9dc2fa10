import type { Locale, Role } from '@swim/contracts';
import { Schema } from 'mongoose';

/** The fields of a user that are encrypted with the user's key. */
export interface UserProfile {
  name: string;
  email: string;
}

/** A user of the dashboard: belongs to one account, in both environments. */
export interface UserDocument {
  /** `usr_…` */
  _id: string;
  accountId: string;
  readers: string[];
  /** Token of the address in lower case, by which a sign-in finds the user. */
  emailToken: string;
  /** JSON of a UserProfile, encrypted, base64. */
  profile: string;
  /** Argon2id in PHC format; null: none was set, so that only a link signs in. */
  passwordHash: string | null;
  /** Links to set a password that were sent before are not valid. */
  passwordChangedAt: Date;
  /** The session in which that was done, which goes on; null: by a link. Absent before the first change. */
  passwordChangedIn?: string | null;
  /** Wrong codes at the second step of sign-ins since the password was set in a session, those that are being checked included. */
  wrongCodes: number;
  /** How many of them the user was notified of. */
  noticedCodes: number;
  role: Role;
  /** Counts changes of the role: one that was decided on an earlier revision changes nothing. Absent: 0. */
  roleRev?: number;
  locale: Locale;
  createdAt: Date;
  updatedAt: Date;
}

const text = { type: String, required: true };
const date = { type: Date, required: true };

export const userSchema = new Schema<UserDocument>(
  {
    _id: text,
    accountId: text,
    readers: { type: [String], required: true },
    emailToken: text,
    profile: text,
    passwordHash: { type: String, default: null },
    passwordChangedAt: date,
    passwordChangedIn: String,
    wrongCodes: { type: Number, required: true },
    noticedCodes: { type: Number, required: true },
    role: text,
    roleRev: Number,
    locale: text,
    createdAt: date,
    updatedAt: date,
  },
  { versionKey: false },
);
// For one user per e-mail address; sign-in.
userSchema.index({ emailToken: 1 }, { unique: true });
// For `GET /dashboard/api/users`; erasure of an account.
userSchema.index({ readers: 1, _id: -1 });
