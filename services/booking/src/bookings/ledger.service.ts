import { Injectable } from '@nestjs/common';
import type { OutputOf, ParsedOf, paidOfBooking, reservePayment, settlePayment } from '@swim/contracts';
import { AppError, type RequestContext } from '@swim/platform';
import { PAYABLE } from './booking.rules.js';
import type { BookingDocument } from './booking.schema.js';
import { BookingsRepository } from './bookings.repository.js';
import { afterSettlement, type LedgerEntry, paidCents, reserve, settle } from './ledger.rules.js';
import { throwRejection } from './rejection.js';

const noSuchBooking = () => new AppError('not_found', { field: 'booking_id' });

const takesMoney = ({ status, freeing }: BookingDocument): boolean =>
  !freeing && PAYABLE.some((payable) => payable === status);

/** The money of bookings: reserved before the processor charges it, settled by the outcome. */
@Injectable()
export class LedgerService {
  constructor(private readonly bookings: BookingsRepository) {}

  /** Reserves money for one payment in one update. Only the booking's own account may pay. */
  async reserve(
    requested: ParsedOf<typeof reservePayment>,
    context: RequestContext,
  ): Promise<OutputOf<typeof reservePayment>> {
    let entry: LedgerEntry | undefined;
    const booking = await this.bookings.changeMoney(context, requested.bookingId, (now) => {
      if (now.accountId !== context.principal.accountId) throw noSuchBooking();
      const reserved = reserve(now, requested, takesMoney(now));
      if ('reason' in reserved) return throwRejection(reserved);
      entry = reserved.entry;
      return reserved.isNew && !requested.dryRun ? { payments: [...now.payments, reserved.entry] } : null;
    });
    if (!booking || !entry) throw noSuchBooking();
    return {
      bookingId: booking._id,
      accountId: booking.accountId,
      schoolId: booking.schoolId,
      dueCents: entry.dueCents,
    };
  }

  /** The paid amount of a booking that the account sees. */
  async paid(bookingId: string, context: RequestContext): Promise<OutputOf<typeof paidOfBooking>> {
    return { paidCents: paidCents(await this.bookings.getVisible(context, bookingId)) };
  }

  /** Counts a reserved payment, or releases its amount. The last cent of a prepayment confirms the booking. */
  async settle(
    { bookingId, paymentId, outcome }: ParsedOf<typeof settlePayment>,
    context: RequestContext,
  ): Promise<{ settled: true }> {
    const booking = await this.bookings.changeMoney(context, bookingId, (now) => {
      const payments = settle(now, paymentId, outcome);
      if (payments && 'reason' in payments) return throwRejection(payments);
      return payments && afterSettlement(now, payments);
    });
    if (!booking) throw new AppError('not_found', { field: 'bookingId' });
    return { settled: true };
  }
}
