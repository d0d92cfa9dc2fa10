import type { AccountKind, Locale } from '@swim/contracts';
import { type DoneOp, indexDue, metadataField, opsField, type StoredMetadata } from '@swim/mongo';
import { Schema } from 'mongoose';
import type { AccountPolicies } from './account.rules.js';

/** An address that the account has yet to confirm. */
export interface PendingEmail {
  address: string;
  /** `req_…`; names the link. */
  id: string;
  /** Until when the link is valid. */
  expiresAt: Date;
}

/** The clock of a test account, and the progress of an advance (`docs/adr/0014-sandbox-clocks.md`). */
export interface AccountClock {
  /** How far it is ahead of real time, in ms. */
  offsetMs: number;
  /** The offset before the latest advance. */
  fromMs: number;
  /** When the latest advance began: what is made later is not due by it. Absent after a reset. */
  beganAt?: Date;
  /** The offset at which the advance in progress ends; null when none is. */
  targetMs: number | null;
  /** How often the offset is yet to be applied after the end of the advance, to what requests in progress have made. */
  roundsLeft: number;
}

/** A reset of a test account, and its progress (`docs/adr/0015-sandbox-resets.md`). */
export interface AccountReset {
  /** The next step; null: nothing is left to do. */
  step: string | null;
  /** What was made before this instant goes. */
  before: Date;
  /** How far the clock was ahead of real time, in ms. */
  offsetMs: number;
}

/** An account in one environment: sign-up creates one id with a document in each. */
export interface AccountDocument {
  /** `acct_…` */
  _id: string;
  readers: string[];
  name: string;
  email: string;
  /** The same in lower case; absent where it was stored before there was one. */
  emailKey?: string;
  /** When it confirmed `email`; absent until then. */
  emailConfirmedAt?: Date;
  /** The link that confirmed it: opened once more, it changes nothing. */
  confirmedBy?: string;
  pendingEmail?: PendingEmail | undefined;
  /** When the link is to be sent, until it is. */
  confirmationDueAt?: Date | undefined;
  /** When the latest links were requested, at most MOST_CONFIRMATIONS. */
  confirmations?: Date[];
  /** Links to confirm the addresses of its instructors that were sent latest, at most MOST_INSTRUCTOR_LINKS. */
  instructorLinks?: { id: string; at: Date }[];
  kind: AccountKind;
  timezone: string;
  /** Absent: English. */
  locale?: Locale;
  currency: string;
  /** Null unless it is a school. */
  policies: AccountPolicies | null;
  /** Absent: none. */
  metadata?: StoredMetadata;
  createdAt: Date;
  /** The latest requests that changed it, each of which takes effect once. */
  ops?: DoneOp[];
  /** `closing` until `erasesAt`, then `erasing` until it is emptied; absent: open. */
  state?: 'closing' | 'erasing' | 'erased';
  /** When the erasure of a closing account begins. */
  erasesAt?: Date;
  /** The school that has made it; absent for all other accounts. */
  madeBy?: string;
  /** When its school last invited the family to claim it; absent: never. */
  invitedAt?: Date;
  /** When somebody of the family became its owner; until then its school acts for it. */
  claimedAt?: Date;
  /** The user, or the key in the sandbox, by which it was claimed. */
  claimedBy?: string;
  /** When a claim that was interrupted is completed or dropped, by the database's clock. */
  claimDueAt?: Date | null;
  /** When an account that a school began to make is erased, by the database's clock; absent once it was made. */
  makingDueAt?: Date | null;
  /** Absent until it is first advanced, and in live. */
  clock?: AccountClock;
  /**
   * When the sweep resumes an advance or applies the clock once more, by the database's clock; absent when nothing is left to do.
   */
  clockDueAt?: Date | null;
  /** The latest reset; absent until there is one, and in live. */
  reset?: AccountReset;
  /** When the sweep continues a reset, by the database's clock; absent when nothing is left to do. */
  resetDueAt?: Date | null;
}

export const accountSchema = new Schema<AccountDocument>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    name: { type: String, required: true },
    email: { type: String, required: true },
    emailKey: String,
    emailConfirmedAt: Date,
    confirmedBy: String,
    pendingEmail: Schema.Types.Mixed,
    confirmationDueAt: Date,
    confirmations: { type: [Date], default: undefined },
    instructorLinks: { type: [{ _id: false, id: String, at: Date }], default: undefined },
    kind: { type: String, required: true },
    timezone: { type: String, required: true },
    locale: String,
    currency: { type: String, required: true },
    policies: { type: Schema.Types.Mixed, default: null },
    metadata: metadataField,
    createdAt: { type: Date, required: true },
    ops: opsField,
    state: String,
    erasesAt: Date,
    madeBy: String,
    invitedAt: Date,
    claimedAt: Date,
    claimedBy: String,
    claimDueAt: Date,
    makingDueAt: Date,
    clock: {
      type: new Schema<AccountClock>(
        {
          offsetMs: Number,
          fromMs: Number,
          beganAt: Date,
          targetMs: Number,
          roundsLeft: Number,
        },
        { _id: false },
      ),
    },
    clockDueAt: Date,
    reset: {
      type: new Schema<AccountReset>({ before: Date, offsetMs: Number, step: String }, { _id: false }),
    },
    resetDueAt: Date,
  },
  { versionKey: false, minimize: false },
);
// For the sweep of accounts that are closing.
accountSchema.index({ state: 1 }, { partialFilterExpression: { state: { $type: 'string' } } });
// For links to confirm an address that are to be sent, each second.
indexDue(accountSchema, 'confirmationDueAt');
// For accounts whose making was interrupted, each second.
indexDue(accountSchema, 'makingDueAt');
// For claims that were interrupted, each second.
indexDue(accountSchema, 'claimDueAt');
// For the invitations of a school: whether a family of it has claimed its account.
accountSchema.index({ madeBy: 1, claimedAt: 1 }, { partialFilterExpression: { madeBy: { $type: 'string' } } });
// For the accounts that a school has made with an address.
accountSchema.index({ madeBy: 1, emailKey: 1 }, { partialFilterExpression: { madeBy: { $type: 'string' } } });
// For the sweep of the clocks of test accounts, each second.
indexDue(accountSchema, 'clockDueAt');
// For the sweep of the resets of test accounts, each second.
indexDue(accountSchema, 'resetDueAt');
