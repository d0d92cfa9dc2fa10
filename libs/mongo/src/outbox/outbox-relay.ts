import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type BusEvent, ENVIRONMENTS, type Environment } from '@swim/contracts';
import { EventSink, eventsTotal, KeyedQueue, LOGGER, type Logger, type Outcome, sharedClock } from '@swim/platform';
import mongoose, { type Model } from 'mongoose';
import type { Aggregate } from '../aggregate/aggregate.js';
import { Databases, type EnvironmentModels } from '../databases/databases.js';
import { dueBy } from '../due/due-fields.js';
import { findUnlessQuiet } from '../due/quiet-looks.js';
import { Sweep } from '../work/sweep.js';
import { type Outboxed, OutboxMarks } from './outbox-marks.js';
import { type PublishedEvent, PublishedEvents, publishedIn } from './published-events.js';

const SWEEP_MS = 3_000;
const SWEEP_BATCH = 500;
const RETRY_MS = 5_000;

const WATCH_MS = 5_000;
// After a stream was made anew: much longer than other replicas take to note what they had published before.
const LOST_WITHIN_MS = 60_000;
const LOOK_MS = 60_000;
const KEPT_MS = 3_600_000;
const REPUBLISHED_BATCHES = 25;

/** The search for events that are not in the stream, by `performance.now()`: each watch makes it while it fails. */
interface LooksForLost {
  nextMs: number;
  /** Until when each watch makes it: the stream was made anew. */
  oftenUntilMs: number;
}

const AT_ONCE: LooksForLost = { nextMs: 0, oftenUntilMs: 0 };

/**
 * Publishes the events in the outboxes of aggregates: right after the write, and by a sweep every three seconds after a crash or an
 * outage. An event leaves its outbox only after JetStream has stored it, and is then kept for an hour: when NATS has lost its
 * data, it is published again. Publishing twice is harmless.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly watched: EnvironmentModels<Aggregate>[] = [];
  private readonly queue = new KeyedQueue();
  private readonly publishing = new Set<Promise<void>>();
  private readonly sweep: Sweep;
  private readonly watcher: Sweep;
  private readonly published: PublishedEvents;
  private readonly marks: OutboxMarks;
  /** The last known identity of each environment's stream; none before it was first seen. */
  private readonly streams: Partial<Record<Environment, string>> = {};
  private readonly looks: Record<Environment, LooksForLost> = { live: { ...AT_ONCE }, test: { ...AT_ONCE } };

  constructor(
    private readonly publisher: EventSink,
    databases: Databases,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.published = new PublishedEvents(databases);
    this.marks = new OutboxMarks(this.published, logger);
    this.sweep = new Sweep('outbox', SWEEP_MS, () => this.sweepAll(), logger);
    this.watcher = new Sweep('event streams', WATCH_MS, () => this.watchStreams(), logger);
  }

  /** Adds this collection to the sweep; several repositories may share it. */
  watch(models: EnvironmentModels<Aggregate>): void {
    if (!this.watched.includes(models)) this.watched.push(models);
  }

  /** Publishes these events of a document now, after its earlier ones. The sweep repeats failures. */
  send(model: Model<Aggregate>, document: Outboxed): void {
    const { _id: objectId, outbox } = document;
    if (outbox.length === 0) return;
    const work = this.queue.run(objectId, () => this.publish(model, document));
    void this.track(work).catch((error) => this.logger.warn({ err: error, objectId }, 'event not published yet'));
  }

  async onApplicationBootstrap(): Promise<void> {
    this.sweep.start();
    this.watcher.start();
    await this.watchStreams().catch((error) => this.logger.warn({ err: error }, 'event streams not seen yet'));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.sweep.stop(), this.watcher.stop()]);
    await Promise.allSettled(this.publishing);
    await this.marks.flush();
  }

  /**
   * Publishes events that no document contains, after earlier ones of the object. Resolves once a copy of them is kept, as of others,
   * for an hour; rejects if that failed. The caller can make the same events again until then, also after a crash.
   */
  publishApart(objectId: string, events: readonly BusEvent[]): Promise<void> {
    const work = this.queue.run(objectId, async () => {
      const { published, outcomes } = await this.store(events);
      throwFirst(outcomes);
      return published;
    });
    // Not an async function: while one waits for the copies, it keeps the events.
    return this.track(work).then((published) => this.marks.copy(published));
  }

  private async publish(model: Model<Aggregate>, document: Outboxed): Promise<void> {
    // The sweep finds events that are published, while the write that removes them takes long.
    const left = document.outbox.filter(({ id }) => !this.marks.isPublished(model, document._id, id));
    if (left.length === 0) return;
    const { published, outcomes } = await this.store(left);
    this.marks.notePublished(model, document._id, published);
    throwFirst(outcomes);
  }

  /** Publishes events of one environment: those that are stored, with the identity of their stream, and the outcome of each. */
  private async store(events: readonly BusEvent[]): Promise<{ published: PublishedEvent[]; outcomes: Outcome[] }> {
    const { env } = events[0]!;
    // The identity is read before: an event published to a stream created meanwhile is published there once more, and none is
    // missed.
    const stream = this.streams[env] ?? (await this.publisher.identifyStream(env));
    // Messages do not wait for each other: if one fails, consumers wait for its events.
    const outcomes = await this.publisher.publishAll(events);
    const published = events.filter((_, index) => !outcomes[index]).map((event) => publishedIn(stream, event));
    eventsTotal.inc({ outcome: 'published' }, published.length);
    return { published, outcomes };
  }

  /** Makes the end of the process wait for this work. */
  private async track<T>(work: Promise<T>): Promise<T> {
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    this.publishing.add(ended);
    try {
      return await work;
    } finally {
      this.publishing.delete(ended);
    }
  }

  private async watchStreams(): Promise<void> {
    for (const env of ENVIRONMENTS) await this.watchStream(env);
  }

  // An event is removed only once the stream is known to contain it.
  private async watchStream(env: Environment): Promise<void> {
    const stream = await this.publisher.identifyStream(env);
    const [look, nowMs] = [this.looks[env], performance.now()];
    if (this.streams[env] !== stream) Object.assign(look, { nextMs: 0, oftenUntilMs: nowMs + LOST_WITHIN_MS });
    this.streams[env] = stream;
    if (nowMs < look.nextMs) return;
    await this.republish(env, stream);
    await this.published.purge(env, new Date(sharedClock.now().getTime() - KEPT_MS));
    // A replica that was paused may note what it has published to the former stream late.
    look.nextMs = nowMs < look.oftenUntilMs ? 0 : nowMs + LOOK_MS;
  }

  private async republish(env: Environment, stream: string): Promise<void> {
    for (;;) {
      const lost = await this.published.findLost(env, stream, REPUBLISHED_BATCHES);
      if (lost.length === 0) return;
      const events = eachOnce(lost.flatMap((batch) => batch.events));
      throwFirst(await this.publisher.publishAll(events));
      await this.published.markIn(
        env,
        stream,
        lost.map(({ _id }) => _id),
      );
      this.logger.warn({ env, count: events.length }, 'events published again: their stream was made anew');
    }
  }

  private async sweepAll(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      for (const models of this.watched) await this.sweepCollection(models[env]);
    }
  }

  private async sweepCollection(model: Model<Aggregate>): Promise<void> {
    const options = { asSystem: 'outbox relay' } as object;
    const now = sharedClock.now();
    const overdue = mongoose.trusted(dueBy(now));
    const left = await findUnlessQuiet<Aggregate, Outboxed>(model, 'outbox', now, () =>
      model.find({ relayAt: overdue }, { outbox: 1 }, options).limit(SWEEP_BATCH).lean(),
    );
    if (left.length === 0) return;
    const ids = mongoose.trusted({ $in: left.map(({ _id }) => _id) });
    await model.updateMany({ _id: ids, relayAt: overdue }, { $set: { relayAt: sharedClock.inMs(RETRY_MS) } }, options);
    for (const document of left) this.send(model, document);
  }
}

/** Events without repetitions, those of one object adjacent and in order: those of one write share a message again. */
function eachOnce(events: readonly BusEvent[]): BusEvent[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  const byObject = Map.groupBy(byId.values(), ({ objectId }) => objectId);
  return [...byObject.values()].flatMap((own) => own.sort((a, b) => a.n - b.n));
}

function throwFirst(outcomes: readonly Outcome[]): void {
  const failed = outcomes.find((outcome) => outcome !== undefined);
  if (failed) throw failed;
}
