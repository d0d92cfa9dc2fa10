import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENTS } from '@swim/contracts';
import { EventPublisher, KeyedQueue, LOGGER } from '@swim/messaging';
import { eventsTotal, type Logger, Sweep } from '@swim/platform';
import mongoose, { type Model } from 'mongoose';
import type { Aggregate } from './aggregate.js';
import type { EnvironmentModels } from './databases.js';

const MARK_MS = 50;
const SWEEP_MS = 1_000;
const SWEEP_BATCH = 200;
const RETRY_MS = 5_000;

type Outboxed = Pick<Aggregate, '_id' | 'outbox'>;
type Marks = Map<string, string[]>;

/**
 * Publishes what aggregates keep in their outboxes: at once after the write, and by a sweep each second what a crash or
 * an outage left. An event leaves its outbox only after JetStream has stored it; publishing twice is harmless.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly watched: EnvironmentModels<Aggregate>[] = [];
  private readonly sent = new Map<Model<Aggregate>, Marks>();
  private readonly queue = new KeyedQueue();
  private readonly publishing = new Set<Promise<void>>();
  private marker: NodeJS.Timeout | undefined;
  private marking: Promise<void> = Promise.resolve();
  private readonly sweep: Sweep;

  constructor(
    private readonly publisher: EventPublisher,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sweep = new Sweep('outbox', SWEEP_MS, () => this.sweepAll(), logger);
  }

  /** Has the sweep look after this collection. */
  watch(models: EnvironmentModels<Aggregate>): void {
    this.watched.push(models);
  }

  /** Publishes these events of a document now, after earlier ones of the same document. Failures are the sweep's. */
  send(model: Model<Aggregate>, { _id, outbox }: Outboxed): void {
    if (!outbox?.length) return;
    const work: Promise<void> = this.queue
      .run(_id, () => this.publish(model, { _id, outbox }))
      .catch((error) => this.logger.warn({ err: error, objectId: _id }, 'event not published yet'))
      .finally(() => this.publishing.delete(work));
    this.publishing.add(work);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
    await Promise.allSettled(this.publishing);
    clearTimeout(this.marker);
    await this.mark();
  }

  private async publish(model: Model<Aggregate>, { _id, outbox }: Outboxed): Promise<void> {
    for (const event of outbox) {
      await this.publisher.publish(event);
      eventsTotal.inc({ outcome: 'published' });
      const marks = this.sent.get(model) ?? this.sent.set(model, new Map()).get(model)!;
      marks.set(_id, [...(marks.get(_id) ?? []), event.id]);
      this.marker ??= setTimeout(() => void this.mark(), MARK_MS);
    }
  }

  // Marks come one after the other, so that whoever waits for the last has waited for all.
  private mark(): Promise<void> {
    this.marker = undefined;
    this.marking = this.marking.then(() => this.markSent());
    return this.marking;
  }

  // One update takes what was published in a moment out of all its documents: the mark is off the request's path.
  private async markSent(): Promise<void> {
    const batches = [...this.sent];
    this.sent.clear();
    for (const [model, marks] of batches) {
      const ids = [...marks.values()].flat();
      const rest = {
        $filter: { input: { $ifNull: ['$outbox', []] }, as: 'event', cond: { $not: [{ $in: ['$$event.id', ids] }] } },
      };
      const relayAt = { $cond: [{ $eq: [{ $size: '$outbox' }, 0] }, '$$REMOVE', '$relayAt'] };
      try {
        await model.updateMany(
          { _id: mongoose.trusted({ $in: [...marks.keys()] }) },
          [{ $set: { outbox: rest } }, { $set: { relayAt } }],
          {
            asSystem: 'outbox relay',
            updatePipeline: true,
          } as object,
        );
      } catch (error) {
        this.logger.warn({ err: error }, 'published events not marked yet');
      }
    }
  }

  private async sweepAll(): Promise<void> {
    for (const models of this.watched) {
      for (const env of ENVIRONMENTS) await this.sweepCollection(models[env]);
    }
  }

  private async sweepCollection(model: Model<Aggregate>): Promise<void> {
    const options = { asSystem: 'outbox relay' } as object;
    const overdue = mongoose.trusted({ $lt: new Date() });
    const left = (await model
      .find({ relayAt: overdue }, { outbox: 1 }, options)
      .limit(SWEEP_BATCH)
      .lean()) as unknown as Outboxed[];
    if (left.length === 0) return;
    const ids = mongoose.trusted({ $in: left.map(({ _id }) => _id) });
    await model.updateMany(
      { _id: ids, relayAt: overdue },
      { $set: { relayAt: new Date(Date.now() + RETRY_MS) } },
      options,
    );
    for (const document of left) this.send(model, document);
  }
}
