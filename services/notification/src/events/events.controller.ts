import { Controller } from '@nestjs/common';
import { type AccountEvent, type BusEvent, listEvents, type Page, type ParsedOf } from '@swim/contracts';
import { type Call, type Delivery, OnEveryEvent, Serve } from '@swim/messaging';
import { EventsService } from './events.service.js';
import { readEvent } from './incoming-event.js';

/** Door of the events feature. */
@Controller()
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Serve(listEvents)
  list(query: ParsedOf<typeof listEvents>, call: Call): Promise<Page<AccountEvent>> {
    return this.events.list(query, call);
  }

  @OnEveryEvent()
  async hear(event: BusEvent, delivery: Delivery): Promise<void> {
    await this.events.hear(readEvent(event), delivery);
  }
}
