import type { BusEvent, Environment } from '@swim/contracts';
import { nextRandomBytes } from '@swim/platform';
import mongoose, { Schema } from 'mongoose';
import { executeAll } from '../commands/write-command.js';
import type { Databases, EnvironmentModels } from '../databases/databases.js';

const MOST_EVENTS = 32;
// A larger event, of at most the four mebibytes of a message, has a document of its own; the database allows 16.
const MOST_BYTES = 4 * 1_048_576;

/** A copy of a published event, and the identity of the stream that has it. */
export interface PublishedEvent {
  readonly id: string;
  readonly env: Environment;
  /** UTF-8. Outside the heap of V8: copies wait for a second and a half, so that objects would become old. */
  readonly json: Buffer;
  readonly stream: string;
}

export const publishedIn = (stream: string, event: BusEvent): PublishedEvent => ({
  id: event.id,
  env: event.env,
  json: Buffer.from(JSON.stringify(withoutTexts(event))),
  stream,
});

/** A copy lacks what clients write, also when it is published again: no erasure looks for it here. */
function withoutTexts({ object, previous, cause, ...event }: BusEvent): BusEvent {
  const former = previous && { previous: withoutMetadata(previous) };
  return { ...event, object: withoutMetadata(object), ...former, cause: { ...cause, idempotencyKey: null } };
}

const withoutMetadata = <T>(object: T): T =>
  object !== null && typeof object === 'object' && 'metadata' in object ? { ...object, metadata: {} } : object;

/** Recently published events, kept in case their stream is lost. An event that was published twice may be in two of them. */
interface PublishedBatch {
  _id: string;
  /** JSON of an array of them: as documents, they take the services and the database several times as long. */
  json: Buffer;
  /** The identity of their stream, from `EventPublisher.identifyStream`. */
  stream: string;
  at: Date;
}

const publishedSchema = new Schema<PublishedBatch>(
  {
    _id: { type: String, required: true },
    json: { type: Buffer, required: true },
    stream: { type: String, default: '' },
    at: { type: Date, required: true },
  },
  { versionKey: false, minimize: false },
);
// For the search for events of a lost stream, every 5 s.
publishedSchema.index({ stream: 1 });
// For the removal after an hour, every 5 s.
publishedSchema.index({ at: 1 });

const SYSTEM = { asSystem: 'outbox relay' } as object;

/** Stores the events published within the last hour, with the identity of their stream. */
export class PublishedEvents {
  private readonly models: EnvironmentModels<PublishedBatch>;

  constructor(databases: Databases) {
    this.models = databases.collection('published', publishedSchema);
  }

  /** Stores copies of events of one environment. */
  async insert(env: Environment, published: readonly PublishedEvent[], at: Date): Promise<void> {
    const batches = [...Map.groupBy(published, ({ stream }) => stream)].flatMap(([stream, own]) =>
      batchesOf(own).map((some) => ({ _id: newId(), json: Buffer.concat(some), stream, at })),
    );
    const { errors } = await executeAll(this.models[env], 'insert', batches);
    for (const error of errors.values()) throw error;
  }

  /**
   * Batches of events that were published to another stream than this one, roughly in order of publication: the oldest `limit`
   * batches.
   */
  async findLost(env: Environment, stream: string, limit: number): Promise<{ _id: string; events: BusEvent[] }[]> {
    const other = mongoose.trusted({ $ne: stream });
    const query = this.models[env].find({ stream: other }, { json: 1 }, SYSTEM);
    const found = await query.sort({ at: 1 }).limit(limit).lean();
    return found.map(({ _id, json }) => ({ _id, events: eventsIn(json) }));
  }

  /** Records that the events of these batches are in this stream. */
  async markIn(env: Environment, stream: string, batchIds: readonly string[]): Promise<void> {
    const ids = mongoose.trusted({ $in: [...batchIds] });
    await this.models[env].updateMany({ _id: ids }, { $set: { stream } }, SYSTEM);
  }

  /** Removes events published before this instant. */
  async purge(env: Environment, before: Date): Promise<void> {
    await this.models[env].deleteMany({ at: mongoose.trusted({ $lt: before }) }, SYSTEM);
  }
}

const newId = (): string => nextRandomBytes(12).toString('base64url');

// The driver reads a binary value as an object of its own class.
const eventsIn = (json: Buffer): BusEvent[] =>
  JSON.parse((Buffer.isBuffer(json) ? json : Buffer.from((json as { buffer: Uint8Array }).buffer)).toString());

const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

/** The parts of JSON arrays of events, bounded by count and bytes. */
function batchesOf(published: readonly PublishedEvent[]): Buffer[][] {
  const batches: Buffer[][] = [];
  let [count, bytes] = [0, 0];
  for (const { json } of published) {
    const batch = batches.at(-1);
    const fits = batch && count < MOST_EVENTS && bytes + json.length <= MOST_BYTES;
    if (fits) batch.push(COMMA, json);
    else batches.push([OPEN, json]);
    count = fits ? count + 1 : 1;
    bytes = fits ? bytes + json.length : json.length;
  }
  for (const batch of batches) batch.push(CLOSE);
  return batches;
}
