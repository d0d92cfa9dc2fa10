import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENTS } from '@swim/contracts';
import { Periodic } from '@swim/mongo';
import { DelayedRun, eventsTotal, inEnvironment, LOGGER, type Logger } from '@swim/platform';
import { chainsOf } from '../event.rules.js';
import type { IncomingEvent } from '../incoming-event.js';
import { EventStorageService } from './event-storage.service.js';
import { type Waiting, WaitingEventsRepository } from './waiting-events.repository.js';

const INTERVAL_MS = 1_000;
// Usually another replica is storing the predecessor at the same time.
const FIRST_LOOK_MS = 100;
const PAGE = 100;
const RETRY_SECONDS = 30;

/**
 * Events that arrived before their predecessor. The replica that stores one looks for its predecessor soon after, and every replica
 * each second: storing an event therefore needs no look-up of a waiting successor. Safe to run on several replicas.
 */
@Injectable()
export class WaitingEventsService implements BeforeApplicationShutdown {
  private readonly soon = new DelayedRun(FIRST_LOOK_MS, () => this.storeSoon());
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly waiting: WaitingEventsRepository,
    private readonly storage: EventStorageService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.soon.stop();
  }

  /** Keeps an event until its predecessor is stored. */
  async keep(event: IncomingEvent): Promise<void> {
    await this.waiting.insert(event);
    this.soon.request();
  }

  /** Stores the events whose predecessor is stored by now, and those that have waited long enough. */
  @Periodic('waiting events', INTERVAL_MS)
  storeAll(): Promise<void> {
    this.running = this.running
      .catch(() => undefined)
      .then(async () => {
        for (const env of ENVIRONMENTS) await inEnvironment(env, () => this.storeIn());
      });
    return this.running;
  }

  private async storeSoon(): Promise<void> {
    await this.storeAll().catch((error) => this.logger.warn({ err: error }, 'waiting events not stored yet'));
  }

  // All of them, page by page: those that wait for long must not block the others.
  private async storeIn(): Promise<void> {
    let page: Waiting[];
    let after = '';
    do {
      page = await this.waiting.findAfter(after, PAGE);
      if (page.length === 0) return;
      after = page.at(-1)!.id;
      const stored = await this.storeReady(page.map(({ event }) => event));
      for (const { event, isOverdue } of page) if (isOverdue && !stored.has(event)) await this.storeOne(event);
    } while (page.length === PAGE);
  }

  /** Stores those whose predecessor is stored, and those that follow them; returns what it stored. */
  private async storeReady(events: IncomingEvent[]): Promise<Set<IncomingEvent>> {
    const chains = chainsOf(events);
    const ready = await this.storage.findReady(chains.map(([first]) => first!));
    const stored = new Set<IncomingEvent>();
    for (const chain of chains.filter(([first]) => ready.has(first!))) {
      try {
        await this.storage.store(chain);
        await this.waiting.deleteAll(chain);
        for (const event of chain) stored.add(event);
      } catch (error) {
        this.logger.warn({ err: error, objectId: chain[0]!.objectId }, 'waiting events not stored yet');
      }
    }
    return stored;
  }

  // A failing event is postponed, so that it does not block others.
  private async storeOne(event: IncomingEvent): Promise<void> {
    try {
      await this.storeOverdue(event);
    } catch (error) {
      this.logger.warn({ err: error, eventId: event.id, objectId: event.objectId }, 'overdue event not stored yet');
      await this.waiting.putOff(event, RETRY_SECONDS);
    }
  }

  /** Stores an event that has waited long enough, after the waiting events of its object before it. */
  private async storeOverdue({ objectId, n }: IncomingEvent): Promise<void> {
    let first = await this.waiting.find(objectId, n);
    for (let before = first; before; before = await this.waiting.find(objectId, first.n - 1)) first = before;
    if (!first) return;
    if (!(await this.storage.findReady([first])).has(first)) {
      eventsTotal.inc({ outcome: 'out_of_order' });
      const { id: eventId, type: eventType } = first;
      this.logger.error({ eventId, eventType, objectId }, 'event stored although the one before it never came');
    }
    await this.storage.store([first]);
    await this.waiting.deleteAll([first]);
  }
}
