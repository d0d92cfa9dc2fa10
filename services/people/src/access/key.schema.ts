import type { Scope } from '@swim/contracts';
import { timeOfId } from '@swim/platform';
import { Schema } from 'mongoose';

/** An API key. Its text is shown once and never stored. */
export interface KeyDocument {
  /** `key_…`, part of the key's text */
  _id: string;
  accountId: string;
  readers: string[];
  name: string;
  /** HMAC-SHA256 of the digest of the secret, base64. */
  hash: string;
  /** Which pepper the hash was made under. */
  pepperVersion: number;
  last4: string;
  scopes: Scope[];
  /** Null: never. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Addresses or networks it may be used from; empty: from anywhere. */
  ipAllowlist: string[];
  /** To the minute. */
  lastUsedAt: Date | null;
  /** The key that it was rolled into; absent or null: none. */
  rolledTo?: string | null;
  /** Counts the changes that gateways have to hear of; absent: none. */
  newsCount?: number;
  /** Since when the latest of them waits to be told: the outbox of this document. Absent when all has been told. */
  untoldSince?: Date;
  createdAt: Date;
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
    newsCount: { type: Number, default: 0 },
    untoldSince: Date,
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);
keySchema.index({ accountId: 1 });
keySchema.index({ readers: 1, _id: -1 });
keySchema.index({ untoldSince: 1 }, { sparse: true });

/** What a key is known by; its text cannot be made of it. */
export type Verifier = Pick<KeyDocument, 'hash' | 'pepperVersion' | 'last4'>;

/** What of a key may be changed. */
export type KeyRights = Pick<KeyDocument, 'name' | 'scopes' | 'ipAllowlist'>;

/** What a key is made with. */
export type NewTerms = Pick<KeyDocument, 'name' | 'scopes' | 'ipAllowlist' | 'expiresAt'>;

/** A key that has not been used yet. It was made at the time that its id tells. */
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
  newsCount: 0,
  createdAt: timeOfId(id),
});
