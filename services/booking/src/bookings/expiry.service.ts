import { Injectable } from '@nestjs/common';
import { cancelSessions, type Environment, sessionsOfBookings } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { systemContext } from '@swim/platform';
import type { BookingDocument } from './booking.schema.js';
import { BookingsRepository } from './bookings.repository.js';

// As many as one request to scheduling takes.
const CANCELLED_AT_ONCE = 100;
const REASON = 'The prepayment did not arrive in time.';

/** Expires bookings that were not prepaid in time, and cancels their sessions. */
@Injectable()
export class ExpiryService {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Closes the booking to payments, then cancels its sessions, then marks it as expired; each step is idempotent. Does nothing
   * while a payment is in progress: its outcome decides. Acts as the school, whose policy it is, and keeps no fee: not of a
   * school's own booking either.
   */
  async expire(env: Environment, { _id, schoolId }: BookingDocument, budgetMs: number): Promise<void> {
    const context = systemContext(env, schoolId, budgetMs);
    const { freeing, sessions } = await this.bookings.markFreeing(context, _id);
    if (!freeing) return;
    for (let from = 0; from < sessions.length; from += CANCELLED_AT_ONCE) {
      const some = sessions.slice(from, from + CANCELLED_AT_ONCE);
      const unpaid = some.map(({ id }) => ({ id, late: false, feeCents: 0 }));
      await this.rpc.call(cancelSessions, { sessions: unpaid, reason: REASON, notifyParticipants: false }, context);
    }
    await this.bookings.markExpired(
      context,
      _id,
      await this.rpc.call(sessionsOfBookings, { bookingIds: [_id] }, context),
    );
  }
}
