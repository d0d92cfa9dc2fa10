import type { Participants, Session } from '@swim/contracts';
import type { SessionDocument } from './session.schema.js';

/** Who would cancel, when, and by which rules. */
export interface CancellationFacts {
  now: Date;
  /** Account that cancels. */
  accountId: string;
  /** Of the instructor's school; null when the instructor is no more. */
  policies: Participants['policies'];
}

/** What cancelling does: cents of `feeCents` are kept and of `refundCents` given back of what was paid for the session. */
export interface CancellationTerms {
  late: boolean;
  freeUntil: Date;
  feeCents: number;
  refundCents: number;
  /** Whether a credit for another lesson is given: none are yet, whatever the policy says. */
  makeupCredit: boolean;
}

const freeUntil = ({ start }: SessionDocument, { policies }: CancellationFacts): Date =>
  new Date(start.getTime() - (policies?.freeCancellationHours ?? 24) * 3_600_000);

/** Whether the free cancellation time before the start is over. */
const isLate = (session: SessionDocument, facts: CancellationFacts): boolean => facts.now > freeUntil(session, facts);

/** Whether its school cancels a session of somebody else's. */
const isBySchool = ({ schoolId, accountId }: SessionDocument, by: string): boolean =>
  by === schoolId && accountId !== schoolId;

/**
 * The fee that the rules ask for, whatever was paid. A session outside a booking is not billed, and one that its school
 * cancels has no fee (contract, Sessions and Payments).
 */
export function feeDueCents(session: SessionDocument, facts: CancellationFacts): number {
  if (session.bookingId === null || !isLate(session, facts) || isBySchool(session, facts.accountId)) return 0;
  return Math.round((session.priceCents * (facts.policies?.lateFeePercent ?? 50)) / 100);
}

/** What cancelling does when `coveredCents` are paid for the session: a fee is kept from money paid, never more. */
export function cancellationTerms(
  session: SessionDocument,
  facts: CancellationFacts,
  coveredCents: number,
): CancellationTerms {
  const feeCents = Math.min(feeDueCents(session, facts), coveredCents);
  return {
    late: isLate(session, facts),
    freeUntil: freeUntil(session, facts),
    feeCents,
    refundCents: coveredCents - feeCents,
    makeupCredit: false,
  };
}

/** The record of a cancellation. */
export function cancellationOf(
  { late, feeCents }: CancellationTerms,
  { now, accountId }: CancellationFacts,
  { reason, notify }: { reason: string | null; notify: boolean },
): NonNullable<Session['cancellation']> {
  return {
    reason,
    cancelled_at: now.toISOString(),
    cancelled_by: accountId,
    participants_notified: notify,
    late,
    fee_cents: feeCents,
    refund_id: null,
    makeup_credit: null,
  };
}

type Billed = Pick<SessionDocument, '_id' | 'start' | 'status' | 'priceCents' | 'cancellation'>;

const dueCents = ({ status, priceCents, cancellation }: Billed): number =>
  status === 'cancelled' ? (cancellation?.fee_cents ?? 0) : priceCents;

const byDate = (a: Billed, b: Billed): number => a.start.getTime() - b.start.getTime() || (a._id < b._id ? -1 : 1);

/**
 * How much of the money paid for a booking covers one of its sessions: they are covered in order of date, each up to its
 * price, a cancelled one up to its fee (contract, Payments).
 */
export function coveredCents(sessions: Billed[], sessionId: string, paidCents: number): number {
  let leftCents = paidCents;
  for (const session of [...sessions].sort(byDate)) {
    const covered = Math.min(leftCents, dueCents(session));
    if (session._id === sessionId) return covered;
    leftCents -= covered;
  }
  return 0;
}
