import type { BookingCancellationQuote, CancellationQuote } from '@swim/contracts';
import { creditedCents, paidCents, sumOf } from '../../money/balance.rules.js';
import { missedToBeFinal, toReturnCents } from '../../money/returns.rules.js';
import type { BookingDocument, Cancelling } from './booking.schema.js';
import { withConsequences } from './consequences.rules.js';

/** Whether the cancellation in progress is the same: after one of a part has ended, another may have begun. */
export const isSameCancellation = (
  { cancelling: now }: Pick<BookingDocument, 'cancelling'>,
  { cancelling: then }: Pick<BookingDocument, 'cancelling'>,
): boolean => !!now && now.at === then?.at && now.from === then.from;

/** Whether a booking can be cancelled: it has not ended, and does not expire right now. */
export const isCancellable = ({ status, freeing }: BookingDocument): boolean =>
  !freeing && (status === 'pending' || status === 'confirmed');

/** Whether its cancellation can give makeup credits: by the policy when it was booked. */
export const givesCredits = ({ terms }: BookingDocument): boolean => terms.makeupCredits;

/** The sessions of a cancellation, as it is stored. */
export type PlannedSessions = NonNullable<Cancelling['sessions']>;

const NONE = new Date(0);
/** Values for a change that is computed but not stored. */
const PREVIEW = { at: NONE.toISOString(), requestsAt: NONE, dueNow: NONE, payUntil: NONE, newId: () => '' };

/** The booking as it would be after this cancellation. */
export function afterCancellation(booking: BookingDocument, planned: PlannedSessions): BookingDocument {
  const plans = new Map(planned.map((plan) => [plan.id, plan]));
  const sessions = booking.sessions.map((session) => {
    const plan = plans.get(session.id);
    if (!plan) return session;
    const given = plan.creditId === undefined ? {} : { creditId: plan.creditId };
    return { ...session, status: 'cancelled' as const, feeCents: plan.feeCents, ...given };
  });
  return { ...booking, ...withConsequences(booking, { sessions }, PREVIEW) };
}

/** The booking once the attendances are final that its money awaits: until then nothing is given back for them. */
function onceFinal(booking: BookingDocument): BookingDocument {
  const missed = new Set(missedToBeFinal(booking).map(({ id }) => id));
  if (missed.size === 0) return booking;
  const sessions = booking.sessions.map((each) => (missed.has(each.id) ? { ...each, isFinal: true } : each));
  return { ...booking, ...withConsequences(booking, { sessions }, PREVIEW) };
}

const plannedFee = ({ session_id: id, late, fee_cents: feeCents }: CancellationQuote) => ({ id, late, feeCents });

/**
 * The cancellation of these sessions; with `newCreditId`, those for which something would be refunded give a makeup credit
 * instead.
 */
export function planOf(
  booking: BookingDocument,
  quotes: CancellationQuote[],
  newCreditId?: () => string,
): PlannedSessions {
  const plain = quotes.map(plannedFee);
  if (!newCreditId) return plain;
  const requested = plain.map((session) => ({ ...session, creditId: newCreditId() }));
  const given = new Set(onceFinal(afterCancellation(booking, requested)).issues?.map(({ id }) => id));
  return requested.map(({ creditId, ...session }) => (given.has(creditId) ? { ...session, creditId } : session));
}

/**
 * The quote of a booking: fees, refunds and credits are those that its cancellation causes, also once missed sessions are final
 * because of it.
 */
export function toBookingQuote(booking: BookingDocument, quotes: CancellationQuote[]): BookingCancellationQuote {
  const now = onceFinal(booking);
  const after = onceFinal(afterCancellation(booking, quotes.map(plannedFee)));
  const returnCents = toReturnCents(after) - toReturnCents(now);
  const refundCents = paidCents(now) - paidCents(after) + returnCents;
  const creditCents = creditedCents(now) - creditedCents(after);
  return {
    booking_id: booking._id,
    free_until: quotes.map(({ free_until }) => free_until).reduce((a, b) => (a < b ? a : b)),
    fee_cents: sumOf(after, 'fee') - sumOf(booking, 'fee'),
    refund_cents: refundCents,
    credit_returned_cents: creditCents,
    makeup_credit: givesCredits(booking) && refundCents > 0,
    currency: booking.currency,
    sessions: splitBetween(quotes, { refundCents, creditCents }, givesCredits(booking)),
  };
}

/**
 * Scheduling quotes what money paid for a session exceeds its fee. As much of it is refunded, and then goes to the credit, as the
 * booking returns: fees of other sessions that nothing has paid are kept of it.
 */
function splitBetween(
  quotes: CancellationQuote[],
  returned: { refundCents: number; creditCents: number },
  hasCredits: boolean,
): CancellationQuote[] {
  let { refundCents: leftPaid, creditCents: leftCredit } = returned;
  return quotes.map((quote) => {
    const refunded = Math.min(quote.refund_cents, leftPaid);
    const credited = Math.min(quote.refund_cents - refunded, leftCredit);
    leftPaid -= refunded;
    leftCredit -= credited;
    return {
      ...quote,
      refund_cents: refunded,
      credit_returned_cents: credited,
      makeup_credit: hasCredits && refunded > 0,
    };
  });
}
