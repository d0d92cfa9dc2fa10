import { Controller } from '@nestjs/common';
import {
  getWaitlistEntry,
  joinWaitlist,
  leaveWaitlist,
  listWaitlist,
  type Page,
  type ParsedOf,
  type WaitlistEntry,
} from '@swim/contracts';
import { type Answered, type Call, Serve } from '@swim/messaging';
import { WaitlistService } from './waitlist.service.js';

@Controller()
export class WaitlistController {
  constructor(private readonly waitlist: WaitlistService) {}

  @Serve(joinWaitlist)
  join(input: ParsedOf<typeof joinWaitlist>, call: Call): Promise<WaitlistEntry> {
    return this.waitlist.join(input, call);
  }

  @Serve(getWaitlistEntry)
  get(input: ParsedOf<typeof getWaitlistEntry>, call: Call): Promise<WaitlistEntry> {
    return this.waitlist.get(input.waitlist_id, call);
  }

  @Serve(listWaitlist)
  list(query: ParsedOf<typeof listWaitlist>, call: Call): Promise<Page<WaitlistEntry>> {
    return this.waitlist.list(query, call);
  }

  @Serve(leaveWaitlist)
  leave(input: ParsedOf<typeof leaveWaitlist>, call: Call): Promise<Answered<typeof leaveWaitlist>> {
    return this.waitlist.leave(input.waitlist_id, call);
  }
}
