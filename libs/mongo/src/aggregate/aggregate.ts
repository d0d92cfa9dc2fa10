import { type BusEvent, type EventCause, type EventType, withKinds } from '@swim/contracts';
import { derivedId, isOwnWork, type RequestContext } from '@swim/platform';
import { Schema, type SchemaDefinition } from 'mongoose';
import { indexDue } from '../due/due-fields.js';

/** Work that was done on a document, so that a resumed run returns the first run's answer. */
export interface DoneOp {
  id: string;
  /** `opSeed` of the context. */
  seed: string | null;
  /** The answer of that work, as JSON. */
  data: string;
}

/** Managed fields of every aggregate. A change and its events are one document write; see `createAll` for the first ones. */
export interface Aggregate {
  _id: string;
  /** Accounts that may see it, or `public`. */
  readers: string[];
  /** Counts every write, for optimistic concurrency. */
  rev: number;
  /** Ordinal of the latest event about it. */
  eventCount: number;
  outbox: BusEvent[];
  /** Set while the outbox is not empty: when the sweep processes it. */
  relayAt?: Date | undefined;
  ops: DoneOp[];
  /** When it was removed: then no other field is left, and no read finds it. */
  removedAt?: Date | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** The managed fields, which the repository sets. */
export type Managed = 'rev' | 'eventCount' | 'outbox' | 'relayAt' | 'ops' | 'removedAt' | 'createdAt' | 'updatedAt';

/** A new event: its type, and the object for subscribers, derived from the document after the change. */
export interface NewEvent<D> {
  type: EventType;
  object: (after: D) => unknown;
  previous?: Record<string, unknown> | undefined;
  /** Audience of the event; by default the document's readers. */
  audience?: string[];
  /**
   * The part of the document that the event is about, when not the document itself: its id, and the ordinal among its own
   * events.
   */
  about?: { id: string; n: number };
}

/** The change of a document: fields set as a whole, and its events. */
export interface Decision<D extends Aggregate> {
  set: Partial<Omit<D, Managed | '_id'>>;
  events?: NewEvent<D>[];
  /** No change that a reader sees: `updatedAt` stays. */
  unseen?: boolean;
  /** The answer of this work, stored with it so that a resumed run returns the same. */
  answer?: (after: D) => unknown;
  /** Drops the stored answers of earlier work: they may contain data that this change removes. */
  forgetsAnswers?: boolean;
}

/** Result of a change: the document as it is now, and the stored answer when an earlier run had done the work. */
export interface Changed<D> {
  document: D;
  earlierAnswer: unknown;
}

/** New documents as they are now, in the given order, and the publication of their first events, which may fail. */
export interface CreatedAll<D> {
  documents: D[];
  published: Promise<void>;
}

/** The work of a request as a document stores it, with its answer; nothing when the request cannot be repeated. */
export const doneOp = ({ opId, opSeed }: RequestContext, answer: unknown): DoneOp[] =>
  opId === null ? [] : [{ id: opId, seed: opSeed, data: JSON.stringify(answer) }];

/** That work in a document, when an earlier run has done it. */
export const ownOpIn = ({ ops }: { ops?: DoneOp[] | undefined }, context: RequestContext): DoneOp | undefined =>
  ops?.find(({ id, seed }) => isOwnWork(context, { opId: id, opSeed: seed }));

/** The answer of the request that an earlier run stored with a document (see `onceFor`); undefined without one. */
export const answerIn = (document: { ops?: DoneOp[] | undefined }, context: RequestContext): unknown => {
  const done = ownOpIn(document, context);
  return done && JSON.parse(done.data);
};

/** The update that appends work to a document's. */
export const pushingOps = (ops: readonly DoneOp[]) => ({ ops: { $each: ops, $slice: -OPS_KEPT } });

/** The field of a schema for the work that is done on its documents. */
export const opsField = { type: [{ _id: false, id: String, seed: String, data: String }], default: undefined };

/** Whether a document is the tombstone of a removed aggregate: only its id stays, so that late work cannot store it again. */
export const isTombstone = (document: object): boolean => (document as { removedAt?: Date }).removedAt !== undefined;

// Much longer than an idempotency key is kept.
const TOMBSTONE_KEPT_SECONDS = 7 * 24 * 3600;

export const OPS_KEPT = 20;
export const RELAY_GRACE_MS = 3_000;
/** After which sweeps begin with what follows from work on many objects: by then it has ended. */
export const BULK_DELAY_MS = 20_000;

const MANAGED: SchemaDefinition = {
  _id: { type: String, required: true },
  readers: { type: [String], required: true },
  rev: { type: Number, required: true },
  eventCount: { type: Number, required: true },
  outbox: { type: [Schema.Types.Mixed], default: undefined },
  relayAt: Date,
  ops: opsField,
  removedAt: Date,
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
};

/** A mongoose schema of an aggregate: its own fields, the managed ones, and the index for the outbox sweep. */
export function aggregateSchema<D extends Aggregate>(definition: SchemaDefinition): Schema<D> {
  const schema = new Schema<D>({ ...definition, ...MANAGED } as SchemaDefinition<D>, {
    versionKey: false,
    timestamps: false,
    minimize: false,
  });
  // For the sweep of outboxes, every three seconds, in every collection of aggregates.
  indexDue(schema, 'relayAt');
  // For the removal of tombstones after seven days.
  indexDue(schema, 'removedAt', { expireAfterSeconds: TOMBSTONE_KEPT_SECONDS });
  return schema;
}

/** Former values of the changed fields, in the API's spelling. */
export function previousOf<T extends object>(before: T, after: T): Record<string, unknown> {
  const fields = Object.keys(after) as (keyof T & string)[];
  const changed = fields.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  return Object.fromEntries(changed.map((key) => [key, before[key]]));
}

/** The events of one change; those about the document itself continue its numbering. */
export function numberEvents<D extends Aggregate>(
  after: D,
  events: NewEvent<D>[],
  env: BusEvent['env'],
  { cause, occurredAt }: { cause: EventCause; occurredAt: Date },
): BusEvent[] {
  let ownEvents = after.eventCount;
  return events.map(({ type, object, previous, audience, about }) => {
    const of = about ?? { id: after._id, n: ++ownEvents };
    return {
      // One change of one object is one event, also when a resumed run publishes it again.
      id: derivedId('evt', of.id, String(of.n)),
      n: of.n,
      type: type.type,
      env,
      occurredAt: occurredAt.toISOString(),
      audience: audience ?? after.readers,
      objectId: of.id,
      object: withKinds(type.object, object(after)),
      ...(previous ? { previous } : {}),
      cause,
    };
  });
}
