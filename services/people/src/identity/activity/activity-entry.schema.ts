import type { Environment } from '@swim/contracts';
import { Schema } from 'mongoose';

const KEPT_SECONDS = 365 * 86_400;

/** What a user did: ids and the network, no names. Immutable. */
export interface ActivityEntryDocument {
  /** `act_…` */
  _id: string;
  readers: string[];
  userId: string;
  /** A word of ours, or method and pattern of a request. */
  action: string;
  /** Id of what it was done to. */
  object: string | null;
  network: string | null;
  /** Null for what belongs to neither environment. */
  env: Environment | null;
  createdAt: Date;
}

const text = { type: String, required: true };

export const activityEntrySchema = new Schema<ActivityEntryDocument>(
  {
    _id: text,
    readers: { type: [String], required: true },
    userId: text,
    action: text,
    object: { type: String, default: null },
    network: { type: String, default: null },
    env: { type: String, default: null },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);
// For `GET /dashboard/api/activity`.
activityEntrySchema.index({ readers: 1, _id: -1 });
// Only cleans up.
activityEntrySchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
