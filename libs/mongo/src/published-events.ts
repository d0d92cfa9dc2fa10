import type { BusEvent, Environment } from '@swim/contracts';
import mongoose, { Schema } from 'mongoose';
import { isDuplicate } from './conditional-writes.js';
import type { Databases, EnvironmentModels } from './databases.js';

/** A recently published event, kept in case its stream is lost. */
interface PublishedEvent {
  /** Id of the event. */
  _id: string;
  event: BusEvent;
  /** The identity of its stream, from `EventPublisher.identifyStream`. */
  stream: string;
  at: Date;
}

const publishedSchema = new Schema<PublishedEvent>(
  {
    _id: { type: String, required: true },
    event: { type: Schema.Types.Mixed, required: true },
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
  private readonly models: EnvironmentModels<PublishedEvent>;

  constructor(databases: Databases) {
    this.models = databases.collection('published', publishedSchema);
  }

  /** Stores these events; existing ones stay unchanged. */
  async insert(env: Environment, published: readonly { event: BusEvent; stream: string }[], at: Date): Promise<void> {
    const documents = published.map(({ event, stream }) => ({ _id: event.id, event, stream, at }));
    await this.models[env].insertMany(documents, { ordered: false, lean: true }).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
    });
  }

  /** Events that were published to another stream than this one, roughly in order of publication, at most `limit`. */
  async findLost(env: Environment, stream: string, limit: number): Promise<BusEvent[]> {
    const other = mongoose.trusted({ $ne: stream });
    const order = { at: 1, 'event.objectId': 1, 'event.n': 1 } as const;
    const found = await this.models[env].find({ stream: other }, null, SYSTEM).sort(order).limit(limit).lean();
    return found.map(({ event }) => event);
  }

  /** Records that these events are in this stream. */
  async markIn(env: Environment, stream: string, events: readonly BusEvent[]): Promise<void> {
    const ids = mongoose.trusted({ $in: events.map(({ id }) => id) });
    await this.models[env].updateMany({ _id: ids }, { $set: { stream } }, SYSTEM);
  }

  /** Removes events published before this instant. */
  async purge(env: Environment, before: Date): Promise<void> {
    await this.models[env].deleteMany({ at: mongoose.trusted({ $lt: before }) }, SYSTEM);
  }
}
