import { Injectable } from '@nestjs/common';
import { currentEnvironment, KeyedQueue, Recent } from '@swim/platform';
import { type Copy, toDocument } from './event.mapper.js';
import type { EventDocument } from './event.schema.js';
import { EventsRepository } from './events.repository.js';
import { NO_MORE, PurgedAccountsRepository } from './removed/purged-accounts.repository.js';

const REMEMBERED_ACCOUNTS = 20_000;
const MAX_RACES = 200;

type Unnumbered = Omit<EventDocument, 'sequence'>;

/**
 * Assigns sequences to an account's events, unique and without gaps by the database alone: an event takes a number by being
 * inserted under it, and only the number after a stored one is tried. A batch is inserted with one command, in order and up to
 * the first failure. The purge frees numbers, and a replica may have read the highest number long before its insert. So the
 * purge stores its position well before it removes events, and after an insert the replica checks whether its numbers are below
 * it. Caches reduce the usual case to one insert.
 */
@Injectable()
export class NumberingService {
  private readonly queue = new KeyedQueue();
  /** Account → a sequence that was stored once, usually the highest. */
  private readonly last = new Recent<number>(REMEMBERED_ACCOUNTS);

  constructor(
    private readonly events: EventsRepository,
    private readonly purged: PurgedAccountsRepository,
  ) {}

  /**
   * Stores the copies of one environment under the next sequences of their accounts, in order per account; already stored ones
   * stay. Returns those that are not stored, since their account is being erased.
   */
  async store(copies: readonly Copy[]): Promise<Copy[]> {
    // All replicas lock in one order, to avoid deadlocks.
    const byAccount = copies.toSorted((a, b) => (a.account < b.account ? -1 : Number(a.account > b.account)));
    const documents = byAccount.map(toDocument);
    const closed = await this.queue.run(currentEnvironment(), () => this.insertAll(documents));
    return copies.filter(({ account }) => closed.has(account));
  }

  /** Returns the accounts that get no more events. */
  private async insertAll(documents: Unnumbered[]): Promise<Set<string>> {
    const closed = new Set<string>();
    let rest = documents;
    for (let race = 0; rest.length > 0; race++) {
      if (race > MAX_RACES + documents.length)
        throw new Error(`Other replicas took every sequence that was tried for ${rest[0]!._id}.`);
      const numbered = await this.number(rest, closed);
      const count = await this.events.insertInOrder(numbered);
      const retracted = await this.retractPurged(numbered.slice(0, count));
      rest = [...retracted, ...(await this.notStored(numbered.slice(count)))].sort(inOrderOf(documents));
    }
    const late = documents.filter(({ account }) => closed.has(account));
    if (late.length > 0) await this.events.removeClosed(late.map(({ _id }) => _id));
    return closed;
  }

  /**
   * Numbers each document after the previous one; cached sequences are dropped until they are stored. Documents of an account
   * that gets no more events are omitted, and the account is added to `closed`.
   */
  private async number(documents: Unnumbered[], closed: Set<string>): Promise<EventDocument[]> {
    const env = currentEnvironment();
    const accounts = [...new Set(documents.map(({ account }) => account))];
    const lasts = await Promise.all(accounts.map((account) => this.findLast(account)));
    const next = new Map(accounts.map((account, index) => [account, lasts[index]! + 1]));
    for (const account of accounts) this.last.forget(`${env}|${account}`);
    for (const [index, account] of accounts.entries()) if (lasts[index]! >= NO_MORE) closed.add(account);
    return documents.flatMap((document) => {
      if (closed.has(document.account)) return [];
      const sequence = next.get(document.account)!;
      next.set(document.account, sequence + 1);
      return [{ ...document, sequence }];
    });
  }

  /** Removes and returns those whose number belonged to a purged event; caches the sequences of the others. */
  private async retractPurged(inserted: EventDocument[]): Promise<EventDocument[]> {
    const env = currentEnvironment();
    const accounts = [...new Set(inserted.map(({ account }) => account))];
    const found = await Promise.all(accounts.map((account) => this.purged.findRecentThrough(account)));
    const through = new Map(accounts.map((account, index) => [account, found[index]!]));
    const isPurged = ({ account, sequence }: EventDocument) => sequence <= through.get(account)!;
    const purged = inserted.filter(isPurged);
    for (const { _id, sequence } of purged) await this.events.retract(_id, sequence);
    for (const { account, sequence } of inserted) this.last.set(`${env}|${account}`, sequence);
    for (const { account } of purged) this.last.forget(`${env}|${account}`);
    return purged;
  }

  /**
   * Those that were not stored before; the first of them has met a taken id or number. A replica may have ended before it removed
   * an event whose number belonged to a purged one: that event is removed now, and not stored either.
   */
  private async notStored(documents: EventDocument[]): Promise<EventDocument[]> {
    const env = currentEnvironment();
    const [failed] = documents;
    if (!failed) return [];
    this.last.forget(`${env}|${failed.account}`);
    const found = await this.events.findAll(documents.map(({ _id }) => _id));
    const stored = new Set(found.map(({ _id }) => _id));
    for (const { _id, sequence } of await this.purged.findMisnumbered(found)) {
      await this.events.retract(_id, sequence);
      stored.delete(_id);
    }
    return documents.filter(({ _id }) => !stored.has(_id));
  }

  private async findLast(account: string): Promise<number> {
    const env = currentEnvironment();
    const known = this.last.get(`${env}|${account}`);
    if (known !== undefined) return known;
    const through = await this.purged.findRecentThrough(account);
    return Math.max(through, await this.events.findLastSequence(account));
  }
}

function inOrderOf(documents: readonly Unnumbered[]): (a: Unnumbered, b: Unnumbered) => number {
  const places = new Map(documents.map(({ _id }, index) => [_id, index]));
  return (a, b) => places.get(a._id)! - places.get(b._id)!;
}
