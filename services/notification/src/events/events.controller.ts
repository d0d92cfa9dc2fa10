import { Controller } from '@nestjs/common';
import {
  type AccountEvent,
  type BusEvent,
  getEvent,
  listEvents,
  type OutputOf,
  type Page,
  type ParsedOf,
  readEvents,
} from '@swim/contracts';
import { OnEveryEvent, Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { EventsService } from './events.service.js';
import { readEvent } from './incoming-event.js';
import { IncomingEventsService } from './incoming-events.service.js';

/** Operations and consumer of the events feature. */
@Controller()
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly incoming: IncomingEventsService,
  ) {}

  @Serve(listEvents)
  list(query: ParsedOf<typeof listEvents>, context: RequestContext): Promise<Page<AccountEvent>> {
    return this.events.list(query, context);
  }

  @Serve(getEvent)
  get({ event_id }: ParsedOf<typeof getEvent>, context: RequestContext): Promise<AccountEvent> {
    return this.events.get(event_id, context);
  }

  @Serve(readEvents)
  read({ afterSequence }: ParsedOf<typeof readEvents>, context: RequestContext): Promise<OutputOf<typeof readEvents>> {
    return this.events.readAfter(afterSequence, context);
  }

  @OnEveryEvent()
  async accept(event: BusEvent): Promise<void> {
    await this.incoming.accept(readEvent(event));
  }
}
