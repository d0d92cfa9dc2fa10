import { Controller } from '@nestjs/common';
import {
  claimBooking,
  confirmBooking,
  type ParsedOf,
  releaseBooking,
  type Session,
  sessionsOfBookings,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { Answered, RequestContext } from '@swim/platform';
import { SessionsService } from '../sessions/sessions.service.js';
import { BookingClaimsService } from './booking-claims.service.js';
import { HoldConversionService } from './hold-conversion.service.js';

/** Operations that the booking service requests. */
@Controller()
export class BookingSessionsController {
  constructor(
    private readonly claims: BookingClaimsService,
    private readonly conversions: HoldConversionService,
    private readonly sessions: SessionsService,
  ) {}

  @Serve(claimBooking)
  claim(input: ParsedOf<typeof claimBooking>, context: RequestContext): Promise<Answered<typeof claimBooking>> {
    return input.holdId ? this.conversions.claim(input, input.holdId, context) : this.claims.claim(input, context);
  }

  @Serve(confirmBooking)
  confirm(input: ParsedOf<typeof confirmBooking>, context: RequestContext): Promise<Answered<typeof confirmBooking>> {
    return this.claims.confirm(input.bookingId, context);
  }

  @Serve(releaseBooking)
  release(input: ParsedOf<typeof releaseBooking>, context: RequestContext): Promise<Answered<typeof releaseBooking>> {
    return this.claims.release(input, context);
  }

  @Serve(sessionsOfBookings)
  list(input: ParsedOf<typeof sessionsOfBookings>, context: RequestContext): Promise<Session[]> {
    return this.sessions.ofBookings(input.bookingIds, context);
  }
}
