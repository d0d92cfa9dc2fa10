import { Injectable } from '@nestjs/common';
import type { BusEvent, Environment } from '@swim/contracts';
import { OnEveryEvent } from '@swim/messaging';
import { Batches, inEnvironment, type Outcome, TooEarly } from '@swim/platform';
import { chainsOf } from '../event.rules.js';
import { type IncomingEvent, readEvent } from '../incoming-event.js';
import { EventStorageService } from './event-storage.service.js';
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
  @OnEveryEvent()
  async accept(event: BusEvent): Promise<void> {
    await this.batches[event.env].add(readEvent(event));
  }

  private batchesOf(env: Environment): Batches<IncomingEvent> {
    return new Batches((events) => inEnvironment(env, () => this.handleAll(events)), GATHERED);
  }

  private async handleAll(events: IncomingEvent[]): Promise<Outcome[]> {
    const outcomes: Outcomes = new Map();
    const chains = chainsOf(events);
    const ready = await this.storage.findReady(chains.map(([first]) => first!));
    const isReady = ([first]: IncomingEvent[]) => ready.has(first!);
    const storable = chains.filter(isReady);
    const early = chains.filter((chain) => !isReady(chain));
    await Promise.all(early.flat().map((event) => this.keepWaiting(event, outcomes)));
    await this.storage.store(storable.flat()).catch(() => this.storeApart(storable, outcomes));
    return events.map((event) => outcomes.get(event));
  }

  private async keepWaiting(event: IncomingEvent, outcomes: Outcomes): Promise<void> {
    await this.waiting.keep(event).catch((error) => outcomes.set(event, error as Error));
  }

  /**
   * After a failed batch: stores each chain of events by itself, so that one failing event does not block other objects.
   */
  private async storeApart(chains: IncomingEvent[][], outcomes: Outcomes): Promise<void> {
    for (const chain of chains) {
      let failed = false;
      for (const event of chain) {
        if (failed) outcomes.set(event, new TooEarly('The event before it could not be stored.'));
        else {
          await this.storage.store([event]).catch((error) => {
            outcomes.set(event, error as Error);
            failed = true;
          });
        }
      }
    }
  }
}
