import { Injectable } from '@nestjs/common';
import { paidOfBooking } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
import { type BookedMoney, type BookingMoney, feesById, returnedMoney } from '../storage/cancellation.rules.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { SessionsRepository } from '../storage/sessions.repository.js';

const NOTHING: BookingMoney & Pick<BookedMoney, 'owesFees'> = {
  owesFees: false,
  paidCents: 0,
  creditedCents: 0,
  waivedCents: 0,
  refundableCents: 0,
  missedFees: new Map(),
};

/** The terms of a session outside bookings, or whose cancellation has no fee and no refund. */
export const UNPAID: BookedMoney = { owesFees: false, returned: () => ({ refundCents: 0, creditCents: 0 }) };

/** Computes what the cancellation of a session gives back: booking stores the amounts, scheduling the sessions that they pay. */
@Injectable()
export class PaidAmountsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /** Whether a session that the account sees owes a fee, and what its cancellation gives back; nothing outside bookings. */
  async of({ _id, bookingId }: SessionDocument, context: RequestContext): Promise<BookedMoney> {
    if (bookingId === null) return UNPAID;
    const [money, sessions] = await Promise.all([
      this.moneyOf(bookingId, context),
      this.sessions.findOfBookings(context, [bookingId]),
    ]);
    return {
      owesFees: money.owesFees,
      returned: (feeCents) => returnedMoney(sessions, _id, feeCents, money),
    };
  }

  // A booking's sessions are stored before the booking: until then nothing can be paid.
  private async moneyOf(bookingId: string, context: RequestContext): Promise<typeof NOTHING> {
    try {
      const money = await this.rpc.call(paidOfBooking, { bookingId }, context);
      return { ...money, missedFees: feesById(money.missedFees) };
    } catch (error) {
      if (error instanceof AppError && error.reason === 'resource_not_found') return NOTHING;
      throw error;
    }
  }
}
