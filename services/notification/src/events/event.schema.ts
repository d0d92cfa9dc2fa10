import type { EventCause } from '@swim/contracts';
import { Schema } from 'mongoose';

/** One account's own copy of an event. Immutable. */
export interface EventDocument {
  /** `evt_…`, derived from the event's id and the account, so that a redelivery finds the same document. */
  _id: string;
  account: string;
  readers: string[];
  /** From 1 without gaps; unique for the account. */
  sequence: number;
  /** Event type, such as `booking.created`. */
  type: string;
  objectId: string;
  /** Ordinal among the events of the object. */
  n: number;
  /** How many accounts have a copy of this event, to check whether all copies are stored. */
  copies: number;
  timestamp: Date;
  /** JSON of the public `data`, as text: its keys need not be valid in the database. */
  data: string;
  cause: Pick<EventCause, 'requestId' | 'idempotencyKey' | 'actor' | 'accountId' | 'traceparent'>;
}

/** Some of an account's events: those above `after` up to `through`, of these types or of all. */
export interface EventRange {
  account: string;
  after: number;
  through: number;
  types: readonly string[] | null;
}

/** The events of an object that an account has, of these types or of all. */
export interface ObjectEvents {
  account: string;
  objectId: string;
  types: readonly string[] | null;
}

export const eventSchema = new Schema<EventDocument>(
  {
    _id: { type: String, required: true },
    account: { type: String, required: true },
    readers: { type: [String], required: true },
    sequence: { type: Number, required: true },
    type: { type: String, required: true },
    objectId: { type: String, required: true },
    n: { type: Number, required: true },
    copies: { type: Number, required: true },
    timestamp: { type: Date, required: true },
    data: { type: String, required: true },
    cause: { requestId: String, idempotencyKey: String, actor: String, accountId: String, traceparent: String },
  },
  { versionKey: false },
);

// Makes sequences unique: of two inserts with one number the second is rejected. Also serves the plain list.
// For unique numbers; `GET /events`; the purge.
eventSchema.index({ account: 1, sequence: 1 }, { unique: true });
// For `GET /events?type=`.
eventSchema.index({ account: 1, type: 1, sequence: 1 });
// For `GET /events?object_id=`: without it, the offline engine reads all index entries of the account.
eventSchema.index({ account: 1, objectId: 1, sequence: 1 });
// For `GET /events?request_id=`: the events of a request in the log.
eventSchema.index({ account: 1, 'cause.requestId': 1, sequence: 1 });
// For `GET /events?date_from=`; the purge.
eventSchema.index({ account: 1, timestamp: 1 });
// For the check whether an event's predecessor is stored.
// For the check whether an event's predecessor is stored.
eventSchema.index({ objectId: 1, n: 1 });
