import { Injectable } from '@nestjs/common';
import { paidOfBooking } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
import { coveredCents } from './cancellation.rules.js';
import type { SessionDocument } from './session.schema.js';
import { SessionsRepository } from './sessions.repository.js';

/** Computes what is paid for a session: booking stores the amounts, scheduling the sessions that they cover. */
@Injectable()
export class PaidAmountsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /** The paid amount that covers a session that the account sees; 0 outside bookings. */
  async coveredCents({ _id, bookingId }: SessionDocument, context: RequestContext): Promise<number> {
    if (bookingId === null) return 0;
    const [paidCents, sessions] = await Promise.all([
      this.paidCents(bookingId, context),
      this.sessions.findOfBookings(context, [bookingId]),
    ]);
    return coveredCents(sessions, _id, paidCents);
  }

  // A booking's sessions are stored before the booking: until then nothing can be paid.
  private async paidCents(bookingId: string, context: RequestContext): Promise<number> {
    try {
      return (await this.rpc.call(paidOfBooking, { bookingId }, context)).paidCents;
    } catch (error) {
      if (error instanceof AppError && error.reason === 'resource_not_found') return 0;
      throw error;
    }
  }
}
