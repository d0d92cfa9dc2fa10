import { Injectable } from '@nestjs/common';
import { paidOfBooking } from '@swim/contracts';
import { type Call, RpcClient } from '@swim/messaging';
import { AppError } from '@swim/platform';
import { coveredCents } from './cancellation.rules.js';
import type { SessionDocument } from './session.schema.js';
import { SessionsRepository } from './sessions.repository.js';

/** Knows what is paid for a session: booking has the money, the sessions that it covers are here. */
@Injectable()
export class CoverageService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /** What of the money paid for its booking covers a session that the caller sees; 0 outside bookings. */
  async coveredCents({ _id, bookingId }: SessionDocument, call: Call): Promise<number> {
    if (bookingId === null) return 0;
    const [paidCents, sessions] = await Promise.all([
      this.paidCents(bookingId, call),
      this.sessions.findOfBookings(call, [bookingId]),
    ]);
    return coveredCents(sessions, _id, paidCents);
  }

  // Its sessions are there a moment before a booking is: nobody can have paid for it by then.
  private async paidCents(bookingId: string, call: Call): Promise<number> {
    try {
      return (await this.rpc.call(paidOfBooking, { bookingId }, call)).paidCents;
    } catch (error) {
      if (error instanceof AppError && error.reason === 'resource_not_found') return 0;
      throw error;
    }
  }
}
