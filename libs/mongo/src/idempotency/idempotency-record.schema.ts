import { Schema } from 'mongoose';

/** How long a key and its answer are kept. */
export const KEPT_SECONDS = 24 * 3600;

/** The record of a write under its key: the client's `Idempotency-Key`, or one of the gateway. */
export interface IdempotencyRecord {
  _id: string;
  accountId: string;
  fingerprint: string;
  /** Source of the ids of the objects that the request makes. */
  seed: string;
  state: 'running' | 'done';
  attempt: number;
  /** The lease of the current run ends then, by the database's clock. */
  leaseUntil: Date;
  error?: boolean;
  /** The stored answer, AES-256-GCM under a key derived also from the write key, which is not stored here. */
  answer?: Buffer;
  /** JSON of the answer's warnings, which name no member; absent without any. */
  warnings?: string;
  /** Members and payments in the answer: it is removed when one of them, or a member of a payment's booking, is erased. */
  subjects?: string[];
  /** Whether the answer was removed by an erasure. */
  forgotten?: boolean;
  createdAt: Date;
}

/** Collection `idempotency`. */
export const recordSchema = new Schema<IdempotencyRecord>(
  {
    _id: String,
    accountId: String,
    fingerprint: String,
    seed: String,
    state: String,
    attempt: Number,
    leaseUntil: Date,
    error: Boolean,
    answer: Buffer,
    warnings: String,
    subjects: { type: [String], default: undefined },
    forgotten: Boolean,
    createdAt: Date,
  },
  { versionKey: false },
);
// Only cleans up: the age of a key is checked independently of this index.
recordSchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
// With the instant: the offline engine takes twice as long for an entry whose value many documents have.
// For the erasure of an account; check for requests in progress before an erasure.
recordSchema.index({ accountId: 1, createdAt: 1 });
// For the erasure of a member: the answers that contain it.
recordSchema.index({ subjects: 1 }, { partialFilterExpression: { subjects: { $type: 'string' } } });
