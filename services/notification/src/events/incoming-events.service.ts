import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { eventsTotal, LOGGER, type Logger, TooEarly } from '@swim/platform';
import { Batches, type Outcome } from './batches.js';
import { areAllStored, audienceOf } from './event.rules.js';
import { EventsRepository } from './events.repository.js';
import type { IncomingEvent } from './incoming-event.js';
import { NumberingService } from './numbering.service.js';
import { PassedObjectsRepository } from './passed-objects.repository.js';
import { Recent } from './recent.js';
import { WaitingEventsRepository } from './waiting-events.repository.js';

const REMEMBERED_OBJECTS = 20_000;
// Half of the maximum of unacknowledged events, so that the next batch fills while one is stored; the wait collects the events
// of one request.
const GATHERED = { mostItems: 128, waitMs: 50 };

type Outcomes = Map<IncomingEvent, Outcome>;

/** Stores each event once for each account of its audience, in the order of the object's events, in batches. */
@Injectable()
export class IncomingEventsService {
  /** Object → ordinal of the newest event that this process has stored. */
  private readonly accepted = new Recent<number>(REMEMBERED_OBJECTS);
  private readonly batches: Record<Environment, Batches<IncomingEvent>> = {
    live: this.batchesOf('live'),
    test: this.batchesOf('test'),
  };

  constructor(
    private readonly events: EventsRepository,
    private readonly passed: PassedObjectsRepository,
    private readonly waiting: WaitingEventsRepository,
    private readonly numbering: NumberingService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores a copy for each account of the audience. Idempotent. While the predecessor, of the same object, is not stored for
   * its whole audience, the event is kept as waiting, so that events of other objects are not blocked.
   */
  accept(event: IncomingEvent): Promise<void> {
    return this.batches[event.env].add(event);
  }

  /** Stores an event that has waited long enough, after the waiting events of its object before it. */
  async storeOverdue({ env, objectId, n }: IncomingEvent): Promise<void> {
    let first = await this.waiting.find(env, objectId, n);
    for (let before = first; before; before = await this.waiting.find(env, objectId, first.n - 1)) first = before;
    if (!first) return;
    if (!(await this.isAccepted(first, first.n - 1))) {
      eventsTotal.inc({ outcome: 'out_of_order' });
      const { id: eventId, type: eventType } = first;
      this.logger.error({ eventId, eventType, objectId, env }, 'event stored although the one before it never came');
    }
    await this.storeWithNext(env, [first]);
    await this.waiting.deleteAll(env, [first]);
  }

  private batchesOf(env: Environment): Batches<IncomingEvent> {
    return new Batches((events) => this.handleAll(env, events), GATHERED);
  }

  private async handleAll(env: Environment, events: IncomingEvent[]): Promise<Outcome[]> {
    const outcomes: Outcomes = new Map();
    const objects = Object.values(Object.groupBy(events, ({ objectId }) => objectId)).map((each) =>
      each!.toSorted((a, b) => a.n - b.n),
    );
    const ready = await Promise.all(objects.map((each) => this.keepTooEarly(each, outcomes)));
    await this.storeTogether(env, ready.flat()).catch(() => this.storeApart(env, ready, outcomes));
    return events.map((event) => outcomes.get(event));
  }

  /** The events of one object, in order, that can be stored; the others are kept as waiting, or have failed. */
  private async keepTooEarly(events: IncomingEvent[], outcomes: Outcomes): Promise<IncomingEvent[]> {
    const ready: IncomingEvent[] = [];
    for (const event of events) {
      try {
        if ((ready.at(-1)?.n ?? 0) >= event.n - 1 || (await this.isDue(event))) ready.push(event);
      } catch (error) {
        outcomes.set(event, error as Error);
      }
    }
    return ready;
  }

  private async isDue(event: IncomingEvent): Promise<boolean> {
    if (await this.isAccepted(event, event.n - 1)) return true;
    await this.waiting.insert(event);
    // A replica that stored the predecessor may have looked for this event right before it was kept.
    return this.isAccepted(event, event.n - 1);
  }

  private async storeTogether(env: Environment, events: IncomingEvent[]): Promise<void> {
    if (events.length > 0) await this.storeWithNext(env, events);
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
          await this.storeWithNext(env, [event]).catch((error) => {
            outcomes.set(event, error as Error);
            failed = true;
          });
        }
      }
    }
  }

  // Looks for waiting successors before these are acknowledged: after a crash in between they are delivered again.
  private async storeWithNext(env: Environment, events: IncomingEvent[]): Promise<void> {
    await this.store(env, events);
    const newest = new Map(events.map((event) => [event.objectId, event.n]));
    const found = await Promise.all([...newest].map(([objectId, n]) => this.waiting.find(env, objectId, n + 1)));
    const next = found.filter((event) => event !== null);
    if (next.length === 0) return;
    await this.storeWithNext(env, next);
    await this.waiting.deleteAll(env, next);
  }

  private async store(env: Environment, events: IncomingEvent[]): Promise<void> {
    const copies = events.map((event) => {
      const accounts = audienceOf(event);
      return accounts.map((account) => ({ event, account, copies: accounts.length }));
    });
    const unlisted = events.filter((_, index) => copies[index]!.length === 0);
    const dropped = await this.numbering.store(env, copies.flat());
    // Without the mark, the check of such an event's copies would find one missing.
    const passed = [...new Set([...unlisted, ...dropped])];
    if (passed.length > 0) await this.passed.mark(env, passed);
    for (const { objectId, n } of events) this.accepted.set(`${env}|${objectId}`, n);
  }

  private async isAccepted({ env, objectId }: IncomingEvent, n: number): Promise<boolean> {
    if (n < 1 || (this.accepted.get(`${env}|${objectId}`) ?? 0) >= n) return true;
    if (areAllStored(await this.events.findCopies(env, objectId, n))) return true;
    return this.passed.isPassed(env, objectId, n);
  }
}
