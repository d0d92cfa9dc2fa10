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

/** The sessions of the requested times with these ids, as a booking first stores them, in this order. */
export function sessionsOf(draft: NewDraft, ids: readonly string[]): BookedSession[] {
  const byId = new Map(requestedSessions(draft).map((session) => [session.id, session]));
  return ids.map((id) => byId.get(id) ?? missing(id));
}

/** Sessions that scheduling has made as the booking first stores them, whatever became of them since. */
export function sessionsAsBooked(draft: NewDraft, made: readonly MadeSession[]): BookedSession[] {
  const byId = new Map(requestedSessions(draft).map((session) => [session.id, session]));
  const known = made.map(({ id }) => byId.get(id));
  return known.every((session) => session !== undefined) ? known : sessionsOfHold(draft, made);
}

/**
 * The sessions of a hold that a former release has placed or begun to book, whose ids the draft does not have: each is the one at its
 * time, and one that was moved is another one of its member.
 */
function sessionsOfHold(draft: NewDraft, made: readonly MadeSession[]): BookedSession[] {
  const left = new Set(requestedSessions(draft));
  const take = (fits: (session: BookedSession) => boolean): BookedSession | undefined => {
    const found = [...left].find(fits);
    if (found) left.delete(found);
    return found;
  };
  const startOf = ({ date }: { date: string }): number => Date.parse(date);
  const atItsTime = made.map((each) =>
    take((session) => session.memberId === each.memberId && startOf(session) === startOf(each)),
  );
  return made.map(({ id, memberId }, index) => {
    const booked = atItsTime[index] ?? take((session) => session.memberId === memberId) ?? missing(id);
    return { ...booked, id };
  });
}

type MadeSession = Pick<BookedSession, 'id' | 'memberId' | 'date'>;

const requestedSessions = ({ times: { slots } }: NewDraft): BookedSession[] =>
  slots.flatMap(({ date, durationMinutes, priceCents, sessions }) => {
    const endDate = new Date(Date.parse(date) + durationMinutes * 60_000).toISOString();
    const state = { status: 'scheduled', attendance: 'pending', version: 1 } as const;
    const booked = { date, endDate, durationMinutes, priceCents, ...state };
    return sessions.map(({ id, memberId }) => ({ id, memberId, ...booked }));
  });

function missing(id: string): never {
  throw new Error(`The draft has no session ${id}.`);
}
