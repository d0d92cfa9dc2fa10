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

/** What is left of disputed payments: nothing of it is given back by itself. */
function disputedCents({ payments, refunds = [] }: AuditedBooking, movements: Movement[]): number {
  return payments.filter(isDisputed).reduce((sum, { id }) => {
    const back = centsOf(refunds.filter(({ paymentId, state }) => paymentId === id && state !== 'failed'));
    const leftCents = movedCents(movements, 'charge', id) - back - movedCents(movements, 'dispute_lost', id);
    // A lost dispute also takes what was given as makeup credits.
    return sum + Math.max(leftCents, 0);
  }, 0);
}

function differencesOfHeld(booking: AuditedBooking, movements: Movement[]): Found[] {
  const creditedCents = movedCents(movements, 'credit_spent') - movedCents(movements, 'credit_returned');
  const ledgerCents = paidCents(movements) + creditedCents;
  const mayKeepCents = sumOf(booking.sessions, holdableCents) - movedCents(movements, 'waiver');
  const otherCents = Math.max(mayKeepCents, 0) + disputedCents(booking, movements);
  if (ledgerCents <= otherCents) return [];
  const kind = ENDED.has(booking.status) ? 'money_on_ended_booking' : 'money_beyond_amount';
  return [{ kind, ledgerCents, otherCents }];
}
