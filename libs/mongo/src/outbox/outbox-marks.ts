import { type BusEvent, ENVIRONMENTS } from '@swim/contracts';
import { DelayedRun, type Logger, sharedClock } from '@swim/platform';
import mongoose, { type Model } from 'mongoose';
import type { Aggregate } from '../aggregate/aggregate.js';
import type { PublishedEvent, PublishedEvents } from './published-events.js';

// Well before the sweep looks for events after a crash (RELAY_GRACE_MS).
const MARK_MS = 1_500;
const MARKED_AT_ONCE = 500;
// Fewer documents of one revision share a command with those of others.
const LEAST_ALIKE = 16;
const SYSTEM = { asSystem: 'outbox relay' } as object;

/** A document after a write, with the events to publish. */
export interface Outboxed {
  readonly _id: string;
  readonly rev: number;
  readonly outbox: readonly BusEvent[];
  /** The whole outbox at this revision; absent where only a part is known. */
  readonly whole?: readonly BusEvent[] | undefined;
}

/** Fields to set in a document while it has this revision; equal ones are one object. */
export interface Settled {
  readonly _id: string;
  readonly rev: number;
  readonly set: object;
}

/** What is known of a document: its published events by id, its latest revision, and the fields to set. */
interface Mark {
  readonly _id: string;
  readonly published: Map<string, PublishedEvent>;
  latest?: Revision;
  settled?: Settled;
}

/** A revision of a document, and the ids of all events in its outbox; absent where only a part is known. */
interface Revision {
  readonly rev: number;
  readonly whole: readonly string[] | undefined;
}

/** By document id. */
type Marks = Map<string, Mark>;

/** Published events that no document contains, and who waits for their copies. */
interface Apart {
  readonly published: readonly PublishedEvent[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** An update of all documents of one revision. */
interface Alike {
  rev: number;
  set: object | undefined;
  marks: Mark[];
}

/** Batches the copies of published events, and their removal from their outboxes, outside the requests. */
export class OutboxMarks {
  private readonly noted = new Map<Model<Aggregate>, Marks>();
  private apart: Apart[] = [];
  /** Those that are being written. */
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

  /** Notes events that are published, of a document that has contained them since this revision or before. */
  notePublished(model: Model<Aggregate>, document: Outboxed, published: readonly PublishedEvent[]): void {
    if (published.length === 0) return;
    const mark = this.markOf(model, document._id);
    for (const each of published) mark.published.set(each.id, each);
    mark.latest = revisionOf(document);
  }

  /** Whether an event of a document is published, and is about to be removed from its outbox. */
  isPublished(model: Model<Aggregate>, _id: string, eventId: string): boolean {
    return [this.noted, this.writing].some((marks) => marks.get(model)?.get(_id)?.published.has(eventId));
  }

  /** Notes a later revision of a document whose published events are not removed yet. */
  noteRevision(model: Model<Aggregate>, document: Outboxed): void {
    const mark = this.noted.get(model)?.get(document._id);
    if (mark?.latest && mark.latest.rev < document.rev) mark.latest = revisionOf(document);
  }

  /** Notes fields to set. */
  noteSettled(model: Model<Aggregate>, settled: Settled): void {
    this.markOf(model, settled._id).settled = settled;
  }

  /** Copies published events that no document contains, with those of others; resolves once the copies are stored. */
  copy(published: readonly PublishedEvent[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.apart.push({ published, resolve, reject });
    this.marking.request();
    return promise;
  }

  private markOf(model: Model<Aggregate>, _id: string): Mark {
    const marks = this.noted.get(model) ?? this.noted.set(model, new Map()).get(model)!;
    const mark = marks.get(_id) ?? { _id, published: new Map() };
    marks.set(_id, mark);
    this.marking.request();
    return mark;
  }

  private async mark(): Promise<void> {
    const batches = [...this.noted];
    const { apart } = this;
    this.writing = new Map(batches);
    this.noted.clear();
    this.apart = [];
    try {
      const marked = batches.flatMap(([, marks]) => [...marks.values()]);
      const ofDocuments = marked.flatMap(({ published }) => [...published.values()]);
      await this.keep([...ofDocuments, ...apart.flatMap(({ published }) => published)]);
      for (const { resolve } of apart) resolve();
      for (const [model, marks] of batches) await this.markIn(model, [...marks.values()]);
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

  private async markIn(model: Model<Aggregate>, marks: Mark[]): Promise<void> {
    const emptied = alikeBy(marks, emptiedAt).filter(({ set, marks }) => set || marks.length >= LEAST_ALIKE);
    const left = new Set(marks);
    for (const alike of emptied)
      if (await this.setAll(model, alike, { $set: { outbox: [], ...alike.set }, $unset: { relayAt: 1 } }))
        for (const mark of alike.marks) left.delete(mark);
    for (const alike of alikeBy([...left], settledAt)) await this.setAll(model, alike, { $set: alike.set });
    for (const some of slicesOf([...left].filter(({ published }) => published.size > 0))) await this.pull(model, some);
  }

  /** Updates documents of one revision; false when one has changed since. */
  private async setAll(model: Model<Aggregate>, { rev, marks }: Alike, update: object): Promise<boolean> {
    const { matchedCount } = await model.updateMany({ _id: among(marks), rev }, update, SYSTEM);
    return matchedCount === marks.length;
  }

  /** Removes the published events from outboxes that may have others. */
  private async pull(model: Model<Aggregate>, marks: Mark[]): Promise<void> {
    const ids = marks.flatMap(({ published }) => [...published.keys()]);
    const rest = {
      $filter: { input: { $ifNull: ['$outbox', []] }, as: 'event', cond: { $not: [{ $in: ['$$event.id', ids] }] } },
    };
    const relayAt = { $cond: [{ $eq: [{ $size: '$outbox' }, 0] }, '$$REMOVE', '$relayAt'] };
    await model.updateMany({ _id: among(marks) }, [{ $set: { outbox: rest } }, { $set: { relayAt } }], {
      ...SYSTEM,
      updatePipeline: true,
    });
  }
}

/**
 * The revision at which a document's outbox has only published events; null when that is unknown. Each write that adds events
 * increments the revision: as long as it is the same, the outbox can be emptied.
 */
const emptiedAt = ({ latest, published }: Mark): number | null =>
  latest?.whole?.every((id) => published.has(id)) ? latest.rev : null;

const revisionOf = ({ rev, whole }: Outboxed): Revision => ({ rev, whole: whole?.map(({ id }) => id) });

const settledAt = ({ settled }: Mark): number | null => settled?.rev ?? null;

/** Updates of at most 500 documents each: of those with the same revision, and the same fields to set at this revision. */
function alikeBy(marks: readonly Mark[], revOf: (mark: Mark) => number | null): Alike[] {
  const withRev = marks.filter((mark) => revOf(mark) !== null);
  const setOf = (mark: Mark) => (settledAt(mark) === revOf(mark) ? mark.settled!.set : undefined);
  return [...Map.groupBy(withRev, (mark) => revOf(mark)!)].flatMap(([rev, own]) =>
    [...Map.groupBy(own, setOf)].flatMap(([set, alike]) => [...slicesOf(alike)].map((marks) => ({ rev, set, marks }))),
  );
}

const among = (marks: Mark[]) => mongoose.trusted({ $in: marks.map(({ _id }) => _id) });

function* slicesOf<T>(all: T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += MARKED_AT_ONCE) yield all.slice(from, from + MARKED_AT_ONCE);
}
