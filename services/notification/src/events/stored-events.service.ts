import { Injectable } from '@nestjs/common';
import { type AccountEvent, accountEvent, withKinds } from '@swim/contracts';
import { currentEnvironment } from '@swim/platform';
import { toAccountEvent, type UnnumberedEvent } from './event.mapper.js';
import type { EventDocument, EventRange, ObjectEvents } from './event.schema.js';
import { EventsRepository } from './events.repository.js';
import { NO_MORE, PurgedAccountsRepository } from './removed/purged-accounts.repository.js';

/** One account's copy of an event that is stored. */
export interface StoredEvent {
  id: string;
  account: string;
  type: string;
}

/** A copy that has just been stored, with its content: no listener has to read it back. */
export interface AnnouncedEvent extends StoredEvent {
  occurredAt: Date;
  /** Whether nobody is to be written to about it. */
  isQuiet: boolean;
  /** Whether no other account has a copy. */
  isOnly: boolean;
  read(): UnnumberedEvent;
}

export interface EventContent {
  /** Its JSON, as `GET /events` answers it. */
  body: string;
  /** The trace that it belongs to; null without one. */
  traceparent: string | null;
}

type Listener = (events: readonly AnnouncedEvent[]) => Promise<void>;

/**
 * Hands stored events to other features, and reads them for these. A listener gets every event at least once: before the
 * event is acknowledged, and again when it is delivered again.
 */
@Injectable()
export class StoredEventsService {
  private readonly listeners: Listener[] = [];

  constructor(
    private readonly events: EventsRepository,
    private readonly purged: PurgedAccountsRepository,
  ) {}

  /** Adds a listener. An event is acknowledged once all listeners have resolved; when one fails, it is delivered again. */
  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Hands stored events to all listeners. */
  async announce(events: readonly AnnouncedEvent[]): Promise<void> {
    if (events.length > 0) await Promise.all(this.listeners.map((listener) => listener(events)));
  }

  /** Events by id, as webhooks send them; without those that are purged or not stored. */
  async findContents(ids: readonly string[]): Promise<Map<string, EventContent>> {
    const env = currentEnvironment();
    const found = await this.withoutPurged(await this.events.findAll(ids));
    const contentOf = (event: EventDocument): EventContent => ({
      body: JSON.stringify(withKinds(accountEvent, toAccountEvent(event, env))),
      traceparent: event.cause.traceparent ?? null,
    });
    return new Map(found.map((event) => [event._id, contentOf(event)]));
  }

  /** The newest event of an object; null without one. Reads of one moment share a query. */
  async findNewest(of: ObjectEvents): Promise<AccountEvent | null> {
    const newest = await this.events.findNewest(of);
    return newest && toAccountEvent(newest, currentEnvironment());
  }

  /** The sequence of the account's newest event; 0 without one. */
  async findLastSequence(account: string): Promise<number> {
    const [last, through] = await Promise.all([
      this.events.findLastSequence(account),
      this.purged.findThrough(account),
    ]);
    return Math.max(last, through);
  }

  /** Whether the account's erasure has begun here: nothing is stored for it any more. */
  private async isErased(account: string): Promise<boolean> {
    return (await this.purged.findRecentThrough(account)) === NO_MORE;
  }

  /** The entries whose accounts are not erased. */
  async withoutErased<E extends { account_id: string }>(entries: readonly E[]): Promise<E[]> {
    const accounts = [...new Set(entries.map(({ account_id }) => account_id))];
    const areErased = await Promise.all(accounts.map((account) => this.isErased(account)));
    const erased = new Set(accounts.filter((_, index) => areErased[index]));
    return entries.filter(({ account_id }) => !erased.has(account_id));
  }

  /** How many events are in a range, without those that are purged. */
  async count(range: EventRange): Promise<number> {
    return this.events.countIn(await this.unpurged(range));
  }

  /** The first events of a range that are not purged, in ascending order, each with its sequence. */
  async findFirst(range: EventRange, limit: number): Promise<(StoredEvent & { sequence: number })[]> {
    const found = await this.events.findIn(await this.unpurged(range), limit);
    return found.map(({ _id, account, type, sequence }) => ({ id: _id, account, type, sequence }));
  }

  // A reset raises the purge's position and leaves the events stored: what reads them has to leave out those up to it.
  private async unpurged(range: EventRange): Promise<EventRange> {
    return { ...range, after: Math.max(range.after, await this.purged.findThrough(range.account)) };
  }

  private async withoutPurged(events: readonly EventDocument[]): Promise<EventDocument[]> {
    const accounts = [...new Set(events.map(({ account }) => account))];
    const positions = await Promise.all(accounts.map((account) => this.purged.findThrough(account)));
    const throughOf = new Map(accounts.map((account, index) => [account, positions[index]!]));
    return events.filter(({ account, sequence }) => sequence > throughOf.get(account)!);
  }
}
