import type { BusEvent, Environment } from '@swim/contracts';
import { nextRandomBytes } from '@swim/platform';
import mongoose, { Schema } from 'mongoose';
import type { Databases, EnvironmentModels } from './databases.js';

const MOST_EVENTS = 32;
// A larger event, of at most the four mebibytes of a message, has a document of its own; the database allows 16.
const MOST_BYTES = 4 * 1_048_576;

/** A copy of a published event: its JSON, and the identity of the stream that has it. */
export interface PublishedEvent {
  readonly id: string;
  readonly env: Environment;
  readonly text: string;
  readonly stream: string;
}

export const publishedIn = (stream: string, event: BusEvent): PublishedEvent => ({
  id: event.id,
  env: event.env,
  text: JSON.stringify(event),
  stream,
});

/** Recently published events, kept in case their stream is lost. An event that was published twice may be in two of them. */
interface PublishedBatch {
  _id: string;
  /** JSON of an array of them: as documents, they take the services and the database several times as long. */
  json?: string;
  /** In place of it, in documents of a former release, which last an hour. */
  events?: BusEvent[];
  /** The identity of their stream, from `EventPublisher.identifyStream`. */
  stream: string;
  at: Date;
}

const publishedSchema = new Schema<PublishedBatch>(
  {
    _id: { type: String, required: true },
    json: String,
    events: { type: [Schema.Types.Mixed], default: undefined } as never,
    stream: { type: String, default: '' },
    at: { type: Date, required: true },
  },
  { versionKey: false, minimize: false },
);
publishedSchema.index({ stream: 1 });
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
      batchesOf(own).map((texts) => ({ _id: newId(), json: `[${texts.join(',')}]`, stream, at })),
    );
    await this.models[env].insertMany(batches, { ordered: false, lean: true });
  }

  /**
   * Batches of events that were published to another stream than this one, roughly in order of publication: the oldest `limit`
   * batches.
   */
  async findLost(env: Environment, stream: string, limit: number): Promise<{ _id: string; events: BusEvent[] }[]> {
    const other = mongoose.trusted({ $ne: stream });
    const query = this.models[env].find({ stream: other }, { json: 1, events: 1 }, SYSTEM);
    const found = await query.sort({ at: 1 }).limit(limit).lean();
    return found.map(({ _id, json, events = [] }) => ({ _id, events: json ? JSON.parse(json) : events }));
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

/** The texts of events, in batches bounded by count and bytes. */
function batchesOf(published: readonly PublishedEvent[]): string[][] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const { text } of published) {
    const size = Buffer.byteLength(text);
    const batch = batches.at(-1);
    const fits = batch && batch.length < MOST_EVENTS && bytes + size <= MOST_BYTES;
    if (fits) batch.push(text);
    else batches.push([text]);
    bytes = fits ? bytes + size : size;
  }
  return batches;
}
