import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { Periodic } from '@swim/messaging';
import { LOGGER, type Logger } from '@swim/platform';
import type { IncomingEvent } from './incoming-event.js';
import { IncomingEventsService } from './incoming-events.service.js';
import { WaitingEventsRepository } from './waiting-events.repository.js';

const INTERVAL_MS = 1_000;
const BATCH = 100;
const RETRY_SECONDS = 30;

/** Stores events that have waited long enough for their predecessor. Safe to run on several replicas. */
@Injectable()
export class OverdueEventsService {
  constructor(
    private readonly waiting: WaitingEventsRepository,
    private readonly events: IncomingEventsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Periodic('overdue events', INTERVAL_MS)
  async storeAll(): Promise<void> {
    for (const env of ENVIRONMENTS) await this.storeOverdue(env);
  }

  private async storeOverdue(env: Environment): Promise<void> {
    let overdue: IncomingEvent[];
    do {
      overdue = await this.waiting.findOverdue(env, BATCH);
      for (const event of overdue) await this.storeOne(event);
    } while (overdue.length === BATCH);
  }

  // A failing event is postponed, so that it does not block others.
  private async storeOne(event: IncomingEvent): Promise<void> {
    try {
      await this.events.storeOverdue(event);
    } catch (error) {
      this.logger.warn({ err: error, eventId: event.id, objectId: event.objectId }, 'overdue event not stored yet');
      await this.waiting.putOff(event, RETRY_SECONDS);
    }
  }
}
