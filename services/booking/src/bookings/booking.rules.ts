import {
  type Booking,
  type createBooking,
  type ParsedOf,
  type Participants,
  participantsRejection,
  priceCents,
  type Session,
} from '@swim/contracts';
import type { Rejection } from './ledger.rules.js';

/** What a client asks for, validated by shape. */
export type BookingInput = ParsedOf<typeof createBooking>;

type Instructor = NonNullable<Participants['instructor']>;

/** One date as scheduling is asked for it: a session for each member. */
export interface RequestedSlot {
  /** ISO 8601 UTC. */
  date: string;
  durationMinutes: number;
  /** Price for each member. */
  priceCents: number;
  sessions: { id: string; memberId: string }[];
}

/** Who wants the booking and who would take part in it. */
export interface Proposal {
  input: BookingInput;
  participants: Participants;
  /** Account that asks. */
  makerId: string;
  now: Date;
}

function findDateRejection({ input, now }: Proposal): Rejection | null {
  const past = input.sessions.findIndex(({ date }) => Date.parse(date) <= now.getTime());
  return past === -1 ? null : { reason: 'in_past', field: `sessions.${past}.date` };
}

/** Why a booking cannot be made whatever the calendar says; null when it can (contract, Bookings). */
export function findRejection(proposal: Proposal): Rejection | null {
  const { participants, input, makerId } = proposal;
  return participantsRejection(participants, { memberIds: input.member_ids, makerId }) ?? findDateRejection(proposal);
}

/** The dates with their prices; `sessionId` names the session of a date (by position) and a member. */
export function requestedSlots(
  input: BookingInput,
  instructor: Instructor,
  sessionId: (index: number, memberId: string) => string,
): RequestedSlot[] {
  return input.sessions.map(({ date, duration_minutes }, index) => ({
    date,
    durationMinutes: duration_minutes,
    priceCents: priceCents(instructor.hourlyRateCents, duration_minutes),
    sessions: input.member_ids.map((memberId) => ({ id: sessionId(index, memberId), memberId })),
  }));
}

/** What a booking becomes once its times are taken. */
export interface Terms {
  status: 'pending' | 'confirmed';
  amountCents: number;
  expiresAt: Date | null;
}

/**
 * Terms of a booking of sessions at these prices. It is confirmed at once, unless the school asks for prepayment and
 * there is something to pay: then it waits for its money until `payUntil`.
 */
export function termsOf(pricesCents: number[], prepay: boolean, payUntil: Date): Terms {
  const amountCents = pricesCents.reduce((sum, price) => sum + price, 0);
  return prepay && amountCents > 0
    ? { status: 'pending', amountCents, expiresAt: payUntil }
    : { status: 'confirmed', amountCents, expiresAt: null };
}

/** Sessions in the order they are answered: by date, then as their members were named. */
export function inOrder<S extends Pick<Session, 'date' | 'member_id'>>(sessions: S[], memberIds: string[]): S[] {
  const rank = new Map(memberIds.map((memberId, index) => [memberId, index]));
  const rankOf = (session: S): number => rank.get(session.member_id) ?? memberIds.length;
  return [...sessions].sort((a, b) => (a.date === b.date ? rankOf(a) - rankOf(b) : a.date < b.date ? -1 : 1));
}

/** Most bytes of sessions to be asked for in one reply: the bus carries 4 MB. */
const MOST_REPLY_BYTES = 4_000_000;
/** Most bytes of a session in JSON beside its notes: cancelled, for the longest reason, each character escaped. */
const MOST_SESSION_BYTES = 4_000;

const replyBytes = (sessionCount: number, notes: string | null): number =>
  sessionCount * (MOST_SESSION_BYTES + new TextEncoder().encode(JSON.stringify(notes)).length);

/**
 * The notes that each session of a booking repeats. Where so many sessions with such notes would not fit into one reply,
 * they stay with the booking alone.
 */
export const notesOfSessions = (notes: string | null, sessionCount: number): string | null =>
  replyBytes(sessionCount, notes) > MOST_REPLY_BYTES ? null : notes;

/** Splits bookings into batches whose sessions fit into one reply. */
export function batchesOf<B extends { sessions: unknown[]; notes: string | null }>(bookings: B[]): B[][] {
  const batches: B[][] = [];
  let bytes = Infinity;
  for (const booking of bookings) {
    const count = booking.sessions.length;
    const own = replyBytes(count, notesOfSessions(booking.notes, count));
    if (bytes + own > MOST_REPLY_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)!.push(booking);
    bytes += own;
  }
  return batches;
}

/** Statuses in which a booking takes money; not while it is `claiming` or `failed`, which nobody sees. */
export const PAYABLE: readonly Booking['status'][] = ['pending', 'confirmed', 'completed'];
