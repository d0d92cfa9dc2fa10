import { Controller } from '@nestjs/common';
import { claimBooking, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { Answered, RequestContext } from '@swim/platform';
import { BookingClaimsService } from './booking-claims.service.js';
import { HoldConversionService } from './hold-conversion.service.js';

/** Operations that other services request. */
@Controller()
export class BookingSessionsController {
  constructor(
    private readonly claims: BookingClaimsService,
    private readonly conversions: HoldConversionService,
  ) {}

  @Serve(claimBooking)
  claim(input: ParsedOf<typeof claimBooking>, context: RequestContext): Promise<Answered<typeof claimBooking>> {
    return input.holdId ? this.conversions.claim(input, input.holdId, context) : this.claims.claim(input, context);
  }
}
