import { Injectable } from '@nestjs/common';
import { paidOfBooking } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
import {
  type BookingMoney,
  coveredCents,
  feesById,
  type PaidAmounts,
  returnedMoney,
} from '../storage/cancellation.rules.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { SessionsRepository } from '../storage/sessions.repository.js';

const NOTHING: BookingMoney = {
  paidCents: 0,
  creditedCents: 0,
  waivedCents: 0,
  refundableCents: 0,
  missedFees: new Map(),
};

/** What is paid for a session outside bookings. */
export const UNPAID: PaidAmounts = { coveredCents: 0, returned: () => ({ refundCents: 0, creditCents: 0 }) };

/** Computes what is paid for a session: booking stores the amounts, scheduling the sessions that they cover. */
@Injectable()
export class PaidAmountsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /** The paid amount that covers a session that the account sees, and what its cancellation gives back; 0 outside bookings. */
  async of({ _id, bookingId }: SessionDocument, context: RequestContext): Promise<PaidAmounts> {
    if (bookingId === null) return UNPAID;
    const [money, sessions] = await Promise.all([
      this.moneyOf(bookingId, context),
      this.sessions.findOfBookings(context, [bookingId]),
    ]);
    return {
      coveredCents: coveredCents(sessions, _id, money.paidCents + money.creditedCents, money.missedFees),
      returned: (feeCents) => returnedMoney(sessions, _id, feeCents, money),
    };
  }

  // A booking's sessions are stored before the booking: until then nothing can be paid.
  private async moneyOf(bookingId: string, context: RequestContext): Promise<BookingMoney> {
    try {
      const money = await this.rpc.call(paidOfBooking, { bookingId }, context);
      return { ...money, missedFees: feesById(money.missedFees) };
    } catch (error) {
      if (error instanceof AppError && error.reason === 'resource_not_found') return NOTHING;
      throw error;
    }
  }
}
