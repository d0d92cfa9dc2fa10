import type { WEBHOOK_DELIVERY_STATES } from '@swim/contracts';
import { type Clocked, type DoneOp, indexDue, opsField } from '@swim/mongo';
import { Schema } from 'mongoose';

/** One try of a delivery, as stored. */
export interface StoredAttempt {
  at: Date;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** AES-256-GCM of at most 16 KiB of the answer's body; null without one. */
  response: Buffer | null;
}

/**
 * The delivery of an event to an endpoint. While it is pending it is either due at an instant or parked: parked ones wait for
 * their endpoint, which has more of them than it takes. A replica claims a delivery by moving `dueAt` to the end of its lease;
 * what it writes later requires that `dueAt` is still that instant.
 */
export interface WebhookDeliveryDocument extends Clocked {
  /** `dlv_…`, derived from event and endpoint: an event has one delivery to each endpoint. */
  _id: string;
  accountId: string;
  readers: string[];
  endpointId: string;
  eventId: string;
  type: string;
  status: (typeof WEBHOOK_DELIVERY_STATES)[number];
  /** Tries by the table of retries so far. */
  tries: number;
  dueAt?: Date;
  parked?: true;
  /** Who has claimed it; absent when nobody has. */
  claim?: string;
  /** The latest replay that it belongs to. */
  replay?: string;
  /** The latest tries, oldest first. */
  attempts: StoredAttempt[];
  /** JSON of an event that is not stored: a ping. */
  body?: string;
  /** The latest requests for a retry, each of which takes effect once. */
  ops?: DoneOp[];
  createdAt: Date;
  /** When its latest try was stored, or it was made due again; absent: never. */
  updatedAt?: Date;
}

export const webhookDeliverySchema = new Schema<WebhookDeliveryDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    readers: { type: [String], required: true },
    endpointId: { type: String, required: true },
    eventId: { type: String, required: true },
    type: { type: String, required: true },
    status: { type: String, required: true },
    tries: { type: Number, required: true },
    dueAt: Date,
    parked: Boolean,
    claim: String,
    replay: String,
    // A schema of their own would make mongoose build a document for each.
    attempts: { type: Schema.Types.Mixed, required: true },
    body: String,
    ops: opsField,
    clockOffsetMs: Number,
    createdAt: { type: Date, required: true },
    updatedAt: Date,
  },
  { versionKey: false },
);

// The lists of an endpoint and of an account.
// For `GET /webhook-endpoints/{id}/deliveries`; export and erasure of an account.
webhookDeliverySchema.index({ accountId: 1, endpointId: 1, createdAt: -1, _id: -1 });
// Finished deliveries are in neither of these.
// For claims of due deliveries, each second.
indexDue(webhookDeliverySchema, 'dueAt');
// For claims of parked deliveries.
webhookDeliverySchema.index({ endpointId: 1, _id: 1 }, { partialFilterExpression: { parked: true } });
