import type { AccessAction } from '@swim/contracts';
import { Schema } from 'mongoose';

const KEPT_SECONDS = 365 * 86_400;

/**
 * A record that a response to a key contained data of members: who, whose, when and from where; without the data. Immutable.
 */
export interface AccessEntryDocument {
  /** `alog_…` */
  _id: string;
  /** The members' account, which may read the log. */
  readers: string[];
  memberIds: string[];
  action: AccessAction;
  /** Whether the response contained medical notes. */
  medicalNotes: boolean;
  /** Account of the key. */
  accountId: string;
  keyId: string;
  network: string | null;
  requestId: string;
  createdAt: Date;
}

const text = { type: String, required: true };

export const accessEntrySchema = new Schema<AccessEntryDocument>(
  {
    _id: text,
    readers: { type: [String], required: true },
    memberIds: { type: [String], required: true },
    action: text,
    medicalNotes: { type: Boolean, required: true },
    accountId: text,
    keyId: text,
    network: { type: String, default: null },
    requestId: text,
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);
// For `GET /accounts/{id}/access-log`.
accessEntrySchema.index({ readers: 1, _id: -1 });
// For `GET /accounts/{id}/access-log?member_id=`.
accessEntrySchema.index({ readers: 1, memberIds: 1, _id: -1 });
// Only cleans up.
accessEntrySchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
