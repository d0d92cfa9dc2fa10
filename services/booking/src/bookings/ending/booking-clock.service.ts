import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type AccountClock, offsetAt } from '@swim/mongo';
import { Clock, CONFIG, LOGGER, type Logger } from '@swim/platform';
import type { Config } from '../../config.js';
import type { BookingDocument } from '../storage/booking.schema.js';
import { BookingsRepository } from '../storage/bookings.repository.js';
import { ExpiryService } from './expiry.service.js';

const PATIENCE_MS = 1_000;
const POLL_MS = 25;
const MOST_ENDED = 100;

/** Bookings under the clocks of test accounts: their time to pay ends. */
@Injectable()
export class BookingClockService {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly expiry: ExpiryService,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Applies the clock of a test account to its bookings, and expires those that are unpaid then; returns how many expired. */
  async applyClock(clock: AccountClock): Promise<number> {
    await this.bookings.applyClock(clock);
    for (const ended of await this.bookings.endingEnrollments.findDue(MOST_ENDED))
      await this.bookings.markEnrollmentOver(ended);
    const now = this.clock.now();
    const due = (await this.bookings.findUnpaidOf(clock.accountId)).filter(({ expiresAt }) => expiresAt! <= now);
    for (const booking of due) await this.expire(booking);
    const endsAtMs = performance.now() + PATIENCE_MS;
    let left = await this.countUnpaid(due);
    // Another replica has taken it over, or a payment in progress decides.
    while (left > 0 && performance.now() < endsAtMs) {
      await pause(POLL_MS);
      left = await this.countUnpaid(due);
    }
    return due.length - left;
  }

  /** The next offset of the account's clock at which the time to pay for a booking of it ends; null without one. */
  async nextOffset(accountId: string): Promise<number | null> {
    const now = this.clock.now();
    const unpaid = await this.bookings.findUnpaidOf(accountId);
    const open = unpaid.flatMap((booking) =>
      booking.expiresAt! > now ? offsetAt(booking, booking.expiresAt!, now) : [],
    );
    return open.length === 0 ? null : Math.min(...open);
  }

  // One that fails is left to the recoverer.
  private async expire(due: BookingDocument): Promise<void> {
    try {
      const booking = await this.bookings.unfinished.take(due);
      if (booking) await this.expiry.expire(booking, this.config.SAGA_LEASE_MS);
    } catch (error) {
      this.logger.error({ err: error, bookingId: due._id }, 'unpaid booking not expired yet');
    }
  }

  private async countUnpaid(due: BookingDocument[]): Promise<number> {
    const now = await Promise.all(due.map(({ _id }) => this.bookings.findAny(_id)));
    return now.filter((booking, index) => booking?.expiresAt && booking.expiresAt <= due[index]!.expiresAt!).length;
  }
}
