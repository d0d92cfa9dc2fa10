import { Injectable } from '@nestjs/common';
import { KeyedQueue } from '@swim/messaging';
import { toDocument } from './event.mapper.js';
import { EventsRepository } from './events.repository.js';
import type { IncomingEvent } from './incoming-event.js';
import { Recent } from './recent.js';

const REMEMBERED_ACCOUNTS = 20_000;
const MAX_RACES = 200;

/**
 * Gives an account's events their sequence. That it has neither gaps nor doubles is the database's doing alone: a number is
 * taken by inserting the event under it, and only the one that follows the highest stored is ever tried. The queue and what
 * is remembered make the usual case one insert.
 */
@Injectable()
export class NumberingService {
  private readonly queue = new KeyedQueue();
  /** Account → a sequence that is certainly stored, at best the highest. */
  private readonly last = new Recent<number>(REMEMBERED_ACCOUNTS);

  constructor(private readonly events: EventsRepository) {}

  /** Stores the account's copy under the next sequence, unless it is stored already. */
  async store(event: IncomingEvent, account: string, copies: number): Promise<void> {
    const key = `${event.env}|${account}`;
    await this.queue.run(key, () => this.insertNext(key, event, account, copies));
  }

  private async insertNext(key: string, event: IncomingEvent, account: string, copies: number): Promise<void> {
    const document = toDocument(event, account, copies);
    for (let race = 0; race < MAX_RACES; race++) {
      const last = this.last.get(key) ?? (await this.events.findLastSequence(event.env, account));
      const outcome = await this.events.insert(event.env, { ...document, sequence: last + 1 });
      if (outcome === 'stored') return this.last.set(key, last + 1);
      if (outcome === 'known') return;
      this.last.forget(key);
    }
    throw new Error(`Other replicas took every sequence that was tried for ${event.id}.`);
  }
}
