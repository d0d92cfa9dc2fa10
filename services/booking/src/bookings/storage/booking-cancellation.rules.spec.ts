import { describe, expect, it } from '@jest/globals';
import type { CancellationQuote } from '@swim/contracts';
import { bookingOf, followed, paidIn } from '../../../test/booking-states.js';
import type { BookingDocument } from './booking.schema.js';
import { planOf, toBookingQuote } from './booking-cancellation.rules.js';
import type { BookingState } from './consequences.rules.js';

const documentOf = (state: BookingState) => ({ _id: 'bkg_1', ...state }) as BookingDocument;
const quoteOf = (session_id: string, fee_cents: number, refund_cents: number): CancellationQuote => ({
  session_id,
  late: fee_cents > 0,
  free_until: '2027-03-10T16:00:00.000Z',
  fee_cents,
  refund_cents,
  credit_returned_cents: 0,
  makeup_credit: false,
  currency: 'USD',
});
const missed = { attendance: 'no_show' } as const;

describe('the quote of a booking with a missed lesson', () => {
  it('refunds what the cancellation of the others gives back, though the lesson may still be corrected', () => {
    const booking = documentOf(paidIn(followed(bookingOf([3_000, 3_000]), 'ses_0', missed, 0), 3_000));
    const quotes = [quoteOf('ses_1', 1_500, 1_500)];
    expect(toBookingQuote(booking, quotes)).toMatchObject({
      fee_cents: 1_500,
      refund_cents: 1_500,
      makeup_credit: true,
      sessions: [{ session_id: 'ses_1', refund_cents: 1_500, makeup_credit: true }],
    });
    expect(planOf(booking, quotes, () => 'crd_1')).toEqual([
      { id: 'ses_1', late: true, feeCents: 1_500, creditId: 'crd_1' },
    ]);
  });

  it('does not count what goes back for the missed lesson itself', () => {
    const booking = documentOf(followed(paidIn(bookingOf([3_000, 3_000]), 6_000), 'ses_0', missed, 50));
    expect(toBookingQuote(booking, [quoteOf('ses_1', 0, 3_000)])).toMatchObject({ fee_cents: 0, refund_cents: 3_000 });
  });
});
