import type { AccessAction } from '@swim/contracts';
import { Schema } from 'mongoose';

const KEPT_SECONDS = 365 * 86_400;

/** That a key was answered data of members: who, whose, when and from where; nothing of the data. Written once, never changed. */
export interface AccessEntryDocument {
  /** `alog_…` */
  _id: string;
  /** The account of the members: whoever owns them reads who read them. */
  readers: string[];
  memberIds: string[];
  action: AccessAction;
  /** Whether medical notes were answered. */
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
accessEntrySchema.index({ readers: 1, _id: -1 });
accessEntrySchema.index({ readers: 1, memberIds: 1, _id: -1 });
// Only cleans up.
accessEntrySchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
