import type { Participants, Session } from '@swim/contracts';
import type { SessionDocument } from './session.schema.js';

/** Who cancels, when, and by which policies. */
export interface CancellationFacts {
  now: Date;
  /** Account that cancels. */
  accountId: string;
  /** Policies of the instructor's school; null when the instructor no longer exists. */
  policies: Pick<NonNullable<Participants['policies']>, 'freeCancellationHours' | 'lateFeePercent'> | null;
}

/** The effect of a cancellation: of the amount paid for the session `feeCents` are kept and `refundCents` refunded. */
export interface CancellationTerms {
  late: boolean;
  freeUntil: Date;
  feeCents: number;
  refundCents: number;
  /** Whether a credit for another lesson is granted: always false so far, whatever the policy. */
  makeupCredit: boolean;
}

const freeUntil = ({ start }: SessionDocument, { policies }: CancellationFacts): Date =>
  new Date(start.getTime() - (policies?.freeCancellationHours ?? 24) * 3_600_000);

/** Whether the free cancellation time before the start has ended. */
const isLate = (session: SessionDocument, facts: CancellationFacts): boolean => facts.now > freeUntil(session, facts);

/** Whether a school cancels a session that another account booked. */
const isBySchool = ({ schoolId, accountId }: SessionDocument, by: string): boolean =>
  by === schoolId && accountId !== schoolId;

/**
 * The fee by the policies, whatever was paid. A session outside a booking is not billed, and a cancellation by the school has
 * no fee (contract, Sessions and Payments).
 */
export function feeDueCents(session: SessionDocument, facts: CancellationFacts): number {
  if (session.bookingId === null || !isLate(session, facts) || isBySchool(session, facts.accountId)) return 0;
  return Math.round((session.priceCents * (facts.policies?.lateFeePercent ?? 50)) / 100);
}

/** The effect of a cancellation when `coveredCents` are paid for the session: the fee is kept from paid money only. */
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
  { late, feeCents }: Pick<CancellationTerms, 'late' | 'feeCents'>,
  { now, accountId }: Pick<CancellationFacts, 'now' | 'accountId'>,
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
 * How much of the money paid for a booking covers one of its sessions: it covers them in order of date, each up to its price,
 * a cancelled one up to its fee (contract, Payments).
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
