import { Controller } from '@nestjs/common';
import {
  createBooking,
  getBooking,
  listBookings,
  type ParsedOf,
  paidOfBooking,
  reservePayment,
  settlePayment,
} from '@swim/contracts';
import { type Call, Serve } from '@swim/messaging';
import { BookingsService } from './bookings.service.js';
import { LedgerService } from './ledger.service.js';

@Controller()
export class BookingsController {
  constructor(
    private readonly bookings: BookingsService,
    private readonly ledger: LedgerService,
  ) {}

  @Serve(createBooking)
  create(input: ParsedOf<typeof createBooking>, call: Call) {
    return this.bookings.create(input, call);
  }

  @Serve(getBooking)
  get(input: ParsedOf<typeof getBooking>, call: Call) {
    return this.bookings.get(input.booking_id, call);
  }

  @Serve(listBookings)
  list(input: ParsedOf<typeof listBookings>, call: Call) {
    return this.bookings.list(input, call);
  }

  @Serve(reservePayment)
  reserve(input: ParsedOf<typeof reservePayment>, call: Call) {
    return this.ledger.reserve(input, call);
  }

  @Serve(paidOfBooking)
  paid(input: ParsedOf<typeof paidOfBooking>, call: Call) {
    return this.ledger.paid(input.bookingId, call);
  }

  @Serve(settlePayment)
  settle(input: ParsedOf<typeof settlePayment>, call: Call) {
    return this.ledger.settle(input, call);
  }
}
