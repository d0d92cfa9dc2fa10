import { Inject, Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { Clock, CONFIG } from '@swim/platform';
import mongoose from 'mongoose';
import type { Config } from '../../config.js';
import type { IncomingEvent } from '../incoming-event.js';
import { type WaitingEvent, waitingEventSchema } from './waiting-event.schema.js';

const REASON = 'waiting events belong to no account';
const SCOPE = asSystem(REASON);
const idOf = (objectId: string, n: number) => `${objectId}.${n}`;

/** An event that waits for its predecessor. */
export interface Waiting {
  id: string;
  event: IncomingEvent;
  /** Whether it has waited long enough. */
  isOverdue: boolean;
}

/** Storage of events that arrived before their predecessor. */
@Injectable()
export class WaitingEventsRepository extends Repository<WaitingEvent> {
  constructor(
    databases: Databases,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super(databases.collection('waiting_events', waitingEventSchema));
  }

  /** Stores an event; an existing one stays unchanged. */
  async insert(event: IncomingEvent): Promise<void> {
    const until = this.inSeconds(this.config.EVENT_ORDER_WAIT_SECONDS);
    const document = { _id: idOf(event.objectId, event.n), event: JSON.stringify(event), until };
    await this.tryInsert(SCOPE, document);
  }

  /** The nth event of an object, if it is waiting. */
  async find(objectId: string, n: number): Promise<IncomingEvent | null> {
    const found = await this.lookUp(SCOPE, idOf(objectId, n));
    return found && (JSON.parse(found.event) as IncomingEvent);
  }

  /** Waiting events in order of id after this one, at most `limit`. */
  async findAfter(afterId: string, limit: number): Promise<Waiting[]> {
    const now = this.clock.now();
    const find = () => this.findMany(SCOPE, { _id: { $gt: afterId } }, { _id: 1 }, limit);
    const found = await (afterId === '' ? this.findUnlessQuiet(SCOPE, 'waiting', now, find) : find());
    return found.map(({ _id, event, until }) => ({
      id: _id,
      event: JSON.parse(event) as IncomingEvent,
      isOverdue: until <= now,
    }));
  }

  /** Makes an event overdue only after so many seconds. */
  async putOff({ objectId, n }: IncomingEvent, seconds: number): Promise<void> {
    await this.update(SCOPE, { _id: idOf(objectId, n) }, { $set: { until: this.inSeconds(seconds) } });
  }

  /** Removes events that are stored. */
  async deleteAll(events: readonly IncomingEvent[]): Promise<void> {
    const ids = mongoose.trusted({ $in: events.map(({ objectId, n }) => idOf(objectId, n)) });
    await this.model(SCOPE).deleteMany({ _id: ids }, { asSystem: REASON } as object);
  }

  private inSeconds(seconds: number): Date {
    return new Date(this.clock.now().getTime() + seconds * 1_000);
  }
}
