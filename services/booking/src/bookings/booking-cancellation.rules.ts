import type { BookingCancellationQuote, CancellationQuote } from '@swim/contracts';
import { paidCents, sumOf } from './balance.rules.js';
import type { BookingDocument } from './booking.schema.js';
import { withConsequences } from './consequences.rules.js';

/** Whether a booking can be cancelled: it has not ended, and does not expire right now. */
export const isCancellable = ({ status, freeing }: BookingDocument): boolean =>
  !freeing && (status === 'pending' || status === 'confirmed');

/** The booking as it would be after a cancellation with these fees. */
export function afterCancellation(booking: BookingDocument, quotes: CancellationQuote[]): BookingDocument {
  const fees = new Map(quotes.map(({ session_id, fee_cents }) => [session_id, fee_cents]));
  const sessions = booking.sessions.map((session) =>
    fees.has(session.id) ? { ...session, status: 'cancelled' as const, feeCents: fees.get(session.id)! } : session,
  );
  const [at, requestsAt] = [new Date(0).toISOString(), new Date(0)];
  return { ...booking, ...withConsequences(booking, { sessions }, { at, requestsAt, newRefundId: () => '' }) };
}

/** The quote of a booking: fees and refunds are those that its cancellation causes. */
export function toBookingQuote(booking: BookingDocument, quotes: CancellationQuote[]): BookingCancellationQuote {
  const after = afterCancellation(booking, quotes);
  return {
    booking_id: booking._id,
    free_until: quotes.map(({ free_until }) => free_until).reduce((a, b) => (a < b ? a : b)),
    fee_cents: sumOf(after, 'fee') - sumOf(booking, 'fee'),
    refund_cents: paidCents(booking) - paidCents(after),
    makeup_credit: false,
    currency: booking.currency,
    sessions: quotes,
  };
}
