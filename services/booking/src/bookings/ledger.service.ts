import { Injectable } from '@nestjs/common';
import type { OutputOf, ParsedOf, paidOfBooking, reservePayment, settlePayment } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError } from '@swim/platform';
import { PAYABLE } from './booking.rules.js';
import type { BookingDocument } from './booking.schema.js';
import { BookingsRepository } from './bookings.repository.js';
import { afterSettlement, type LedgerEntry, paidCents, reserve, settle } from './ledger.rules.js';
import { refuse } from './refusal.js';

const noSuchBooking = () => new AppError('not_found', { field: 'booking_id' });

const takesMoney = ({ status, freeing }: BookingDocument): boolean =>
  !freeing && PAYABLE.some((payable) => payable === status);

/** The money of bookings: set aside before the processor is asked, settled by what it answered. */
@Injectable()
export class LedgerService {
  constructor(private readonly bookings: BookingsRepository) {}

  /** Sets money aside for one payment in one update. Only the booking's own account pays. */
  async reserve(wanted: ParsedOf<typeof reservePayment>, call: Call): Promise<OutputOf<typeof reservePayment>> {
    let entry: LedgerEntry | undefined;
    const booking = await this.bookings.changeMoney(call, wanted.bookingId, (now) => {
      if (now.accountId !== call.principal.accountId) throw noSuchBooking();
      const reserved = reserve(now, wanted, takesMoney(now));
      if ('reason' in reserved) return refuse(reserved);
      entry = reserved.entry;
      return reserved.isNew && !wanted.dryRun ? { payments: [...now.payments, reserved.entry] } : null;
    });
    if (!booking || !entry) throw noSuchBooking();
    return {
      bookingId: booking._id,
      accountId: booking.accountId,
      schoolId: booking.schoolId,
      dueCents: entry.dueCents,
    };
  }

  /** What has been paid of a booking that the caller sees. */
  async paid(bookingId: string, call: Call): Promise<OutputOf<typeof paidOfBooking>> {
    return { paidCents: paidCents(await this.bookings.getVisible(call, bookingId)) };
  }

  /** Counts a reserved payment, or frees what it held. The last cent of a prepayment confirms the booking. */
  async settle(
    { bookingId, paymentId, outcome }: ParsedOf<typeof settlePayment>,
    call: Call,
  ): Promise<{ settled: true }> {
    const booking = await this.bookings.changeMoney(call, bookingId, (now) => {
      const payments = settle(now, paymentId, outcome);
      if (payments && 'reason' in payments) return refuse(payments);
      return payments && afterSettlement(now, payments);
    });
    if (!booking) throw new AppError('not_found', { field: 'bookingId' });
    return { settled: true };
  }
}
