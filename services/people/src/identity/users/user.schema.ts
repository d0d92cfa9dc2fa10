import type { Environment, Locale, Role } from '@swim/contracts';
import { indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';

/** The fields of a user that are encrypted with the user's key. */
export interface UserProfile {
  name: string;
  email: string;
}

/** An instructor, and where its profile is. */
export interface InstructorOfUser {
  id: string;
  env: Environment;
}

/** What a user is in an account. */
export interface Membership {
  accountId: string;
  role: Role;
  /** The instructor that a user of that role is. */
  instructor: InstructorOfUser | null;
  joinedAt: Date;
}

/** A membership to add. */
export type NewMembership = Omit<Membership, 'joinedAt'>;

/** A user of the dashboard: belongs to accounts, in both environments. */
export interface UserDocument {
  /** `usr_…` */
  _id: string;
  /** One for each account. */
  memberships: Membership[];
  /** Counts changes of the memberships: one that was decided on an earlier revision changes nothing. */
  membershipsRev: number;
  /** Its accounts. */
  readers: string[];
  /** The account that was used last, to which the user may no longer belong: the next sign-in leads to it. */
  lastAccountId: string;
  /** When a user who has no account left is removed. */
  removalDueAt?: Date;
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
  locale: Locale;
  createdAt: Date;
  updatedAt: Date;
}

/** A user in one of its accounts. */
export interface AccountUser extends UserDocument, Membership {}

/** A user in an account; null where it does not belong to it. */
export function inAccount(user: UserDocument | null, accountId: string): AccountUser | null {
  const membership = user?.memberships.find((each) => each.accountId === accountId);
  return membership ? { ...user!, ...membership } : null;
}

const text = { type: String, required: true };
const date = { type: Date, required: true };

const instructorField = {
  type: new Schema<InstructorOfUser>({ id: text, env: text }, { _id: false, id: false }),
  default: null,
};

export const userSchema = new Schema<UserDocument>(
  {
    _id: text,
    memberships: [
      new Schema<Membership>(
        { accountId: text, role: text, instructor: instructorField, joinedAt: date },
        { _id: false },
      ),
    ],
    membershipsRev: { type: Number, required: true },
    readers: { type: [String], required: true },
    lastAccountId: text,
    removalDueAt: Date,
    emailToken: text,
    profile: text,
    passwordHash: { type: String, default: null },
    passwordChangedAt: date,
    passwordChangedIn: String,
    wrongCodes: { type: Number, required: true },
    noticedCodes: { type: Number, required: true },
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
// For users who have no account left.
indexDue(userSchema, 'removalDueAt');
