import { type BusEvent, ENVIRONMENTS } from '@swim/contracts';
import { DelayedRun, type Logger, sharedClock } from '@swim/platform';
import mongoose, { type Model } from 'mongoose';
import type { Aggregate } from '../aggregate/aggregate.js';
import type { PublishedEvent, PublishedEvents } from './published-events.js';

// Well before the sweep looks for events after a crash (RELAY_GRACE_MS).
const MARK_MS = 1_500;
const MARKED_AT_ONCE = 100;
const SYSTEM = { asSystem: 'outbox relay' } as object;

/** A document after a write, with the events to publish. */
export interface Outboxed {
  readonly _id: string;
  readonly outbox: readonly BusEvent[];
}

/** The published events of documents: by the id of the document, then by that of the event. */
type Marks = Map<string, Map<string, PublishedEvent>>;

/** Published events that no document contains, and who waits for their copies. */
interface Apart {
  readonly published: readonly PublishedEvent[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Batches the copies of published events, and their removal from their outboxes, outside the requests. */
export class OutboxMarks {
  private readonly noted = new Map<Model<Aggregate>, Marks>();
  private apart: Apart[] = [];
  /** The marks that are being written. */
  private writing: ReadonlyMap<Model<Aggregate>, Marks> = new Map();
  private readonly marking = new DelayedRun(MARK_MS, () => this.mark());

  constructor(
    private readonly published: PublishedEvents,
    private readonly logger: Logger,
  ) {}

  /** Ends when nothing that was noted before is left to write. */
  flush(): Promise<void> {
    return this.marking.flush();
  }

  /** Notes events of a document that are published. */
  notePublished(model: Model<Aggregate>, _id: string, published: readonly PublishedEvent[]): void {
    if (published.length === 0) return;
    const marks = this.noted.get(model) ?? new Map();
    this.noted.set(model, marks);
    const ofDocument = marks.get(_id) ?? new Map();
    marks.set(_id, ofDocument);
    for (const each of published) ofDocument.set(each.id, each);
    this.marking.request();
  }

  /** Whether an event of a document is published, and is about to be removed from its outbox. */
  isPublished(model: Model<Aggregate>, _id: string, eventId: string): boolean {
    return [this.noted, this.writing].some((marks) => marks.get(model)?.get(_id)?.has(eventId));
  }

  /** Copies published events that no document contains, with those of others; resolves once the copies are stored. */
  copy(published: readonly PublishedEvent[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.apart.push({ published, resolve, reject });
    this.marking.request();
    return promise;
  }

  private async mark(): Promise<void> {
    const batches = [...this.noted];
    const { apart } = this;
    this.writing = new Map(batches);
    this.noted.clear();
    this.apart = [];
    try {
      const ofDocuments = batches.flatMap(([, marks]) => [...marks.values()].flatMap((events) => [...events.values()]));
      await this.keep([...ofDocuments, ...apart.flatMap(({ published }) => published)]);
      for (const { resolve } of apart) resolve();
      for (const [model, marks] of batches) for (const some of slicesOf([...marks])) await removePublished(model, some);
    } catch (error) {
      this.logger.warn({ err: error }, 'published events not marked yet');
      for (const { reject } of apart) reject(error);
    } finally {
      this.writing = new Map();
    }
  }

  private async keep(published: readonly PublishedEvent[]): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const own = published.filter((each) => each.env === env);
      if (own.length > 0) await this.published.insert(env, own, sharedClock.now());
    }
  }
}

/** Removes published events from the outboxes of documents, which may have others. */
async function removePublished(
  model: Model<Aggregate>,
  marks: readonly (readonly [string, ReadonlyMap<string, PublishedEvent>])[],
): Promise<void> {
  const documentIds = marks.map(([_id]) => _id);
  const eventIds = marks.flatMap(([, events]) => [...events.keys()]);
  const rest = {
    $filter: { input: { $ifNull: ['$outbox', []] }, as: 'event', cond: { $not: [{ $in: ['$$event.id', eventIds] }] } },
  };
  const relayAt = { $cond: [{ $eq: [{ $size: '$outbox' }, 0] }, '$$REMOVE', '$relayAt'] };
  await model.updateMany(
    { _id: mongoose.trusted({ $in: documentIds }) },
    [{ $set: { outbox: rest } }, { $set: { relayAt } }],
    { ...SYSTEM, updatePipeline: true },
  );
}

function* slicesOf<T>(all: T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += MARKED_AT_ONCE) yield all.slice(from, from + MARKED_AT_ONCE);
}
