import { Controller } from '@nestjs/common';
import { type AppliedClock, applyClockToBookings, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { BookingClockService } from '../bookings/booking-clock.service.js';
import { CreditsService } from '../credits/credits.service.js';

/** Applies the clocks of test accounts to what this service stores. */
@Controller()
export class AccountClockController {
  constructor(
    private readonly bookings: BookingClockService,
    private readonly credits: CreditsService,
  ) {}

  @Serve(applyClockToBookings)
  async apply(clock: ParsedOf<typeof applyClockToBookings>): Promise<AppliedClock> {
    await this.credits.applyClock(clock);
    const handled = await this.bookings.applyClock(clock);
    return { handled, nextOffsetMs: await this.bookings.nextOffset(clock.accountId) };
  }
}
