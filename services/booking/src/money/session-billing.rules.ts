import { type Booking, type BookingTerms, type Session, shareCents } from '@swim/contracts';

/** A session of a booking, as of its newest event that the booking has processed. */
export interface BookedSession {
  id: string;
  lessonId: string;
  instructorId: string;
  memberId: string;
  /** ISO 8601 UTC. */
  date: string;
  endDate: string;
  durationMinutes: number;
  priceCents: number;
  status: Session['status'];
  attendance: Session['attendance'];
  /** The session's public version: it grows with each of its events. */
  version: number;
  /** What is kept of a cancelled or missed session; absent: nothing. */
  feeCents?: number;
  /** Scheduling lets neither its attendance nor its time change any more, so that money may follow from the attendance. */
  isFinal?: boolean;
  /** The refund that its cancellation caused. */
  refundId?: string;
  /** The makeup credit that its cancellation gives instead. */
  creditId?: string;
  /**
   * Whether scheduling has recorded what its cancellation gave back; absent: nothing is to be recorded. `awaited`: the refund is made
   * once the attendance of missed sessions is final.
   */
  report?: 'awaited' | 'requested' | 'accepted';
}

const isMissed = ({ attendance }: BookedSession): boolean => attendance === 'no_show';
const isCancelled = ({ status }: BookedSession): boolean => status === 'cancelled';

/** What a session contributes to the amount of its booking: its price, or what is kept of it. */
export const billedCents = (session: BookedSession): number =>
  isCancelled(session) || isMissed(session) ? (session.feeCents ?? 0) : session.priceCents;

/** The amount of a booking: the price of the sessions that take place, and the fees kept of the others (contract, Payments). */
export const amountOf = (sessions: BookedSession[]): number =>
  sessions.reduce((sum, session) => sum + billedCents(session), 0);

/**
 * The amount of a booking while the attendance of some sessions may still be corrected: a missed one that is not final counts with
 * its price, so that nothing is refunded for it yet.
 */
export const lastingAmountOf = (sessions: BookedSession[]): number =>
  sessions.reduce((sum, session) => sum + (isProvisional(session) ? session.priceCents : billedCents(session)), 0);

/** Whether money follows from the attendance of a session once it is final. */
export const isProvisional = (session: BookedSession): boolean =>
  isMissed(session) && !isCancelled(session) && !session.isFinal && billedCents(session) < session.priceCents;

/** Whether a lesson that was to take place was excused: a paid one gives a makeup credit. */
export const isExcused = (session: BookedSession): boolean => session.attendance === 'excused' && !isCancelled(session);

/** The fee that is kept of each missed session. */
export const missedFeesOf = (sessions: BookedSession[]): { sessionId: string; feeCents: number }[] =>
  sessions
    .filter((session) => isMissed(session) && !isCancelled(session))
    .map(({ id: sessionId, feeCents = 0 }) => ({ sessionId, feeCents }));

/** What the cancellation of a session took from the amount of its booking, where its state before is no longer known. */
export const releasedByCancellationCents = (session: BookedSession): number =>
  isMissed(session) ? 0 : session.priceCents - billedCents(session);

/** What a change of a session took from the amount of its booking. */
export const releasedCents = (before: BookedSession, after: BookedSession): number =>
  billedCents(before) - billedCents(after);

/** Whether nothing is due because the sessions cost nothing, and not because they were cancelled or missed. */
export function isFree(sessions: BookedSession[]): boolean {
  const rest = sessions.filter((session) => !isCancelled(session));
  return (rest.length > 0 ? rest : sessions).every(({ priceCents }) => priceCents === 0);
}

/**
 * The amount that a prepayment has to cover. Missed sessions count with their price while no other session is to be paid:
 * what is not due any more for them is not paid. Otherwise the payment of the others is the payment in full, as no more is due.
 */
export function prepaidAmountOf(sessions: BookedSession[]): number {
  const rest = sessions.filter((session) => !isCancelled(session));
  if (rest.some((session) => !isMissed(session) && session.priceCents > 0)) return amountOf(sessions);
  return sessions.reduce((sum, each) => sum + (isCancelled(each) ? billedCents(each) : each.priceCents), 0);
}

/**
 * The paid amount that covers a session: it covers the sessions in order of date, each up to what it contributes to the amount
 * (contract, Payments). `sessions` has the session as it was before its cancellation.
 */
export function coveredCents(sessions: BookedSession[], sessionId: string, paidCents: number): number {
  let left = paidCents;
  for (const session of [...sessions].sort(byDate)) {
    const covered = Math.min(left, billedCents(session));
    if (session.id === sessionId) return covered;
    left -= covered;
  }
  return 0;
}

const byDate = (a: BookedSession, b: BookedSession): number =>
  Date.parse(a.date) - Date.parse(b.date) || (a.id < b.id ? -1 : 1);

/** What decides the fee of a missed session. */
interface NoShowTerms {
  /** 0 while no fee arises. */
  noShowFeePercent: number;
  currency: string;
}

/** Whether late cancellations and missed sessions cost a fee: none arises from a pending or expired booking (contract, Collecting). */
export const owesFees = ({ status }: { status: Booking['status'] }): boolean =>
  status !== 'pending' && status !== 'expired';

/** The state of a session in scheduling. */
export type SessionState = Pick<
  Session,
  | 'id'
  | 'lesson_id'
  | 'instructor_id'
  | 'member_id'
  | 'date'
  | 'end_date'
  | 'duration_minutes'
  | 'price_cents'
  | 'status'
  | 'attendance'
  | 'version'
> & { cancellation: { fee_cents: number; makeup_credit?: string | null } | null };

/**
 * The sessions of a booking after a newer state of one of them; null when the stored state is as new or newer. The fee of a
 * cancelled session is the one that scheduling charged; the fee of a missed one is owed, whether or not anything was paid.
 */
function withSession(
  sessions: BookedSession[],
  state: SessionState,
  { noShowFeePercent, currency }: NoShowTerms,
): BookedSession[] | null {
  const known = sessions.find(({ id }) => id === state.id);
  if (!known || known.version >= state.version) return null;
  const { feeCents: _, creditId: __, ...before } = known;
  const now: BookedSession = { ...before, ...stateOf(state) };
  if (isCancelled(now) || !isMissed(now)) return replaced(sessions, now);
  if (isMissed(known)) return replaced(sessions, { ...now, feeCents: known.feeCents ?? 0 });
  return replaced(sessions, { ...now, feeCents: shareCents(now.priceCents, noShowFeePercent, currency) });
}

/** The sessions of a booking after these states; the stored ones when none is newer. */
export const withSessions = (
  booking: { status: Booking['status']; sessions: BookedSession[]; terms: BookingTerms; currency: string },
  states: SessionState[],
): BookedSession[] =>
  states.reduce(
    (sessions, state) =>
      withSession(sessions, state, {
        noShowFeePercent: owesFees(booking) ? booking.terms.noShowFeePercent : 0,
        currency: booking.currency,
      }) ?? sessions,
    booking.sessions,
  );

const replaced = (sessions: BookedSession[], now: BookedSession): BookedSession[] =>
  sessions.map((session) => (session.id === now.id ? now : session));

/** The fields of a session that a booking stores. */
const stateOf = (state: SessionState): BookedSession => ({
  id: state.id,
  lessonId: state.lesson_id,
  instructorId: state.instructor_id,
  memberId: state.member_id,
  date: state.date,
  endDate: state.end_date,
  durationMinutes: state.duration_minutes,
  priceCents: state.price_cents,
  status: state.status,
  attendance: state.attendance,
  version: state.version,
  ...(state.cancellation ? { feeCents: state.cancellation.fee_cents } : {}),
  ...(state.cancellation?.makeup_credit ? { creditId: state.cancellation.makeup_credit } : {}),
});
