import type { AccountKind } from '@swim/contracts';
import { Schema } from 'mongoose';
import type { AccountPolicies } from './account.rules.js';

/** An account in one environment: sign-up creates one id with a document in each. */
export interface AccountDocument {
  /** `acct_…` */
  _id: string;
  readers: string[];
  name: string;
  email: string;
  kind: AccountKind;
  timezone: string;
  currency: string;
  /** Null unless it is a school. */
  policies: AccountPolicies | null;
  createdAt: Date;
  /** `closing` until `erasesAt`, then `erasing` until it is emptied; absent: open. */
  state?: 'closing' | 'erasing' | 'erased';
  /** When the erasure of a closing account begins. */
  erasesAt?: Date;
}

export const accountSchema = new Schema<AccountDocument>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    name: { type: String, required: true },
    email: { type: String, required: true },
    kind: { type: String, required: true },
    timezone: { type: String, required: true },
    currency: { type: String, required: true },
    policies: { type: Schema.Types.Mixed, default: null },
    createdAt: { type: Date, required: true },
    state: String,
    erasesAt: Date,
  },
  { versionKey: false, minimize: false },
);
accountSchema.index({ state: 1 }, { partialFilterExpression: { state: { $type: 'string' } } });
