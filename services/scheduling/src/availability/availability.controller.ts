import { Controller } from '@nestjs/common';
import { type AvailableSlot, getAvailability, listAvailability, type Page, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { Answered, RequestContext } from '@swim/platform';
import { AvailabilityService } from './availability.service.js';
import { ListedAvailabilityService } from './listed-availability.service.js';

@Controller()
export class AvailabilityController {
  constructor(
    private readonly availability: AvailabilityService,
    private readonly listed: ListedAvailabilityService,
  ) {}

  @Serve(getAvailability)
  get(input: ParsedOf<typeof getAvailability>, context: RequestContext): Promise<Answered<typeof getAvailability>> {
    return this.availability.get(input, context);
  }

  @Serve(listAvailability)
  list(input: ParsedOf<typeof listAvailability>, context: RequestContext): Promise<Page<AvailableSlot>> {
    return this.listed.list(input, context);
  }
}
