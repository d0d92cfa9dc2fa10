import type { AccountKind, Locale, Role, SecurityNotice } from '@swim/contracts';
import { indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';
import type { InstructorOfUser } from '../users/users.service.js';

/** What a link in an e-mail is for; a notice has no token. */
export type LinkPurpose = 'sign_up' | 'password_reset' | 'invitation' | 'claim' | 'sign_in' | SecurityNotice;

/** What somebody entered to sign up. */
export interface SignUpFields {
  name: string;
  email: string;
  accountName: string;
  kind: AccountKind;
  timezone: string;
  locale: Locale;
  currency: string;
}

/** A link that is valid once. Its token is signed, and not stored. */
export interface UserLinkDocument {
  /** `ulk_…`, an invitation's `inv_…`; part of the token. */
  _id: string;
  purpose: LinkPurpose;
  /** Token of the address that it is sent to. */
  emailToken: string;
  /** The account of an invitation or of a link to sign in; null: not known when it was requested. */
  accountId: string | null;
  readers: string[];
  /** JSON of SignUpFields, or of an invitation's or a claim's `{email}`; encrypted, base64. Null: nothing was entered. */
  content: string | null;
  /** The role that an invitation gives. */
  role: Role | null;
  /** The instructor that it makes of the user. */
  instructor: InstructorOfUser | null;
  /** The user who invites. */
  invitedBy: string | null;
  expiresAt: Date;
  /** When it was used or withdrawn. */
  endedAt: Date | null;
  /** When its mail is to be sent, until it is. */
  mailDueAt?: Date | null;
  createdAt: Date;
}

const text = { type: String, required: true };
const optional = { type: String, default: null };
const date = { type: Date, required: true };

export const userLinkSchema = new Schema<UserLinkDocument>(
  {
    _id: text,
    purpose: text,
    emailToken: text,
    accountId: optional,
    readers: { type: [String], required: true },
    content: optional,
    role: optional,
    instructor: {
      type: new Schema<InstructorOfUser>({ id: text, env: text }, { _id: false, id: false }),
      default: null,
    },
    invitedBy: optional,
    expiresAt: date,
    endedAt: { type: Date, default: null },
    mailDueAt: Date,
    createdAt: date,
  },
  { versionKey: false },
);
// For open invitations of an account.
userLinkSchema.index({ readers: 1, purpose: 1, _id: -1 });
// For sign-ups of an address, which a newer one ends.
userLinkSchema.index({ emailToken: 1 });
// For links that are to be sent, each second.
indexDue(userLinkSchema, 'mailDueAt');
// Only cleans up.
userLinkSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 86_400 });
