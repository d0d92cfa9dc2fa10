import { Controller } from '@nestjs/common';
import {
  cancelBooking,
  createBooking,
  getBooking,
  listBookings,
  type ParsedOf,
  paidOfBooking,
  quoteBookingCancellation,
  recordDispute,
  reservePayment,
  reserveRefund,
  settlePayment,
  settleRefund,
  updateBooking,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { BookingCancellation } from './booking-cancellation.service.js';
import { BookingsService } from './bookings.service.js';
import { LedgerService } from './ledger.service.js';

@Controller()
export class BookingsController {
  constructor(
    private readonly bookings: BookingsService,
    private readonly ledger: LedgerService,
    private readonly cancellation: BookingCancellation,
  ) {}

  @Serve(createBooking)
  create(input: ParsedOf<typeof createBooking>, context: RequestContext) {
    return this.bookings.create(input, context);
  }

  @Serve(getBooking)
  get(input: ParsedOf<typeof getBooking>, context: RequestContext) {
    return this.bookings.get(input.booking_id, context);
  }

  @Serve(updateBooking)
  update(input: ParsedOf<typeof updateBooking>, context: RequestContext) {
    return this.bookings.update(input, context);
  }

  @Serve(listBookings)
  list(input: ParsedOf<typeof listBookings>, context: RequestContext) {
    return this.bookings.list(input, context);
  }

  @Serve(quoteBookingCancellation)
  quote(input: ParsedOf<typeof quoteBookingCancellation>, context: RequestContext) {
    return this.cancellation.quote(input.booking_id, context);
  }

  @Serve(cancelBooking)
  cancel(input: ParsedOf<typeof cancelBooking>, context: RequestContext) {
    return this.cancellation.cancel(input, context);
  }

  @Serve(reservePayment)
  reserve(input: ParsedOf<typeof reservePayment>, context: RequestContext) {
    return this.ledger.reserve(input, context);
  }

  @Serve(paidOfBooking)
  paid(input: ParsedOf<typeof paidOfBooking>, context: RequestContext) {
    return this.ledger.paid(input.bookingId, context);
  }

  @Serve(settlePayment)
  settle(input: ParsedOf<typeof settlePayment>, context: RequestContext) {
    return this.ledger.settle(input, context);
  }

  @Serve(reserveRefund)
  reserveRefund(input: ParsedOf<typeof reserveRefund>, context: RequestContext) {
    return this.ledger.reserveRefund(input, context);
  }

  @Serve(settleRefund)
  settleRefund(input: ParsedOf<typeof settleRefund>, context: RequestContext) {
    return this.ledger.settleRefund(input, context);
  }

  @Serve(recordDispute)
  recordDispute(input: ParsedOf<typeof recordDispute>, context: RequestContext) {
    return this.ledger.recordDispute(input, context);
  }
}
