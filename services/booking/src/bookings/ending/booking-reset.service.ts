import { Injectable } from '@nestjs/common';
import { sessionsOfBookings } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { hasTimeFor } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { DraftsRepository } from '../drafts/drafts.repository.js';
import { SessionsFollower } from '../following/sessions-follower.service.js';
import { batchesOf } from '../request/booking.rules.js';
import { BookingsRepository } from '../storage/bookings.repository.js';

const PAGE = 100;

/** Ends the bookings of a test account that is reset. */
@Injectable()
export class BookingReset {
  constructor(
    private readonly drafts: DraftsRepository,
    private readonly bookings: BookingsRepository,
    private readonly follower: SessionsFollower,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Makes the bookings made before an instant follow their sessions, which are cancelled; returns whether all have, and none is still
   * being made or cancelled. What they request of other services, such as refunds, may go on behind the reset. Idempotent.
   */
  async end(accountId: string, before: Date, context: RequestContext): Promise<boolean> {
    if (await this.drafts.hasOpenOf(accountId, before)) return false;
    let after = '';
    for (;;) {
      if (!hasTimeFor(context.deadline)) return false;
      const page = await this.bookings.findUnsettledOf(accountId, before, after, PAGE);
      for (const batch of batchesOf(page)) {
        const bookingIds = batch.map(({ _id }) => _id);
        const sessions = await this.rpc.call(sessionsOfBookings, { bookingIds }, context);
        const ofBookings = [...Map.groupBy(sessions, ({ booking_id }) => booking_id)];
        const work = { ...context, isBulk: page.length === PAGE };
        await Promise.all(ofBookings.map(([id, own]) => id !== null && this.follower.store(id, own, work)));
      }
      if (page.length < PAGE) return !(await this.bookings.isCancellingOf(accountId, before));
      after = page.at(-1)!._id;
    }
  }
}
