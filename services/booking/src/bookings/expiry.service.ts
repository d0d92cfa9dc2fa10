import { Injectable } from '@nestjs/common';
import { cancelSession, type Environment, sessionsOfBookings } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { AppError, type RequestContext, systemContext } from '@swim/platform';
import type { BookingDocument } from './booking.schema.js';
import { BookingsRepository } from './bookings.repository.js';

const CANCELLED_AT_ONCE = 8;
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
   * while a payment is in progress: its outcome decides. Acts as the school, whose policy it is, so that no fee is due.
   */
  async expire(env: Environment, { _id, schoolId }: BookingDocument, budgetMs: number): Promise<void> {
    const context = systemContext(env, schoolId, budgetMs);
    const { freeing, sessions } = await this.bookings.markFreeing(context, _id);
    if (!freeing) return;
    for (let from = 0; from < sessions.length; from += CANCELLED_AT_ONCE) {
      await Promise.all(sessions.slice(from, from + CANCELLED_AT_ONCE).map(({ id }) => this.giveBack(id, context)));
    }
    await this.bookings.markExpired(
      context,
      _id,
      await this.rpc.call(sessionsOfBookings, { bookingIds: [_id] }, context),
    );
  }

  private async giveBack(sessionId: string, context: RequestContext): Promise<void> {
    try {
      await this.rpc.call(
        cancelSession,
        { session_id: sessionId, reason: REASON, notify_participants: false },
        context,
      );
    } catch (error) {
      // A completed session can no longer be cancelled.
      if (!(error instanceof AppError) || error.reason !== 'invalid_state') throw error;
    }
  }
}
