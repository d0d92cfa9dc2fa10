import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type BusEvent, ENVIRONMENTS, type Environment } from '@swim/contracts';
import {
  DelayedRun,
  EventSink,
  eventsTotal,
  KeyedQueue,
  LOGGER,
  type Logger,
  Sweep,
  sharedClock,
} from '@swim/platform';
import mongoose, { type Model } from 'mongoose';
import type { Aggregate } from './aggregate.js';
import { Databases, type EnvironmentModels } from './databases.js';
import { PublishedEvents } from './published-events.js';

// Well before the sweep looks for events after a crash (RELAY_GRACE_MS).
const MARK_MS = 1_500;
const SWEEP_MS = 1_000;
const SWEEP_BATCH = 200;
const RETRY_MS = 5_000;

type Outboxed = Pick<Aggregate, '_id' | 'outbox'>;
/** The published events of a collection's documents, by document id. */
type Marks = Map<string, Published[]>;
interface Published {
  readonly event: BusEvent;
  readonly stream: string;
}

const WATCH_MS = 5_000;
const KEPT_MS = 3_600_000;
const REPUBLISH_BATCH = 200;

/**
 * Publishes the events in the outboxes of aggregates: right after the write, and by a sweep each second after a crash or an
 * outage. An event leaves its outbox only after JetStream has stored it, and is then kept for an hour: when NATS has lost its
 * data, it is published again. Publishing twice is harmless.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly watched: EnvironmentModels<Aggregate>[] = [];
  private readonly sent = new Map<Model<Aggregate>, Marks>();
  private readonly queue = new KeyedQueue();
  private readonly publishing = new Set<Promise<void>>();
  private readonly marking = new DelayedRun(MARK_MS, () => this.markSent());
  private readonly sweep: Sweep;
  private readonly watcher: Sweep;
  private readonly published: PublishedEvents;
  /** The last known identity of each environment's stream; none before it was first seen. */
  private readonly streams: Partial<Record<Environment, string>> = {};

  constructor(
    private readonly publisher: EventSink,
    databases: Databases,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.published = new PublishedEvents(databases);
    this.sweep = new Sweep('outbox', SWEEP_MS, () => this.sweepAll(), logger);
    this.watcher = new Sweep('event streams', WATCH_MS, () => this.watchStreams(), logger);
  }

  /** Adds this collection to the sweep. */
  watch(models: EnvironmentModels<Aggregate>): void {
    this.watched.push(models);
  }

  /** Publishes these events of a document now, after its earlier ones. The sweep repeats failures. */
  send(model: Model<Aggregate>, { _id, outbox }: Outboxed): void {
    if (!outbox?.length) return;
    const work: Promise<void> = this.queue
      .run(_id, () => this.publish(model, { _id, outbox }))
      .catch((error) => this.logger.warn({ err: error, objectId: _id }, 'event not published yet'))
      .finally(() => this.publishing.delete(work));
    this.publishing.add(work);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.sweep.start();
    this.watcher.start();
    await this.watchStreams().catch((error) => this.logger.warn({ err: error }, 'event streams not seen yet'));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.sweep.stop(), this.watcher.stop()]);
    await Promise.allSettled(this.publishing);
    await this.marking.flush();
  }

  private async publish(model: Model<Aggregate>, { _id, outbox }: Outboxed): Promise<void> {
    // Published in order without waiting for each other: if one fails, consumers wait for it.
    const published = await Promise.allSettled(outbox.map((event) => this.publishOne(model, _id, event)));
    const failed = published.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async publishOne(model: Model<Aggregate>, _id: string, event: BusEvent): Promise<void> {
    // The identity is read before: an event published to a stream created meanwhile is published there once more, and none is
    // missed.
    const stream = this.streams[event.env] ?? (await this.publisher.identifyStream(event.env));
    await this.publisher.publish(event);
    eventsTotal.inc({ outcome: 'published' });
    const marks = this.sent.get(model) ?? this.sent.set(model, new Map()).get(model)!;
    marks.set(_id, [...(marks.get(_id) ?? []), { event, stream }]);
    this.marking.request();
  }

  // Batches the removal of published events from their outboxes, outside the requests.
  private async markSent(): Promise<void> {
    const batches = [...this.sent];
    this.sent.clear();
    try {
      await this.keep(batches.flatMap(([, marks]) => [...marks.values()].flat()));
      for (const [model, marks] of batches) await this.markIn(model, marks);
    } catch (error) {
      this.logger.warn({ err: error }, 'published events not marked yet');
    }
  }

  private async markIn(model: Model<Aggregate>, marks: Marks): Promise<void> {
    const ids = [...marks.values()].flatMap((published) => published.map(({ event }) => event.id));
    const rest = {
      $filter: { input: { $ifNull: ['$outbox', []] }, as: 'event', cond: { $not: [{ $in: ['$$event.id', ids] }] } },
    };
    const relayAt = { $cond: [{ $eq: [{ $size: '$outbox' }, 0] }, '$$REMOVE', '$relayAt'] };
    await model.updateMany(
      { _id: mongoose.trusted({ $in: [...marks.keys()] }) },
      [{ $set: { outbox: rest } }, { $set: { relayAt } }],
      { asSystem: 'outbox relay', updatePipeline: true } as object,
    );
  }

  private async keep(published: Published[]): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const own = published.filter(({ event }) => event.env === env);
      if (own.length > 0) await this.published.insert(env, own, sharedClock.now());
    }
  }

  private async watchStreams(): Promise<void> {
    for (const env of ENVIRONMENTS) await this.watchStream(env);
  }

  // An event is removed only once the stream is known to contain it.
  private async watchStream(env: Environment): Promise<void> {
    const stream = await this.publisher.identifyStream(env);
    this.streams[env] = stream;
    await this.republish(env, stream);
    await this.published.purge(env, new Date(sharedClock.now().getTime() - KEPT_MS));
  }

  private async republish(env: Environment, stream: string): Promise<void> {
    for (;;) {
      const lost = await this.published.findLost(env, stream, REPUBLISH_BATCH);
      if (lost.length === 0) return;
      await Promise.all(lost.map((event) => this.publisher.publish(event)));
      await this.published.markIn(env, stream, lost);
      this.logger.warn({ env, count: lost.length }, 'events published again: their stream was made anew');
    }
  }

  private async sweepAll(): Promise<void> {
    for (const models of this.watched) {
      for (const env of ENVIRONMENTS) await this.sweepCollection(models[env]);
    }
  }

  private async sweepCollection(model: Model<Aggregate>): Promise<void> {
    const options = { asSystem: 'outbox relay' } as object;
    const overdue = mongoose.trusted({ $lt: sharedClock.now() });
    const left = (await model
      .find({ relayAt: overdue }, { outbox: 1 }, options)
      .limit(SWEEP_BATCH)
      .lean()) as unknown as Outboxed[];
    if (left.length === 0) return;
    const ids = mongoose.trusted({ $in: left.map(({ _id }) => _id) });
    await model.updateMany({ _id: ids, relayAt: overdue }, { $set: { relayAt: sharedClock.inMs(RETRY_MS) } }, options);
    for (const document of left) this.send(model, document);
  }
}
