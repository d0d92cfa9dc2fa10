import type { Collection, Db } from 'mongodb';
import { eventCopy, type FloorEvent, type Stored } from './floor-documents.ts';

const MARK_MS = 1_500;

/** A document whose outbox has been published. */
export interface Mark {
  _id: string;
  outbox: FloorEvent[];
}

type SentName = 'bookings' | 'payments' | 'sessions';

const none = (): Record<SentName, Mark[]> => ({ bookings: [], payments: [], sessions: [] });

/** What the floor does after its responses: stores a copy of each event for each account, and marks what is published. */
export class FloorOutbox {
  readonly #db: Db;
  readonly #pending = new Set<Promise<unknown>>();
  readonly #sequences = new Map<string, number>();
  #sent = none();
  #marker: NodeJS.Timeout | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  /** @returns pieces of work that continue after their responses. */
  get pending(): number {
    return this.#pending.size + (this.#marker ? 1 : 0);
  }

  /** Runs work after the response. */
  goOn(work: () => Promise<unknown>) {
    const going = work()
      .catch((error: Error) => console.error(error.message))
      .finally(() => this.#pending.delete(going));
    this.#pending.add(going);
  }

  /**
   * Stores the events of documents, and looks for endpoints of webhooks that receive them. Their outboxes are marked with those of
   * others, a moment later.
   */
  async publish(documents: Partial<Record<SentName, Mark>>) {
    const marks = Object.entries(documents) as [SentName, Mark][];
    const copies = marks.flatMap(([, { outbox }]) => outbox.flatMap((event) => this.#copiesOf(event)));
    await this.#of('events').insertMany(copies);
    await this.#of('webhook_endpoints').findOne({ accountId: { $in: copies.map(({ account }) => account) } });
    for (const [name, { _id, outbox }] of marks) this.#sent[name].push({ _id, outbox });
    this.#marker ??= setTimeout(() => this.goOn(() => this.#markAll()), MARK_MS);
  }

  #of(name: string): Collection<Stored> {
    return this.#db.collection<Stored>(name);
  }

  #copiesOf(event: FloorEvent) {
    return event.audience.map((account) => {
      const sequence = (this.#sequences.get(account) ?? 0) + 1;
      this.#sequences.set(account, sequence);
      return eventCopy(event, account, sequence);
    });
  }

  async #markAll() {
    this.#marker = null;
    const sent = Object.entries(this.#sent) as [SentName, Mark[]][];
    this.#sent = none();
    for (const [name, marks] of sent.filter((each) => each[1].length > 0)) {
      const published = marks.flatMap(({ outbox }) => outbox);
      const ids = published.map(({ id }) => id);
      const at = new Date();
      await this.#of('published').insertMany(published.map((event) => ({ _id: event.id, event, stream: 'bench', at })));
      const rest = { $filter: { input: '$outbox', as: 'event', cond: { $not: [{ $in: ['$$event.id', ids] }] } } };
      const relayAt = { $cond: [{ $eq: [{ $size: '$outbox' }, 0] }, '$$REMOVE', '$relayAt'] };
      const filter = { _id: { $in: marks.map(({ _id }) => _id) } };
      await this.#of(name).updateMany(filter, [{ $set: { outbox: rest } }, { $set: { relayAt } }]);
    }
  }
}
