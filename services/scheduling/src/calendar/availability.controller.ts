import { Controller } from '@nestjs/common';
import { getAvailability, type ParsedOf } from '@swim/contracts';
import { type Answered, type Call, Serve } from '@swim/messaging';
import { AvailabilityService } from './availability.service.js';

@Controller()
export class AvailabilityController {
  constructor(private readonly availability: AvailabilityService) {}

  @Serve(getAvailability)
  get(input: ParsedOf<typeof getAvailability>, call: Call): Promise<Answered<typeof getAvailability>> {
    return this.availability.get(input, call);
  }
}
