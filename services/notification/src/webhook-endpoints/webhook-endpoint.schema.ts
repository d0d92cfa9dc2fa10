import type { Metadata, WEBHOOK_DISABLED_REASONS } from '@swim/contracts';
import { type Aggregate, aggregateSchema, type Clocked } from '@swim/mongo';
import { Schema } from 'mongoose';
import type { TryDays } from './try-days.rules.js';

/** A signing secret of an endpoint. */
export interface WebhookSecret {
  /** AES-256-GCM of the secret's text under the account's data key. */
  sealed: Buffer;
  /** Until when it signs; null for the current one. */
  until: Date | null;
  /** The work that made it, so that a resumed run answers the same secret. */
  op: string | null;
  /** `opSeed` of that work. */
  seed: string | null;
}

/** A replay in progress: the deliveries of past events are parked page by page. */
export interface WebhookReplay {
  id: string;
  /** Events up to this sequence are parked. */
  position: number;
  /** The last sequence of the replay. */
  through: number;
  /** Types of event; null for all. */
  types: string[] | null;
}

/** So many tries to an endpoint a replica may have in progress at a time, until the lease ends. */
export interface TryLease {
  /** Names the replica. */
  replica: string;
  count: number;
  until: Date;
}

/** A webhook endpoint of an account, as stored. */
export interface WebhookEndpointDocument extends Aggregate, Clocked {
  accountId: string;
  /** 0 to 15, unique in the account: so an account has at most 16 endpoints, however many requests make one at once. */
  slot: number;
  url: string;
  /** Types of event, or `*`. */
  events: string[];
  description: string | null;
  enabled: boolean;
  disabledReason: (typeof WEBHOOK_DISABLED_REASONS)[number] | null;
  metadata: Metadata;
  /** The current secret first. */
  secrets: WebhookSecret[];
  /** How the last day with tries went; absent before the first try, and since the endpoint got another URL or was enabled again. */
  days?: TryDays | null;
  replay?: WebhookReplay | null;
  /** The tries that replicas may have in progress: together at most those of an endpoint. Absent before the first. */
  tryLeases?: TryLease[];
}

export const webhookEndpointSchema = aggregateSchema<WebhookEndpointDocument>({
  accountId: String,
  slot: Number,
  url: String,
  events: { type: [String], default: undefined },
  description: String,
  enabled: Boolean,
  disabledReason: String,
  metadata: Schema.Types.Mixed,
  secrets: {
    type: [{ _id: false, sealed: { type: Buffer, required: true }, until: Date, op: String, seed: String }],
    default: undefined,
  },
  days: { type: { _id: false, last: Date, failed: Number } },
  clockOffsetMs: Number,
  tryLeases: { type: [{ _id: false, replica: String, count: Number, until: Date }], default: undefined },
  replay: { type: { _id: false, id: String, position: Number, through: Number, types: Schema.Types.Mixed } },
});
// A removed endpoint leaves a tombstone without a slot.
// For the limit of endpoints per account; `GET /webhook-endpoints`.
webhookEndpointSchema.index(
  { accountId: 1, slot: 1 },
  { unique: true, partialFilterExpression: { slot: { $type: 'number' } } },
);
// For replays in progress, each second.
webhookEndpointSchema.index({ 'replay.id': 1 }, { partialFilterExpression: { 'replay.id': { $type: 'string' } } });
