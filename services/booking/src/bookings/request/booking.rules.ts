import {
  type Booking,
  type BookingTerms,
  type createBooking,
  type DescribedLesson,
  type ParsedOf,
  type Participants,
  participantsRejection,
  priceCents,
  type Session,
  timeReason,
  unrepresentable,
} from '@swim/contracts';
import type { Rejection } from '../../money/ledger.rules.js';

/** A client's request, validated against the contract, with the times of its recurrence or of its lessons. */
export type BookingInput = ParsedOf<typeof createBooking> & {
  instructor_id: string;
  /** With the prices that the school sets. */
  sessions: NonNullable<ParsedOf<typeof createBooking>['sessions']>;
  /** The lessons of `lesson_ids`; absent without them. */
  lessons?: readonly DescribedLesson[];
};

type Instructor = NonNullable<Participants['instructor']>;

/** One requested date: a session for each member. */
export interface RequestedSlot {
  /** ISO 8601 UTC. */
  date: string;
  durationMinutes: number;
  /** Price for each member. */
  priceCents: number;
  /** The school has set it. */
  priceIsSet?: true;
  sessions: { id: string; memberId: string }[];
  /** The lesson in which they take places, and its instructor; absent where they make one. */
  lessonId?: string;
  instructorId?: string;
}

/** The requesting account, and the participants. */
export interface Proposal {
  input: BookingInput;
  participants: Participants;
  /** The requesting account. */
  makerId: string;
  now: Date;
}

function findDateRejection({ input, now }: Proposal): Rejection | null {
  for (const [index, { date }] of input.sessions.entries()) {
    const reason = timeReason(Date.parse(date), now.getTime());
    if (reason) return { reason, field: fieldOf(input, index) };
  }
  return null;
}

const fieldOf = ({ recurrence, lessons }: BookingInput, index: number): string => {
  if (lessons) return `lesson_ids.${index}`;
  return recurrence ? 'recurrence.start_local' : `sessions.${index}.date`;
};

/** Why a booking is rejected regardless of the calendar; null when it is not (contract, Bookings). */
export function findRejection(proposal: Proposal): Rejection | null {
  const { participants, input, makerId } = proposal;
  const request = { memberIds: input.member_ids, makerId, inLessons: input.lessons !== undefined };
  return participantsRejection(participants, request) ?? findDateRejection(proposal) ?? findPriceRejection(proposal);
}

/** Only the school sets prices, and only such as processors take. */
function findPriceRejection({ input, participants, makerId }: Proposal): Rejection | null {
  const { schoolId, currency } = participants.instructor!;
  for (const [index, { price_cents: price }] of input.sessions.entries()) {
    if (price === undefined) continue;
    const field = `${input.recurrence ? 'recurrence' : `sessions.${index}`}.price_cents`;
    if (schoolId !== makerId) return { reason: 'school_only', field };
    const rejection = unrepresentable(field, price, currency);
    if (rejection) return rejection;
  }
  return null;
}

/** The dates with their prices; `sessionId` names the session of a date (by position) and a member. */
export function requestedSlots(
  input: BookingInput,
  instructor: Instructor,
  sessionId: (index: number, memberId: string) => string,
): RequestedSlot[] {
  return input.sessions.map(({ date, duration_minutes, price_cents: price }, index) => {
    const lesson = input.lessons?.[index];
    return {
      date,
      durationMinutes: duration_minutes,
      priceCents:
        price ?? lesson?.priceCents ?? priceCents(instructor.hourlyRateCents, duration_minutes, instructor.currency),
      ...(price === undefined ? {} : { priceIsSet: true as const }),
      sessions: input.member_ids.map((memberId) => ({ id: sessionId(index, memberId), memberId })),
      ...(lesson ? { lessonId: lesson.id, instructorId: lesson.instructorId } : {}),
    };
  });
}

/** The terms of a booking once its times are claimed. */
export interface Terms {
  status: 'pending' | 'confirmed';
  amountCents: number;
  expiresAt: Date | null;
}

/** The facts that decide whether a booking waits for its prepayment. */
export interface PrepaymentTerms {
  /** Whether the school requires it. */
  prepay: boolean;
  payUntil: Date;
  /** The amount that a makeup credit pays. */
  creditedCents: number;
}

/**
 * Terms of a booking of sessions at these prices. It is confirmed at once, unless the school requires prepayment and a part of the
 * amount is not paid by a credit: then it is pending until `payUntil`.
 */
export function termsOf(pricesCents: number[], { prepay, payUntil, creditedCents }: PrepaymentTerms): Terms {
  const amountCents = pricesCents.reduce((sum, price) => sum + price, 0);
  return prepay && amountCents > creditedCents
    ? { status: 'pending', amountCents, expiresAt: payUntil }
    : { status: 'confirmed', amountCents, expiresAt: null };
}

/** The terms that hold for a booking, whatever becomes of the instructor's rate and the school's policies. */
export const bookingTermsOf = (
  { hourlyRateCents }: Instructor,
  policies: NonNullable<Participants['policies']>,
): BookingTerms => ({
  hourlyRateCents,
  freeCancellationHours: policies.freeCancellationHours,
  lateFeePercent: policies.lateFeePercent,
  noShowFeePercent: policies.noShowFeePercent,
  makeupCredits: policies.makeupCredits,
});

/** Sessions in the order of responses: by date, then by the order of the members. */
export function inOrder<S extends Pick<Session, 'date' | 'member_id'>>(sessions: S[], memberIds: string[]): S[] {
  const rank = new Map(memberIds.map((memberId, index) => [memberId, index]));
  const rankOf = (session: S): number => rank.get(session.member_id) ?? memberIds.length;
  return [...sessions].sort((a, b) => (a.date === b.date ? rankOf(a) - rankOf(b) : a.date < b.date ? -1 : 1));
}

/** Maximum bytes of sessions in one reply: the message limit of NATS is 4 MB. */
const MOST_REPLY_BYTES = 4_000_000;
/** Maximum bytes of a session in JSON without its notes: cancelled, with the longest reasons, each character escaped. */
const MOST_SESSION_BYTES = 5_500;

const replyBytes = (sessionCount: number, notes: string | null): number =>
  sessionCount * (MOST_SESSION_BYTES + new TextEncoder().encode(JSON.stringify(notes)).length);

/**
 * The notes that each session of a booking repeats. When all sessions with these notes would not fit into one reply, only the
 * booking has them.
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

/** Statuses in which a booking accepts payments; not `claiming` and `failed`, which are not visible. */
export const PAYABLE: readonly Booking['status'][] = ['pending', 'confirmed', 'completed'];
