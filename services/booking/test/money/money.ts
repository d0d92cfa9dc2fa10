import {
  type Booking,
  createBooking,
  getBooking,
  type ParsedOf,
  type RecordedMethod,
  type refundForBooking,
  reservePayment,
  settlePayment,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import type { RequestOptions } from '@swim/testing';
import type { BookingFixture, BookingInput } from '../harness.js';

/** A reservation of money; by default of 5000 USD cents by a new payment. */
export interface Reservation {
  paymentId?: string;
  amountCents?: number;
  currency?: string;
  method?: RecordedMethod;
  byConsent?: boolean;
  methodId?: string;
  dryRun?: boolean;
}

type Outcome = ParsedOf<typeof settlePayment>['outcome'];

/** The family's bookings, and the requests of payment about their money. */
export const moneyIn = (fixture: () => BookingFixture) => {
  const create = (changes: Partial<BookingInput> = {}): Promise<Booking> =>
    fixture().harness.call(createBooking, fixture().bookingInput(changes), { principal: fixture().family });
  const reserve = (bookingId: string, reservation: Reservation = {}, options: RequestOptions = {}) =>
    fixture().harness.call(
      reservePayment,
      { bookingId, paymentId: newId('pay'), amountCents: 5_000, currency: 'USD', dryRun: false, ...reservation },
      { principal: fixture().family, ...options },
    );
  const settle = (bookingId: string, paymentId: string, outcome: Outcome = 'succeeded') =>
    fixture().harness.call(settlePayment, { bookingId, paymentId, outcome }, { principal: fixture().family });
  return {
    create,
    reserve,
    settle,
    /** A booking, of 5000 cents by default, that requires prepayment. */
    prepaid: (changes: Partial<BookingInput> = {}): Promise<Booking> =>
      create({
        instructor_id: fixture().people.anInstructor(fixture().school.accountId, {}, { requirePrepayment: true }),
        ...changes,
      }),
    read: ({ id }: Booking): Promise<Booking> =>
      fixture().harness.call(getBooking, { booking_id: id }, { principal: fixture().family }),
    /** Pays a booking by a new payment; returns the payment's id. */
    pay: async ({ id }: Booking, amountCents = 5_000): Promise<string> => {
      const paymentId = newId('pay');
      await reserve(id, { paymentId, amountCents });
      await settle(id, paymentId);
      return paymentId;
    },
    /** Records that the school got money of a booking; returns the payment's id. */
    record: async ({ id }: Booking, amountCents = 5_000, method: RecordedMethod = 'cash'): Promise<string> => {
      const paymentId = newId('pay');
      await reserve(id, { paymentId, amountCents, method }, { principal: fixture().school });
      await settle(id, paymentId);
      return paymentId;
    },
    /** The refunds that a booking has requested from payment, each once. */
    refundsOf: ({ id }: Booking): ParsedOf<typeof refundForBooking>[] => {
      const requested = fixture().payment.refunds.filter(({ bookingId }) => bookingId === id);
      return [...new Map(requested.map((refund) => [refund.refundId, refund])).values()];
    },
  };
};
