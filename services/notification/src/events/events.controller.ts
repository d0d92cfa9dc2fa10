import { Controller } from '@nestjs/common';
import { type AccountEvent, type BusEvent, listEvents, type Page, type ParsedOf } from '@swim/contracts';
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

  @OnEveryEvent()
  async accept(event: BusEvent): Promise<void> {
    await this.incoming.accept(readEvent(event));
  }
}
