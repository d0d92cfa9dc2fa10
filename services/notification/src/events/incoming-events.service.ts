import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { Batches, type Outcome, TooEarly } from '@swim/platform';
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
    const objects = Object.values(Object.groupBy(events, ({ objectId }) => objectId)).map((each) =>
      each!.toSorted((a, b) => a.n - b.n),
    );
    const ready = await Promise.all(objects.map((each) => this.keepTooEarly(env, each, outcomes)));
    await this.storage.store(env, ready.flat()).catch(() => this.storeApart(env, ready, outcomes));
    return events.map((event) => outcomes.get(event));
  }

  /** The events of one object, in order, that can be stored; the others are kept as waiting, or have failed. */
  private async keepTooEarly(env: Environment, events: IncomingEvent[], outcomes: Outcomes): Promise<IncomingEvent[]> {
    const ready: IncomingEvent[] = [];
    for (const event of events) {
      try {
        if ((ready.at(-1)?.n ?? 0) >= event.n - 1 || (await this.storage.findReady(env, [event])).has(event))
          ready.push(event);
        else await this.waiting.keep(event);
      } catch (error) {
        outcomes.set(event, error as Error);
      }
    }
    return ready;
  }

  /**
   * After a failed batch: stores each object's events by themselves, so that one failing event does not block other objects.
   */
  private async storeApart(env: Environment, objects: IncomingEvent[][], outcomes: Outcomes): Promise<void> {
    for (const events of objects) {
      let failed = false;
      for (const event of events) {
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
