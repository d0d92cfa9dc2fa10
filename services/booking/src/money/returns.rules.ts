import type { BookingTerms } from '@swim/contracts';
import { creditedCents, excessOf, heldCents, type Ledger, type Movement, type Refund, sumOf } from './balance.rules.js';
import { allocate, disputedCents, sum } from './refund.rules.js';
import {
  type BookedSession,
  coveredCents,
  isExcused,
  isProvisional,
  lastingAmountOf,
  releasedByCancellationCents,
  releasedCents,
} from './session-billing.rules.js';

/** A makeup credit that a booking gives; it is stored with the change that gives it, and then made. */
export interface CreditIssue {
  /** The credit's id. */
  id: string;
  sessionId: string;
  memberId: string;
  amountCents: number;
  /** ISO 8601 UTC. */
  at: string;
  state: 'requested' | 'accepted';
  /** The amount that lost disputes take back of the credit, as far as it is not spent; absent without one, like the count of its changes. */
  revokedCents?: number;
  revision?: number;
}

/** Names what is requested for a credit, so that the acceptance of an earlier request is none of a later one. */
export const requestOfIssue = ({ id, revision = 0 }: CreditIssue): string => `${id}:${revision}`;

/** The money, the sessions and the credits of a booking. */
export interface Account extends Ledger {
  sessions: BookedSession[];
  terms: BookingTerms;
  /** The makeup credit that it was booked with. */
  creditId?: string | null;
  /** Absent before the first. */
  issues?: CreditIssue[];
}

/** What a decision about returns needs beside the booking. */
export interface ReturnFacts {
  /** ISO 8601 UTC. */
  at: string;
  newId: (prefix: 'rfd' | 'crd') => string;
}

/** What a booking gives back: refunds and credits, with their movements, and the sessions as they record it. */
export interface Returns {
  refunds: Refund[];
  issues: CreditIssue[];
  movements: Movement[];
  sessions: BookedSession[];
}

/** The account by the attendances that can no longer change. */
const lasting = <A extends Account>(account: A): A => ({ ...account, amountCents: lastingAmountOf(account.sessions) });

/**
 * What a change of a booking gives back: what is paid beyond its amount, to payments first, newest first, as refunds, or as makeup
 * credits where the cancellation of a session chose one; then to the credit it was booked with; and makeup credits for excused
 * lessons. Nothing follows from an attendance that may still change.
 */
export function returnsOf(before: BookedSession[], after: Account, { at, newId }: ReturnFacts): Returns {
  const account = lasting(after);
  const excess = excessOf(account);
  const converted = conversionsOf(before, account, excess.paidCents);
  const left = excess.paidCents - sum(converted);
  const rest = { ...account, refunds: [...(account.refunds ?? []), ...converted] };
  // What the school recorded stays to be returned by the school.
  const refunds = allocate(rest, left)
    .filter(({ payment }) => !payment.method)
    .map(({ payment, amountCents }): Refund => {
      return { id: newId('rfd'), paymentId: payment.id, amountCents, kind: 'automatic', state: 'requested' };
    });
  const issues = [
    ...after.sessions.flatMap((session) => convertedIssue(session, converted, at)),
    ...excusesOf(after).map(({ session, creditCents }) => issueOf(session, newId('crd'), creditCents, at)),
  ];
  const movements: Movement[] = [
    ...converted.map(({ id: of, amountCents }) => ({ kind: 'credit_converted' as const, amountCents, at, of })),
    ...refunds.map(({ id: of, amountCents }) => ({ kind: 'refund' as const, amountCents, at, of })),
    ...issues
      .filter(({ sessionId }) => after.sessions.some(({ id, status }) => id === sessionId && status !== 'cancelled'))
      .map(({ id: of, amountCents }) => ({ kind: 'credit_excused' as const, amountCents, at, of })),
  ];
  if (excess.creditedCents > 0)
    movements.push({ kind: 'credit_returned', amountCents: excess.creditedCents, at, of: after.creditId ?? '' });
  const sessions = withReturns(before, after, { refundId: refunds[0]?.id, issues });
  return { refunds: [...converted, ...refunds], issues, movements, sessions };
}

const isNewlyCancelled = (was: BookedSession | undefined, session: BookedSession): was is BookedSession =>
  was !== undefined && was.status !== 'cancelled' && session.status === 'cancelled';

/** Whether the credit that the cancellation of a session chose awaits the attendance of missed sessions. */
const awaitsCredit = ({ issues = [] }: Account, { id, status, creditId, report }: BookedSession): boolean =>
  status === 'cancelled' && Boolean(creditId) && !report && !issues.some(({ sessionId }) => sessionId === id);

/** Whether a change decides what the cancellation of a session gives back. */
const isDecided = (account: Account, was: BookedSession | undefined, session: BookedSession): boolean =>
  isNewlyCancelled(was, session) || awaitsCredit(account, session);

const releasedBy = (was: BookedSession | undefined, session: BookedSession): number =>
  isNewlyCancelled(was, session) ? releasedCents(was, session) : releasedByCancellationCents(session);

/** What the school has to return, as its own records say: what is paid beyond the lasting amount of payments that it recorded. */
export function toReturnCents(ledger: Ledger & { sessions: BookedSession[] }): number {
  const account = { ...ledger, amountCents: lastingAmountOf(ledger.sessions) };
  return sum(allocate(account, excessOf(account).paidCents).filter(({ payment }) => payment.method));
}

/** Pairs each session with its state before. */
function changesOf(before: BookedSession[], after: BookedSession[]): [BookedSession | undefined, BookedSession][] {
  const known = new Map(before.map((session) => [session.id, session]));
  return after.map((session) => [known.get(session.id), session]);
}

/** The part of the excess that becomes makeup credits: at most what each cancelled session took from the amount. */
function conversionsOf(before: BookedSession[], account: Account, excessCents: number): Refund[] {
  const converted: Refund[] = [];
  let left = excessCents;
  for (const [was, session] of changesOf(before, account.sessions)) {
    const { creditId } = session;
    if (!creditId || !isDecided(account, was, session)) continue;
    const ledger = { ...account, refunds: [...(account.refunds ?? []), ...converted] };
    const cents = Math.min(left, releasedBy(was, session));
    const made = allocate(ledger, cents).map(({ payment, amountCents }): Refund => {
      return { id: creditId, paymentId: payment.id, amountCents, kind: 'credit', state: 'succeeded' };
    });
    left -= sum(made);
    converted.push(...made);
  }
  return converted;
}

const issueOf = (session: BookedSession, id: string, amountCents: number, at: string): CreditIssue => ({
  id,
  sessionId: session.id,
  memberId: session.memberId,
  amountCents,
  at,
  state: 'requested',
});

function convertedIssue(session: BookedSession, converted: Refund[], at: string): CreditIssue[] {
  const own = converted.filter(({ id }) => id === session.creditId);
  const amountCents = sum(own);
  return amountCents > 0 ? [issueOf(session, session.creditId!, amountCents, at)] : [];
}

/** An excused lesson, and the amount of the credit that it gives. */
interface Excuse {
  session: BookedSession;
  creditCents: number;
}

/**
 * Excused lessons of which nothing is due and that have given no credit yet, whether their attendance is final or not. What the
 * school has waived of the price was given back already: the credit is what is paid of it.
 */
function excusable({ sessions, issues = [], terms, ...ledger }: Account): Excuse[] {
  if (!terms.makeupCredits) return [];
  const given = new Set(issues.map(({ sessionId }) => sessionId));
  const paidCents = heldCents(ledger) - disputedCents(ledger);
  const waivedCents = sumOf(ledger, 'waiver');
  return sessions
    .filter((session) => isExcused(session) && !given.has(session.id))
    .map((session) => ({ session, creditCents: coveredCents(sessions, session.id, paidCents) }))
    .filter(({ session, creditCents }) => creditCents > 0 && creditCents + waivedCents >= session.priceCents);
}

const excusesOf = (account: Account): Excuse[] => excusable(account).filter(({ session }) => session.isFinal);

/** The sessions whose attendance has to become final, since money or a credit follows from it. */
export function toBeFinal(account: Account): BookedSession[] {
  const excused = excusable(account).map(({ session }) => session);
  return [...missedToBeFinal(account), ...excused.filter(({ isFinal }) => !isFinal)];
}

/** The missed sessions whose attendance has to become final, since money follows from it. */
export function missedToBeFinal(account: Account): BookedSession[] {
  const missed = account.sessions.filter(isProvisional);
  if (missed.length === 0) return [];
  const [now, kept] = [excessOf(account), excessOf(lasting(account))];
  return now.paidCents > kept.paidCents || now.creditedCents > kept.creditedCents ? missed : [];
}

/**
 * The sessions with what the cancellation of some of them has just given back, for scheduling to record. A refund that a
 * cancellation caused, and a credit that it chose, stay open while more may follow from missed sessions.
 */
function withReturns(
  before: BookedSession[],
  after: Account,
  { refundId, issues }: { refundId: string | undefined; issues: CreditIssue[] },
): BookedSession[] {
  const awaitsMissed = missedToBeFinal(after).length > 0;
  return changesOf(before, after.sessions).map(([was, session]) => {
    if (session.report === 'awaited') return awaitsMissed ? session : afterWaiting(session, refundId);
    if (!isDecided(after, was, session)) return session;
    const { creditId, ...plain } = session;
    const isIssued = issues.some(({ id }) => id === creditId);
    if (awaitsMissed && creditId && !isIssued) return session;
    const isReturned = releasedBy(was, session) > 0 && !isIssued;
    const isRefunded = isReturned && refundId !== undefined;
    if (awaitsMissed && isReturned && !isRefunded) return { ...session, report: 'awaited' as const };
    if (!isRefunded && (creditId === undefined || isIssued)) return session;
    const returned = isRefunded ? { refundId } : {};
    return { ...plain, ...returned, ...(isIssued ? { creditId: creditId! } : {}), report: 'requested' as const };
  });
}

/** A session whose refund waited for the attendance of missed sessions, with the refund that was made then, if any. */
function afterWaiting({ report: _, ...session }: BookedSession, refundId: string | undefined): BookedSession {
  return refundId === undefined ? session : { ...session, refundId, report: 'requested' };
}

/** Whether the credit that it was booked with has yet to learn how much of it is spent. */
export const isCreditToBeSettled = (account: Account & { creditSettledCents?: number | null }): boolean =>
  Boolean(account.creditId) && account.creditSettledCents !== creditedCents(account);
