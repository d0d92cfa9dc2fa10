import { Controller } from '@nestjs/common';
import { type AppliedClock, addDemoBooking, applyClockToBookings, type ParsedOf, resetBookings } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AccountResets } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { BookingClockService } from '../bookings/ending/booking-clock.service.js';
import { BookingReset } from '../bookings/ending/booking-reset.service.js';
import { BookingsService } from '../bookings/making/bookings.service.js';
import { CreditsService } from '../credits/credits.service.js';

/** Clocks and resets of test accounts, for what this service stores. */
@Controller()
export class SandboxController {
  constructor(
    private readonly clocks: BookingClockService,
    private readonly bookings: BookingsService,
    private readonly credits: CreditsService,
    private readonly ending: BookingReset,
    private readonly resets: AccountResets,
  ) {}

  @Serve(applyClockToBookings)
  async applyClock(clock: ParsedOf<typeof applyClockToBookings>): Promise<AppliedClock> {
    await this.credits.applyClock(clock);
    const handled = await this.clocks.applyClock(clock);
    return { handled, nextOffsetMs: await this.clocks.nextOffset(clock.accountId) };
  }

  @Serve(resetBookings)
  async reset(
    { accountId, before: text, phase }: ParsedOf<typeof resetBookings>,
    context: RequestContext,
  ): Promise<{ done: boolean }> {
    const before = new Date(text);
    const done =
      phase === 'end'
        ? await this.ending.end(accountId, before, context)
        : await this.resets.empty({ accountId, before }, context.deadline);
    return { done };
  }

  @Serve(addDemoBooking)
  async addDemoBooking(
    { id, booking }: ParsedOf<typeof addDemoBooking>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    // An earlier run of the reset may have made it.
    await this.bookings.create(booking, { ...context, newId: () => id, resumed: true });
    return {};
  }
}
