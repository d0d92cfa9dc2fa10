import { isCausedBy, privateLessonId } from '@swim/contracts';
import { creditMovements } from '../../money/balance.rules.js';
import type { Consent } from '../../money/consent.rules.js';
import { duePartsOf } from '../../money/due-parts.rules.js';
import type { BookedSession } from '../../money/session-billing.rules.js';
import type { NewDraft } from '../drafts/draft.schema.js';
import { termsOf } from '../request/booking.rules.js';
import type { FirstBooking } from './booking.schema.js';

/** What a draft's claim and its makeup credit add to it. */
export interface Booked {
  sessions: BookedSession[];
  /** The dates that were taken. */
  skipped: { lesson_id?: string | undefined; date: string; reason: string }[];
  creditedCents: number;
  /** When a time to pay that begins now ends. */
  payUntil: Date;
  /** Now, by the account's clock, ISO 8601 UTC. */
  at: string;
  /** When the request came, in real time. */
  requestedAt: Date;
  /** When requests to other services are repeated. */
  requestsAt: Date;
}

/** The booking of a draft as it is first stored. */
export function firstBookingOf({ _id, accountId, booking, times, cause }: NewDraft, booked: Booked): FirstBooking {
  const { sessions, skipped, creditedCents, payUntil } = booked;
  const prices = sessions.map(({ priceCents }) => priceCents);
  const { status, amountCents, expiresAt } = termsOf(prices, { prepay: booking.prepay, payUntil, creditedCents });
  const first: FirstBooking = {
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
    ...(booking.paymentMethodId ? { consent: consentOf(amountCents, booked) } : {}),
    ...(isCausedBy(accountId, cause) ? { ownChangeAt: new Date(booked.at) } : {}),
    freeing: false,
    attempt: 1,
    nextAt: expiresAt,
    version: 1,
  };
  return { ...first, dueParts: duePartsOf(first) };
}

// It was given with the request: a connection that has ended while the booking was made has ended it.
const consentOf = (amountCents: number, { requestedAt }: Booked): Consent => ({
  agreedCents: amountCents,
  ownCents: amountCents,
  at: requestedAt,
});

// A credit of which nothing is used has them too: its reservation ends then.
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

const requestedSessions = ({ booking: { instructorId }, times: { slots } }: NewDraft): BookedSession[] =>
  slots.flatMap(({ date, durationMinutes, priceCents, sessions, ...of }) => {
    const endDate = new Date(Date.parse(date) + durationMinutes * 60_000).toISOString();
    const state = { status: 'scheduled', attendance: 'pending', version: 1 } as const;
    const lessonId = of.lessonId ?? privateLessonId(sessions.map(({ id }) => id));
    const booked = {
      lessonId,
      instructorId: of.instructorId ?? instructorId,
      date,
      endDate,
      durationMinutes,
      priceCents,
      ...state,
    };
    return sessions.map(({ id, memberId }) => ({ id, memberId, ...booked }));
  });

function missing(id: string): never {
  throw new Error(`The draft has no session ${id}.`);
}
