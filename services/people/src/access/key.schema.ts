import type { Scope } from '@swim/contracts';
import { Schema } from 'mongoose';

/** An API key. Its text is shown once and never stored. */
export interface KeyDocument {
  /** `key_…`, part of the key's text */
  _id: string;
  accountId: string;
  readers: string[];
  name: string;
  /** HMAC-SHA256 of the secret, base64. */
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
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);
keySchema.index({ accountId: 1 });
