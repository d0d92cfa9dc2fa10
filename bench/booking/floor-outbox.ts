import { newId } from '@swim/platform';
import type { Collection, Db } from 'mongodb';
import { eventCopy, type FloorEvent, type Stored } from './floor-documents.ts';

const MARK_MS = 1_500;
const MOST_EVENTS = 32;

/** Published events, and the ids of the documents that are marked then. */
interface Published {
  events: FloorEvent[];
  payments?: string;
  drafts?: string;
  claims?: string;
}

/** What the floor does after its responses: stores a copy of each event for each account, and marks what is published. */
export class FloorOutbox {
  readonly #db: Db;
  readonly #pending = new Set<Promise<unknown>>();
  readonly #sequences = new Map<string, number>();
  #sent: Published[] = [];
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
   * Stores events, and looks for endpoints of webhooks that receive them. The documents that they come from are marked with those of
   * others, a moment later.
   */
  async publish(published: Published) {
    const copies = published.events.flatMap((event) => this.#copiesOf(event));
    await this.#of('events').insertMany(copies);
    await this.#of('webhook_endpoints').findOne({ accountId: { $in: copies.map(({ account }) => account) } });
    this.#sent.push(published);
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
    const sent = this.#sent;
    this.#sent = [];
    const at = new Date();
    const events = sent.flatMap((each) => each.events);
    const batches = Array.from({ length: Math.ceil(events.length / MOST_EVENTS) }, (_, batch) =>
      events.slice(batch * MOST_EVENTS, (batch + 1) * MOST_EVENTS),
    );
    const copies = batches.map((some) => ({ _id: newId('req'), json: JSON.stringify(some), stream: 'bench', at }));
    await this.#of('published').insertMany(copies);
    const idsIn = (name: 'claims' | 'drafts' | 'payments') => sent.flatMap((each) => each[name] ?? []);
    const content = { booking: 1, times: 1, cause: 1, nextAt: 1 };
    await this.#update('drafts', idsIn('drafts'), { $set: { state: 'made', endedAt: at }, $unset: content });
    await this.#update('claims', idsIn('claims'), { $unset: { plan: 1, dueAt: 1 } });
    await this.#update('payments', idsIn('payments'), { $set: { outbox: [] }, $unset: { relayAt: 1 } });
  }

  async #update(name: string, ids: string[], update: object) {
    if (ids.length > 0) await this.#of(name).updateMany({ _id: { $in: ids } }, update);
  }
}
