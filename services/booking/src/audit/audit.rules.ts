import { type LedgerEntry, type Movement } from '../money/balance.rules.js';
import type { BookedSession } from '../money/session-billing.rules.js';
import {
  type AuditedBooking,
  centsOf,
  type Difference,
  type Found,
  movedCents,
  type StoredMoney,
} from './audited-money.rules.js';
import { differencesOfCharges } from './charge-audit.rules.js';
import { differencesOfCredits } from './credit-audit.rules.js';
import { differencesOfRefunds } from './refund-audit.rules.js';

const ENDED: ReadonlySet<string> = new Set(['cancelled', 'expired']);

/**
 * All differences between the ledger of a booking and what payment and the credits store. The rules are written down here a second
 * time, on purpose: an error in those that move the money must not hide itself.
 */
export function differencesOf(money: StoredMoney): Difference[] {
  const movements = money.booking.movements ?? [];
  const found = [
    ...differencesOfCharges(money, movements),
    ...differencesOfRefunds(money, movements),
    ...differencesOfSessions(money.booking, movements),
    ...differencesOfHeld(money.booking, movements),
    ...differencesOfCredits(money, movements),
  ];
  return found.map((each) => ({ bookingId: money.booking._id, ...each }));
}

const isCancelled = ({ status }: BookedSession): boolean => status === 'cancelled';
const isMissed = ({ attendance }: BookedSession): boolean => attendance === 'no_show';
const keptCents = (session: BookedSession): number =>
  isCancelled(session) || isMissed(session) ? (session.feeCents ?? 0) : session.priceCents;
/** While the attendance of a missed session may still be corrected, its price is held. */
const holdableCents = (session: BookedSession): number =>
  isMissed(session) && !isCancelled(session) && !session.isFinal ? session.priceCents : keptCents(session);

const sumOf = (sessions: BookedSession[], cents: (session: BookedSession) => number): number =>
  sessions.reduce((sum, session) => sum + cents(session), 0);

function differencesOfSessions({ sessions, amountCents }: AuditedBooking, movements: Movement[]): Found[] {
  const fees = sessions.flatMap(({ id: sessionId, feeCents: otherCents = 0 }): Found[] => {
    const ledgerCents = movedCents(movements, 'fee', sessionId);
    return ledgerCents === otherCents ? [] : [{ kind: 'fee_differs', sessionId, ledgerCents, otherCents }];
  });
  const otherCents = sumOf(sessions, keptCents);
  if (amountCents === otherCents) return fees;
  return [...fees, { kind: 'amount_differs', ledgerCents: amountCents, otherCents }];
}

/** What is paid by money: charged, less what was given back, and less what lost disputes took. */
const paidCents = (movements: Movement[]): number =>
  movedCents(movements, 'charge') -
  movedCents(movements, 'refund') -
  movedCents(movements, 'credit_converted') -
  movedCents(movements, 'dispute_lost');

const isDisputed = ({ disputes = [] }: LedgerEntry): boolean => disputes.some(({ state }) => state !== 'won');

/** What is left of a payment. A lost dispute also takes what was given as makeup credits. */
function leftCents({ refunds = [] }: AuditedBooking, { id }: LedgerEntry, movements: Movement[]): number {
  const back = centsOf(refunds.filter(({ paymentId, state }) => paymentId === id && state !== 'failed'));
  return Math.max(movedCents(movements, 'charge', id) - back - movedCents(movements, 'dispute_lost', id), 0);
}

/** What is left of disputed payments: nothing of it is given back by itself. */
const disputedCents = (booking: AuditedBooking, movements: Movement[]): number =>
  booking.payments.filter(isDisputed).reduce((sum, payment) => sum + leftCents(booking, payment, movements), 0);

/** What the school has yet to return of payments that it recorded, when this much goes back, of the newest payment first. */
function toReturnCents(booking: AuditedBooking, movements: Movement[], backCents: number): number {
  let [left, recorded] = [Math.max(backCents, 0), 0];
  for (const payment of booking.payments.filter((each) => !isDisputed(each)).reverse()) {
    const cents = Math.min(left, leftCents(booking, payment, movements));
    left -= cents;
    if (payment.method) recorded += cents;
  }
  return recorded;
}

function differencesOfHeld(booking: AuditedBooking, movements: Movement[]): Found[] {
  const creditedCents = movedCents(movements, 'credit_spent') - movedCents(movements, 'credit_returned');
  const ledgerCents = paidCents(movements) + creditedCents;
  const mayKeepCents = Math.max(sumOf(booking.sessions, holdableCents) - movedCents(movements, 'waiver'), 0);
  const recordedCents = toReturnCents(booking, movements, ledgerCents - mayKeepCents);
  const otherCents = mayKeepCents + disputedCents(booking, movements) + recordedCents;
  if (ledgerCents <= otherCents) return [];
  const kind = ENDED.has(booking.status) ? 'money_on_ended_booking' : 'money_beyond_amount';
  return [{ kind, ledgerCents, otherCents }];
}
