import type { Scope } from '@swim/contracts';
import { type DoneOp, opsField } from '@swim/mongo';
import { timeOfId } from '@swim/platform';
import { Schema } from 'mongoose';

/** An API key. Its text is returned once and never stored. */
export interface KeyDocument {
  /** `key_…`, part of the key's text */
  _id: string;
  accountId: string;
  readers: string[];
  name: string;
  /** HMAC-SHA256 of the digest of the secret, base64. */
  hash: string;
  /** Version of the pepper of the hash. */
  pepperVersion: number;
  last4: string;
  scopes: Scope[];
  /** Null: never. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Addresses or networks it may be used from; empty: from anywhere. */
  ipAllowlist: string[];
  /** Rounded to the minute. */
  lastUsedAt: Date | null;
  /** The successor that it was rolled into; absent or null: none. */
  rolledTo?: string | null;
  /** The user who made or rolled it, or whose key did; null: nobody of the dashboard. */
  madeBy: string | null;
  /** Counts the changes that invalidate cached verdicts; absent: none. */
  invalidations?: number;
  /** When the latest of them was stored: the outbox of this document. Absent once it is published. */
  unpublishedSince?: Date;
  /** The latest requests that changed it, each of which takes effect once. */
  ops?: DoneOp[];
  createdAt: Date;
  /** When it was changed, rolled or revoked last; absent: never. */
  updatedAt?: Date;
}

export const keySchema = new Schema<KeyDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    readers: { type: [String], required: true },
    name: { type: String, required: true },
    hash: { type: String, required: true },
    pepperVersion: { type: Number, required: true },
    last4: { type: String, required: true },
    scopes: { type: [String], required: true },
    expiresAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
    ipAllowlist: { type: [String], required: true },
    lastUsedAt: { type: Date, default: null },
    rolledTo: { type: String, default: null },
    madeBy: { type: String, default: null },
    invalidations: { type: Number, default: 0 },
    unpublishedSince: Date,
    ops: opsField,
    createdAt: { type: Date, required: true },
    updatedAt: Date,
  },
  { versionKey: false },
);
// For the limit of active keys; invalidation of all keys of an account.
keySchema.index({ accountId: 1 });
// For `GET /accounts/{id}/keys`.
keySchema.index({ readers: 1, _id: -1 });
// For the sweep of unpublished key invalidations.
keySchema.index({ unpublishedSince: 1 }, { sparse: true });

/** The verifier of a key; its text cannot be derived from it. */
export type Verifier = Pick<KeyDocument, 'hash' | 'pepperVersion' | 'last4'>;

/** The fields of a key that may be changed. */
export type KeyRights = Pick<KeyDocument, 'name' | 'scopes' | 'ipAllowlist'>;

/** The fields of a new key. */
export type NewTerms = Pick<KeyDocument, 'name' | 'scopes' | 'ipAllowlist' | 'expiresAt' | 'madeBy'>;

/** A key that has not been used yet. Its creation time is that of its id. */
export const newKey = (
  { id, accountId }: { id: string; accountId: string },
  terms: NewTerms,
  verifier: Verifier,
): KeyDocument => ({
  _id: id,
  accountId,
  readers: [accountId],
  ...terms,
  ...verifier,
  revokedAt: null,
  lastUsedAt: null,
  rolledTo: null,
  invalidations: 0,
  createdAt: timeOfId(id),
});
