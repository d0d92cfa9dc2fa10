import { Inject, Injectable } from '@nestjs/common';
import { type Session, sessionsOfBookings } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { PeriodicPerEnvironment } from '@swim/mongo';
import { CONFIG, counter, currentEnvironment, LOGGER, type Logger, sharedClock, systemContext } from '@swim/platform';
import type { Config } from '../../config.js';
import { batchesOf } from '../request/booking.rules.js';
import type { BookingDocument } from '../storage/booking.schema.js';
import { BookingsRepository } from '../storage/bookings.repository.js';
import { SessionsFollower } from './sessions-follower.service.js';

/** Sessions whose state differed from that in their booking. Each is the result of a fault. */
const bookingDifferencesTotal = counter({
  name: 'swim_booking_differences_total',
  help: 'Sessions whose newer state had not reached their booking',
});

const TICK_MS = 5_000;
const PAGE = 50;
const DAY_MS = 24 * 3_600_000;
const PAGE_BUDGET_MS = 10_000;

/**
 * Compares bookings whose sessions may change with these, in scheduling: after each start, and then hourly. Events keep both equal,
 * so that a difference is the sign of a fault: it is reported (log, metric) and the booking takes over the newer state.
 */
@Injectable()
export class Reconciler {
  private readonly nextAtMs = { live: 0, test: 0 };

  constructor(
    private readonly bookings: BookingsRepository,
    private readonly follower: SessionsFollower,
    private readonly rpc: RpcClient,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @PeriodicPerEnvironment('booking reconciliation', TICK_MS)
  async reconcileWhenDue(): Promise<void> {
    const env = currentEnvironment();
    if (performance.now() < this.nextAtMs[env]) return;
    await this.reconcile();
    // A failed run is repeated at the next tick.
    this.nextAtMs[env] = performance.now() + this.config.RECONCILIATION_MINUTES * 60_000;
  }

  private async reconcile(): Promise<void> {
    const completedSince = sharedClock.inMs(-this.config.RECONCILIATION_DAYS * DAY_MS);
    let after = '';
    for (;;) {
      const page = await this.bookings.findChanging(after, completedSince, PAGE);
      for (const batch of batchesOf(page)) await this.compare(batch);
      if (page.length < PAGE) return;
      after = page.at(-1)!._id;
    }
  }

  private async compare(batch: BookingDocument[]): Promise<void> {
    // A school sees all bookings with its instructors: one request for each school.
    for (const [schoolId, bookings] of Map.groupBy(batch, (booking) => booking.schoolId)) {
      const context = systemContext(schoolId, PAGE_BUDGET_MS);
      const bookingIds = bookings.map(({ _id }) => _id);
      const sessions = await this.rpc.call(sessionsOfBookings, { bookingIds }, context);
      const settledBefore = sharedClock.now().getTime() - this.config.RECONCILIATION_GRACE_SECONDS * 1_000;
      const settled = sessions.filter(({ updated_at }) => Date.parse(updated_at) < settledBefore);
      for (const booking of bookings) await this.take(booking, settled);
    }
  }

  private async take(booking: BookingDocument, found: Session[]): Promise<void> {
    const stored = new Map(booking.sessions.map(({ id, version }) => [id, version ?? 1]));
    const newer = found.filter(({ id, version }) => version > (stored.get(id) ?? Number.POSITIVE_INFINITY));
    if (newer.length === 0) return;
    bookingDifferencesTotal.inc(newer.length);
    this.logger.error({ bookingId: booking._id, count: newer.length }, 'booking differs from its sessions');
    await this.follower.store(booking._id, newer, systemContext(booking.schoolId));
  }
}
