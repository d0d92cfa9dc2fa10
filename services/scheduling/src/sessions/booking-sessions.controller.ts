import { Controller } from '@nestjs/common';
import {
  claimBooking,
  confirmBooking,
  type ParsedOf,
  releaseBooking,
  type Session,
  sessionsOfBookings,
} from '@swim/contracts';
import { type Answered, type Call, Serve } from '@swim/messaging';
import { HoldConversionService } from '../holds/hold-conversion.service.js';
import { BookingClaimsService } from './booking-claims.service.js';
import { SessionsService } from './sessions.service.js';

/** What the booking service asks of the calendar. */
@Controller()
export class BookingSessionsController {
  constructor(
    private readonly claims: BookingClaimsService,
    private readonly conversions: HoldConversionService,
    private readonly sessions: SessionsService,
  ) {}

  @Serve(claimBooking)
  claim(input: ParsedOf<typeof claimBooking>, call: Call): Promise<Answered<typeof claimBooking>> {
    return input.holdId ? this.conversions.claim(input, input.holdId, call) : this.claims.claim(input, call);
  }

  @Serve(confirmBooking)
  confirm(input: ParsedOf<typeof confirmBooking>, call: Call): Promise<Answered<typeof confirmBooking>> {
    return this.claims.confirm(input.bookingId, call);
  }

  @Serve(releaseBooking)
  release(input: ParsedOf<typeof releaseBooking>, call: Call): Promise<Answered<typeof releaseBooking>> {
    return this.claims.release(input.bookingId, call);
  }

  @Serve(sessionsOfBookings)
  list(input: ParsedOf<typeof sessionsOfBookings>, call: Call): Promise<Session[]> {
    return this.sessions.ofBookings(input.bookingIds, call);
  }
}
