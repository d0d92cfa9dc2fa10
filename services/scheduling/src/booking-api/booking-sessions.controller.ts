import { Controller } from '@nestjs/common';
import {
  type CancellationQuote,
  cancelSessions,
  claimBooking,
  confirmBooking,
  countLessons,
  finalizeAttendances,
  findBookedLessons,
  type OutputOf,
  type ParsedOf,
  quoteCancellations,
  recordReturns,
  releaseBooking,
  type Session,
  sessionsOfBookings,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { Answered, RequestContext } from '@swim/platform';
import { CancellationService } from '../sessions/cancellation.service.js';
import { SessionMoneyService } from '../sessions/session-money.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { BookingClaimsService } from './booking-claims.service.js';
import { HoldConversionService } from './hold-conversion.service.js';

/** Operations that other services request. */
@Controller()
export class BookingSessionsController {
  constructor(
    private readonly claims: BookingClaimsService,
    private readonly conversions: HoldConversionService,
    private readonly sessions: SessionsService,
    private readonly cancellations: CancellationService,
    private readonly money: SessionMoneyService,
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

  @Serve(quoteCancellations)
  quote(input: ParsedOf<typeof quoteCancellations>, context: RequestContext): Promise<CancellationQuote[]> {
    return this.cancellations.quoteAll(input, context);
  }

  @Serve(cancelSessions)
  cancel(input: ParsedOf<typeof cancelSessions>, context: RequestContext): Promise<Session[]> {
    return this.cancellations.cancelAll(input, context);
  }

  @Serve(countLessons)
  async countLessons(input: ParsedOf<typeof countLessons>, context: RequestContext): Promise<{ counts: number[] }> {
    return { counts: await this.sessions.countGiven(input, context) };
  }

  @Serve(findBookedLessons)
  async findBooked(
    input: ParsedOf<typeof findBookedLessons>,
    context: RequestContext,
  ): Promise<OutputOf<typeof findBookedLessons>> {
    return { lessons: await this.sessions.findBooked(input, context) };
  }

  @Serve(finalizeAttendances)
  finalize(
    input: ParsedOf<typeof finalizeAttendances>,
    context: RequestContext,
  ): Promise<Answered<typeof finalizeAttendances>> {
    return this.money.finalize(input, context);
  }

  @Serve(recordReturns)
  async recordReturns(input: ParsedOf<typeof recordReturns>, context: RequestContext): Promise<{ recorded: true }> {
    await this.money.recordReturns(input, context);
    return { recorded: true };
  }
}
