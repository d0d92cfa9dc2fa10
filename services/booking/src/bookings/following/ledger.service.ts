import { Injectable } from '@nestjs/common';
import {
  type OutputOf,
  type ParsedOf,
  paidOfBooking,
  recordDispute,
  reservePayment,
  reserveRefund,
  settlePayment,
  settleRefund,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, Clock, type RequestContext } from '@swim/platform';
import { creditedCents, dueCents, type LedgerEntry, paidCents, type Refund, sumOf } from '../../money/balance.rules.js';
import { withDispute } from '../../money/dispute.rules.js';
import { type Rejection, reserve, settle, withReservation } from '../../money/ledger.rules.js';
import {
  allocatableCents,
  reserveRefund as reservedRefund,
  settleRefund as settledRefund,
} from '../../money/refund.rules.js';
import { missedFeesOf, owesFees } from '../../money/session-billing.rules.js';
import { PAYABLE } from '../request/booking.rules.js';
import { throwRejection } from '../request/rejection.js';
import type { BookingDocument } from '../storage/booking.schema.js';
import { BookingsRepository } from '../storage/bookings.repository.js';
import type { BookingState } from '../storage/consequences.rules.js';
import { BookingRequests } from './booking-requests.service.js';
import { ConsentsService } from './consents.service.js';

const noSuchBooking = () => new AppError('not_found', { field: 'booking_id' });
const noConsent = () => new AppError('no_consent', { field: 'booking_id' });

/** A cancelled booking is paid as long as something is due: its fees. */
const takesMoney = (booking: BookingDocument): boolean => {
  const { status, freeing, cancelling } = booking;
  if (freeing || cancelling) return false;
  return status === 'cancelled' ? dueCents(booking) > 0 : PAYABLE.some((payable) => payable === status);
};

/** The money of bookings: reserved before the processor charges or refunds it, settled by the outcome. */
@Injectable()
export class LedgerService {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly requests: BookingRequests,
    private readonly clock: Clock,
    private readonly consents: ConsentsService,
  ) {}

  /**
   * Reserves money for one payment in one update. Only the booking's own account may pay; only its school records what it got, and
   * charges by that account's consent.
   */
  @Serve(reservePayment)
  async reserve(
    requested: ParsedOf<typeof reservePayment>,
    context: RequestContext,
  ): Promise<OutputOf<typeof reservePayment>> {
    let entry: LedgerEntry | undefined;
    const since = requested.byConsent ? await this.consentsSince(requested.bookingId, context) : null;
    const booking = await this.bookings.follow(context, requested.bookingId, (now) => {
      if (requested.method || requested.byConsent) requireSchool(now, context);
      else if (now.accountId !== context.principal.accountId) throw noSuchBooking();
      if (since && now.consent && now.consent.at <= since) throw noConsent();
      const reserved = reserve(now, requested, takesMoney(now), this.clock.now().toISOString());
      if ('reason' in reserved) return throwRejection(reserved);
      entry = reserved.entry;
      return reserved.isNew && !requested.dryRun ? withReservation(now, reserved.entry) : null;
    });
    if (!booking || !entry) throw noSuchBooking();
    return {
      bookingId: booking._id,
      accountId: booking.accountId,
      schoolId: booking.schoolId,
      dueCents: entry.dueCents,
      methodId: entry.methodId,
    };
  }

  /** The instant after which a consent of the booking's account was given that lasts. */
  private async consentsSince(bookingId: string, context: RequestContext): Promise<Date> {
    const booking = await this.bookings.findAny(bookingId);
    if (!booking?.readers.includes(context.principal.accountId)) throw noSuchBooking();
    // An account that books with another school has to name its method.
    if (booking.schoolId !== context.principal.accountId)
      throw new AppError('required', {
        field: 'payment_method_id',
        message: 'payment_method_id is required: send the payment method to charge.',
      });
    const since = await this.consents.lastingSince(booking, context);
    if (!since) throw noConsent();
    return since;
  }

  /** The paid, the credited and the waived amount of a booking that the account sees, and what cancellations depend on. */
  @Serve(paidOfBooking)
  async paid(
    { bookingId }: ParsedOf<typeof paidOfBooking>,
    context: RequestContext,
  ): Promise<OutputOf<typeof paidOfBooking>> {
    const booking = await this.bookings.getVisible(context, bookingId);
    return {
      paidCents: paidCents(booking),
      creditedCents: creditedCents(booking),
      waivedCents: sumOf(booking, 'waiver'),
      refundableCents: allocatableCents(booking),
      missedFees: missedFeesOf(booking.sessions),
      owesFees: owesFees(booking),
    };
  }

  /** Counts a reserved payment, or releases its amount. The last cent of a prepayment confirms the booking. */
  @Serve(settlePayment)
  async settle(
    { bookingId, paymentId, outcome }: ParsedOf<typeof settlePayment>,
    context: RequestContext,
  ): Promise<{ settled: true }> {
    await this.change(bookingId, context, (now) => changeOf('payments', settle(now, paymentId, outcome)));
    return { settled: true };
  }

  /** Reserves money of one payment for a refund, in one update. Only the booking's school may refund. */
  @Serve(reserveRefund)
  async reserveRefund(
    requested: ParsedOf<typeof reserveRefund>,
    context: RequestContext,
  ): Promise<OutputOf<typeof reserveRefund>> {
    let reserved: { refund: Refund; refundableCents: number } | undefined;
    const booking = await this.bookings.follow(context, requested.bookingId, (now) => {
      requireSchool(now, context);
      const result = reservedRefund(now, requested);
      if ('reason' in result) return throwRejection(result);
      reserved = result;
      return result.isNew && !requested.dryRun ? { refunds: [...(now.refunds ?? []), result.refund] } : null;
    });
    if (!booking || !reserved) throw noSuchBooking();
    return { amountCents: reserved.refund.amountCents, refundableCents: reserved.refundableCents };
  }

  /** Counts a refund, or releases the amount of one that failed. */
  @Serve(settleRefund)
  async settleRefund(
    { bookingId, ...outcome }: ParsedOf<typeof settleRefund>,
    context: RequestContext,
  ): Promise<{ settled: true }> {
    await this.change(bookingId, context, (now) => changeOf('refunds', settledRefund(now, outcome)));
    return { settled: true };
  }

  /** Records the state of a dispute; the amount of a lost one is no longer paid. */
  @Serve(recordDispute)
  async recordDispute(
    { bookingId, ...dispute }: ParsedOf<typeof recordDispute>,
    context: RequestContext,
  ): Promise<{ recorded: true }> {
    await this.change(bookingId, context, (now) => changeOf('payments', withDispute(now, dispute)));
    return { recorded: true };
  }

  private async change(
    bookingId: string,
    context: RequestContext,
    decide: (now: BookingDocument) => Partial<BookingState> | null,
  ): Promise<void> {
    const booking = await this.bookings.follow(context, bookingId, decide);
    if (!booking) throw new AppError('not_found', { field: 'bookingId' });
    this.requests.sendSoon(booking);
  }
}

function requireSchool({ readers, schoolId }: BookingDocument, { principal }: RequestContext): void {
  if (!readers.includes(principal.accountId)) throw noSuchBooking();
  if (schoolId !== principal.accountId) throw new AppError('school_only');
}

/** The change of a field by a rule; null when there is none. Throws its rejection. */
function changeOf<F extends 'payments' | 'refunds'>(
  field: F,
  result: (LedgerEntry | Refund)[] | null | Rejection,
): Partial<BookingState> | null {
  if (result && 'reason' in result) return throwRejection(result);
  return result && { [field]: result };
}
