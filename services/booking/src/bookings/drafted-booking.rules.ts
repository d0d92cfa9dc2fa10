import { creditMovements } from './balance.rules.js';
import { termsOf } from './booking.rules.js';
import type { FirstBooking } from './booking.schema.js';
import type { NewDraft } from './draft.schema.js';
import type { BookedSession } from './session-billing.rules.js';

/** What a draft's claim and its makeup credit add to it. */
export interface Booked {
  sessions: BookedSession[];
  /** The dates that were taken. */
  skipped: { date: string; reason: string }[];
  creditedCents: number;
  /** When a time to pay that begins now ends. */
  payUntil: Date;
  /** Now, by the account's clock, ISO 8601 UTC. */
  at: string;
  /** When requests to other services are repeated. */
  requestsAt: Date;
}

/** The booking of a draft as it is first stored. */
export function firstBookingOf({ _id, accountId, booking, times }: NewDraft, booked: Booked): FirstBooking {
  const { sessions, skipped, creditedCents, payUntil } = booked;
  const prices = sessions.map(({ priceCents }) => priceCents);
  const { status, amountCents, expiresAt } = termsOf(prices, { prepay: booking.prepay, payUntil, creditedCents });
  return {
    ...booking,
    _id,
    readers: [...new Set([accountId, booking.schoolId])],
    accountId,
    status,
    sessions,
    skipped: times.onConflict === 'skip' ? skipped : null,
    amountCents,
    payments: [],
    expiresAt,
    ...(expiresAt ? { payUntil: expiresAt } : {}),
    ...(booking.creditId ? creditedBy(booking.creditId, Math.min(creditedCents, amountCents), booked) : {}),
    freeing: false,
    attempt: 1,
    nextAt: expiresAt,
    version: 1,
  };
}

// Also when it uses nothing: then the reservation ends.
const creditedBy = (creditId: string, amountCents: number, { at, requestsAt }: Booked): Partial<FirstBooking> => ({
  movements: creditMovements(creditId, amountCents, at),
  creditSettledCents: null,
  requestsAt,
});

/** The sessions that scheduling makes of the requested times, as a booking first stores them; in the order of these ids. */
export function sessionsOf({ times: { slots } }: NewDraft, sessionIds: readonly string[]): BookedSession[] {
  const requested = slots.flatMap(({ date, durationMinutes, priceCents, sessions }) => {
    const endDate = new Date(Date.parse(date) + durationMinutes * 60_000).toISOString();
    return sessions.map(({ id, memberId }) => ({ id, memberId, date, endDate, durationMinutes, priceCents }));
  });
  const byId = new Map(requested.map((session) => [session.id, session]));
  return sessionIds.flatMap((id) => byId.get(id) ?? []);
}
