import { Controller } from '@nestjs/common';
import {
  type BusEvent,
  getWaitlistEntry,
  type InstructorObject,
  instructorUpdated,
  joinWaitlist,
  leaveWaitlist,
  listWaitlist,
  type Page,
  type ParsedOf,
  type WaitlistEntry,
} from '@swim/contracts';
import { On, Serve } from '@swim/messaging';
import type { Answered, RequestContext } from '@swim/platform';
import { OffersService } from './offers.service.js';
import { WaitlistService } from './waitlist.service.js';

@Controller()
export class WaitlistController {
  constructor(
    private readonly waitlist: WaitlistService,
    private readonly offers: OffersService,
  ) {}

  @Serve(joinWaitlist)
  join(input: ParsedOf<typeof joinWaitlist>, context: RequestContext): Promise<WaitlistEntry> {
    return this.waitlist.join(input, context);
  }

  @Serve(getWaitlistEntry)
  get(input: ParsedOf<typeof getWaitlistEntry>, context: RequestContext): Promise<WaitlistEntry> {
    return this.waitlist.get(input.waitlist_id, context);
  }

  @Serve(listWaitlist)
  list(query: ParsedOf<typeof listWaitlist>, context: RequestContext): Promise<Page<WaitlistEntry>> {
    return this.waitlist.list(query, context);
  }

  @Serve(leaveWaitlist)
  leave(input: ParsedOf<typeof leaveWaitlist>, context: RequestContext): Promise<Answered<typeof leaveWaitlist>> {
    return this.waitlist.leave(input.waitlist_id, context);
  }

  @On(instructorUpdated)
  onInstructorUpdated(event: BusEvent<InstructorObject>): Promise<void> {
    return this.offers.offerChanged(event);
  }
}
