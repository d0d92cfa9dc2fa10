import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { Batches, type Outcome, TooEarly } from '@swim/platform';
import { chainsOf } from './event.rules.js';
import { EventStorageService } from './event-storage.service.js';
import type { IncomingEvent } from './incoming-event.js';
import { WaitingEventsService } from './waiting-events.service.js';

// Half of the maximum of unacknowledged events, so that the next batch fills while one is stored; the wait collects the events
// of one request.
const GATHERED = { mostItems: 128, waitMs: 50 };

type Outcomes = Map<IncomingEvent, Outcome>;

/** Stores each event once for each account of its audience, in the order of the object's events, in batches. */
@Injectable()
export class IncomingEventsService {
  private readonly batches: Record<Environment, Batches<IncomingEvent>> = {
    live: this.batchesOf('live'),
    test: this.batchesOf('test'),
  };

  constructor(
    private readonly storage: EventStorageService,
    private readonly waiting: WaitingEventsService,
  ) {}

  /**
   * Stores a copy for each account of the audience. Idempotent. While the predecessor, of the same object, is not stored for
   * its whole audience, the event is kept as waiting, so that events of other objects are not blocked.
   */
  accept(event: IncomingEvent): Promise<void> {
    return this.batches[event.env].add(event);
  }

  private batchesOf(env: Environment): Batches<IncomingEvent> {
    return new Batches((events) => this.handleAll(env, events), GATHERED);
  }

  private async handleAll(env: Environment, events: IncomingEvent[]): Promise<Outcome[]> {
    const outcomes: Outcomes = new Map();
    const chains = chainsOf(events);
    const ready = await this.findReady(env, chains);
    const starts = chains.map((chain) => chain.findIndex((event) => ready.has(event)));
    const early = chains.map((chain, index) => chain.slice(0, starts[index]! < 0 ? undefined : starts[index]!));
    const storable = chains.map((chain, index) => (starts[index]! < 0 ? [] : chain.slice(starts[index]!)));
    await Promise.all(early.flat().map((event) => this.keepWaiting(event, outcomes)));
    await this.storage.store(env, storable.flat()).catch(() => this.storeApart(env, storable, outcomes));
    return events.map((event) => outcomes.get(event));
  }

  /**
   * The events whose predecessor is stored: nearly always the first of each chain. Otherwise a later one may be: its predecessor in
   * the chain is then repeated, and what came before was purged.
   */
  private async findReady(env: Environment, chains: IncomingEvent[][]): Promise<Set<IncomingEvent>> {
    const firsts = chains.map(([first]) => first!);
    const ready = await this.storage.findReady(env, firsts);
    const later = chains.filter(([first]) => !ready.has(first!)).flatMap(([, ...rest]) => rest);
    return later.length === 0 ? ready : new Set([...ready, ...(await this.storage.findReady(env, later))]);
  }

  private async keepWaiting(event: IncomingEvent, outcomes: Outcomes): Promise<void> {
    await this.waiting.keep(event).catch((error) => outcomes.set(event, error as Error));
  }

  /**
   * After a failed batch: stores each chain of events by itself, so that one failing event does not block other objects.
   */
  private async storeApart(env: Environment, chains: IncomingEvent[][], outcomes: Outcomes): Promise<void> {
    for (const chain of chains) {
      let failed = false;
      for (const event of chain) {
        if (failed) outcomes.set(event, new TooEarly('The event before it could not be stored.'));
        else {
          await this.storage.store(env, [event]).catch((error) => {
            outcomes.set(event, error as Error);
            failed = true;
          });
        }
      }
    }
  }
}
