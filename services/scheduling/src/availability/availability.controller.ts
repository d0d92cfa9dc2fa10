import { Controller } from '@nestjs/common';
import { getAvailability, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { Answered, RequestContext } from '@swim/platform';
import { AvailabilityService } from './availability.service.js';

@Controller()
export class AvailabilityController {
  constructor(private readonly availability: AvailabilityService) {}

  @Serve(getAvailability)
  get(input: ParsedOf<typeof getAvailability>, context: RequestContext): Promise<Answered<typeof getAvailability>> {
    return this.availability.get(input, context);
  }
}
