import { Injectable } from '@nestjs/common';
import { cancelSessions, quoteCancellations, sessionsOfBookings } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { type RequestContext, systemContext } from '@swim/platform';
import type { BookingDocument } from '../storage/booking.schema.js';
import { BookingsRepository } from '../storage/bookings.repository.js';

// The most sessions that one request to scheduling takes.
const CANCELLED_AT_ONCE = 100;
const REASON = 'The prepayment did not arrive in time.';
/** The terms of the quote that finds the sessions to come: their fees are not used. */
const NO_FEES = { freeCancellationHours: 0, lateFeePercent: 0, paidCents: 0, missedFees: [] };

/** Ends the time to pay of bookings that were not prepaid in time: it releases what is still to come of them. */
@Injectable()
export class ExpiryService {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Closes the booking to payments, then cancels its sessions that have not begun, then marks it as expired; each step is
   * idempotent. A lesson that has begun, or was given, cannot be released any more: it stays, and so does what is due for it. Does
   * nothing while a payment is in progress: its outcome decides. Acts as the school, whose policy it is, and keeps no fee: not of a
   * school's own booking either.
   */
  async expire({ _id, schoolId }: BookingDocument, budgetMs: number): Promise<void> {
    const context = systemContext(schoolId, budgetMs);
    const { freeing } = await this.bookings.markFreeing(context, _id);
    if (!freeing) return;
    await this.cancelToCome(_id, context);
    const sessions = await this.rpc.call(sessionsOfBookings, { bookingIds: [_id] }, context);
    await this.bookings.markTimeToPayEnded(context, _id, sessions);
  }

  private async cancelToCome(bookingId: string, context: RequestContext): Promise<void> {
    const toCome = await this.rpc.call(quoteCancellations, { bookingId, terms: NO_FEES }, context);
    for (let from = 0; from < toCome.length; from += CANCELLED_AT_ONCE) {
      const some = toCome.slice(from, from + CANCELLED_AT_ONCE);
      const sessions = some.map(({ session_id: id }) => ({ id, late: false, feeCents: 0 }));
      await this.rpc.call(cancelSessions, { sessions, reason: REASON, notifyParticipants: false }, context);
    }
  }
}
