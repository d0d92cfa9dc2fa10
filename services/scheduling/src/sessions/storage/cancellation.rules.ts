import { type Participants, type Session, shareCents } from '@swim/contracts';
import type { ClosestMove, SessionDocument } from './session.schema.js';

/** Who cancels, when, and by which policies. */
export interface CancellationFacts {
  now: Date;
  /** Account that cancels. */
  accountId: string;
  /** The policies that hold for the session; null when its instructor no longer exists. */
  policies:
    | (Pick<NonNullable<Participants['policies']>, 'freeCancellationHours' | 'lateFeePercent'> & {
        makeupCredits?: boolean;
      })
    | null;
}

/** The effect of a cancellation on what is paid for the session. */
export interface CancellationTerms {
  late: boolean;
  freeUntil: Date;
  /** Kept by the school. */
  feeCents: number;
  returned: ReturnedMoney;
  /** Whether a makeup credit can be given instead of the refund. */
  makeupCredit: boolean;
}

/** What a cancellation gives back. */
export interface ReturnedMoney {
  /** By refunds of payments. */
  refundCents: number;
  /** To the makeup credit that the session was booked with. */
  creditCents: number;
}

const noticeMs = ({ start, at }: ClosestMove): number => start.getTime() - at.getTime();

/**
 * The move of a session with the least notice, once its start is moved now, and the earliest start that a late move has left. By
 * the terms of the session: outside bookings, where a cancellation costs nothing, they may still change.
 */
export function closestMove({ start, closestMove: before, terms }: SessionDocument, at: Date): ClosestMove {
  const now = { start, at };
  const closest = before && noticeMs(before) <= noticeMs(now) ? before : now;
  const moves = before ? [before, now] : [now];
  const late = terms ? moves.flatMap((move) => lateStartsMs(move, terms.freeCancellationHours * 3_600_000)) : [];
  return {
    ...{ start: closest.start, at: closest.at },
    ...(late.length > 0 ? { earliestLate: new Date(Math.min(...late)) } : {}),
  };
}

/** A move of one session by an account. */
interface Move {
  startMs: number;
  at: Date;
  accountId: string;
  toOtherLesson?: boolean;
}

/**
 * What a move of one session to another lesson or time changes of how long it is free to cancel; another place or length alone changes
 * nothing. A family that moves on what the school has moved, which is free until it starts, has the terms of any other session from then on.
 */
export function movedTerms(
  session: SessionDocument,
  { startMs, at, accountId, toOtherLesson = false }: Move,
): Partial<Pick<SessionDocument, 'closestMove' | 'freeUntilStart'>> {
  if (startMs === session.start.getTime() && !toOtherLesson) return {};
  if (session.freeUntilStart && accountId !== session.schoolId)
    return { freeUntilStart: undefined, closestMove: undefined };
  return startMs === session.start.getTime() ? {} : { closestMove: closestMove(session, at) };
}

/** The starts of late moves that a move stores. */
const lateStartsMs = (move: ClosestMove, freeMs: number): number[] => [
  ...(noticeMs(move) < freeMs ? [move.start.getTime()] : []),
  ...(move.earliestLate ? [move.earliestLate.getTime()] : []),
];

/** Once passed it never moves later by a move (contract, Payments). */
export function freeUntil(
  { start, closestMove: moved, freeUntilStart }: SessionDocument,
  { policies }: Pick<CancellationFacts, 'policies'>,
): Date {
  if (freeUntilStart) return start;
  const freeMs = (policies?.freeCancellationHours ?? 24) * 3_600_000;
  const passed = moved ? lateStartsMs(moved, freeMs) : [];
  return new Date(Math.min(start.getTime(), ...passed) - freeMs);
}

/** Whether the free cancellation time before the start has ended. */
const isLate = (session: SessionDocument, facts: CancellationFacts): boolean => facts.now > freeUntil(session, facts);

/**
 * The fee by the policies, whatever was paid. A session outside a booking is not billed, and a cancellation by the school has
 * no fee (contract, Sessions and Collecting).
 */
export function feeDueCents(session: SessionDocument, facts: CancellationFacts): number {
  if (session.bookingId === null || !isLate(session, facts) || facts.accountId === session.schoolId) return 0;
  return shareCents(session.priceCents, facts.policies?.lateFeePercent ?? 50, session.currency);
}

/** Whether the booking of a session owes fees, and what its cancellation with a fee gives back. */
export interface BookedMoney {
  /** False while the booking is pending: no fee arises from it (contract, Collecting). */
  owesFees: boolean;
  returned(feeCents: number): ReturnedMoney;
}

/** The effect of a cancellation: the fee is owed, whether or not anything was paid. */
export function cancellationTerms(
  session: SessionDocument,
  facts: CancellationFacts,
  booking: BookedMoney,
): CancellationTerms {
  const feeCents = booking.owesFees ? feeDueCents(session, facts) : 0;
  const returned = booking.returned(feeCents);
  return {
    late: isLate(session, facts),
    freeUntil: freeUntil(session, facts),
    feeCents,
    returned,
    makeupCredit: givesCredits(facts) && returned.refundCents > 0,
  };
}

/** Whether the school gives makeup credits for the session; the default policy does (contract, Accounts). */
export const givesCredits = ({ policies }: CancellationFacts): boolean => policies?.makeupCredits ?? true;

/** The record of a cancellation. */
export function cancellationOf(
  { late, feeCents }: Pick<CancellationTerms, 'late' | 'feeCents'>,
  { now, accountId }: Pick<CancellationFacts, 'now' | 'accountId'>,
  { reason, notify, creditId }: { reason: string | null; notify: boolean; creditId: string | null },
): NonNullable<Session['cancellation']> {
  return {
    reason,
    cancelled_at: now.toISOString(),
    cancelled_by: accountId,
    participants_notified: notify,
    late,
    fee_cents: feeCents,
    refund_id: null,
    makeup_credit: creditId,
  };
}

type Billed = Pick<
  SessionDocument,
  '_id' | 'start' | 'status' | 'attendance' | 'priceCents' | 'currency' | 'cancellation' | 'terms'
>;

/** What the booking keeps of its missed sessions, by their ids. */
export type MissedFees = ReadonlyMap<string, number>;

/** The fees of missed sessions, as booking answers them. */
export const feesById = (fees: { sessionId: string; feeCents: number }[]): MissedFees =>
  new Map(fees.map(({ sessionId, feeCents }) => [sessionId, feeCents]));

/**
 * What a session contributes to the amount of its booking. A missed one that the booking does not know yet counts with
 * the fee by the policies.
 */
function dueCents(session: Billed, fees: MissedFees): number {
  const { _id, status, attendance, priceCents, currency, cancellation, terms } = session;
  if (status === 'cancelled') return cancellation?.fee_cents ?? 0;
  if (attendance !== 'no_show') return priceCents;
  return fees.get(_id) ?? shareCents(priceCents, terms!.noShowFeePercent, currency);
}

/** Orders the sessions of a booking by date, as its money covers them. */
export const byDate = (a: Pick<Billed, '_id' | 'start'>, b: Pick<Billed, '_id' | 'start'>): number =>
  a.start.getTime() - b.start.getTime() || (a._id < b._id ? -1 : 1);

/** Money of a booking. */
export interface BookingMoney {
  /** Charged less refunded. */
  paidCents: number;
  /** Paid by a makeup credit. */
  creditedCents: number;
  /** What the school waives of its amount. */
  waivedCents: number;
  /** What can be refunded of its payments by itself: nothing of one in dispute. */
  refundableCents: number;
  missedFees: MissedFees;
}

/**
 * What is paid beyond the amount of a booking, and can be given back: by payment methods first, the rest by the credit (contract,
 * Payments).
 */
function excessOf(amountCents: number, money: BookingMoney): ReturnedMoney {
  const { paidCents, creditedCents, waivedCents, refundableCents } = money;
  const owed = Math.max(amountCents - waivedCents, 0);
  const creditCents = Math.max(creditedCents - owed, 0);
  const paidBeyond = Math.max(paidCents + creditedCents - owed, 0) - creditCents;
  return { refundCents: Math.min(paidBeyond, refundableCents), creditCents };
}

/**
 * What a cancellation with this fee gives back: what is paid beyond the amount of the booking (contract, Payments). Nothing while
 * the other sessions are not paid in full.
 */
export function returnedMoney(
  sessions: Billed[],
  sessionId: string,
  feeCents: number,
  money: BookingMoney,
): ReturnedMoney {
  const due = (session: Billed) => dueCents(session, money.missedFees);
  const amount = sessions.reduce((sum, session) => sum + due(session), 0);
  const rest = sessions.reduce((sum, session) => sum + (session._id === sessionId ? feeCents : due(session)), 0);
  const [before, after] = [excessOf(amount, money), excessOf(rest, money)];
  return {
    refundCents: after.refundCents - before.refundCents,
    creditCents: after.creditCents - before.creditCents,
  };
}

/**
 * How much of the money paid for a booking covers one of its sessions: it covers them in order of date, each up to its price,
 * a cancelled or missed one up to its fee (contract, Payments).
 */
export function coveredCents(sessions: Billed[], sessionId: string, paidCents: number, fees: MissedFees): number {
  let leftCents = paidCents;
  for (const session of [...sessions].sort(byDate)) {
    const covered = Math.min(leftCents, dueCents(session, fees));
    if (session._id === sessionId) return covered;
    leftCents -= covered;
  }
  return 0;
}
