import type { BusEvent, Environment } from '@swim/contracts';
import { nextRandomBytes } from '@swim/platform';
import mongoose, { Schema } from 'mongoose';
import { sizeBound } from './batch-queue.js';
import type { Databases, EnvironmentModels } from './databases.js';

const MOST_EVENTS = 32;
// A larger event, of at most the four mebibytes of a message, has a document of its own; the database allows 16.
const MOST_BYTES = 4 * 1_048_576;

/** Recently published events, kept in case their stream is lost. An event that was published twice may be in two of them. */
interface PublishedBatch {
  _id: string;
  events: BusEvent[];
  /** The identity of their stream, from `EventPublisher.identifyStream`. */
  stream: string;
  at: Date;
}

const publishedSchema = new Schema<PublishedBatch>(
  {
    _id: { type: String, required: true },
    events: { type: [Schema.Types.Mixed], required: true } as never,
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

  /** Stores these events. */
  async insert(env: Environment, published: readonly { event: BusEvent; stream: string }[], at: Date): Promise<void> {
    const batches = [...Map.groupBy(published, ({ stream }) => stream)].flatMap(([stream, own]) =>
      batchesOf(own.map(({ event }) => event)).map((events) => ({ _id: newId(), events, stream, at })),
    );
    await this.models[env].insertMany(batches, { ordered: false, lean: true });
  }

  /**
   * Batches of events that were published to another stream than this one, roughly in order of publication: the oldest `limit`
   * batches.
   */
  async findLost(env: Environment, stream: string, limit: number): Promise<Pick<PublishedBatch, '_id' | 'events'>[]> {
    const other = mongoose.trusted({ $ne: stream });
    return this.models[env].find({ stream: other }, { events: 1 }, SYSTEM).sort({ at: 1 }).limit(limit).lean();
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

function batchesOf(events: readonly BusEvent[]): BusEvent[][] {
  const batches: BusEvent[][] = [];
  let bytes = 0;
  for (const event of events) {
    const size = sizeBound(event);
    const batch = batches.at(-1);
    const fits = batch && batch.length < MOST_EVENTS && bytes + size <= MOST_BYTES;
    if (fits) batch.push(event);
    else batches.push([event]);
    bytes = fits ? bytes + size : size;
  }
  return batches;
}
