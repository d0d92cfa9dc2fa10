import { heldCents, type Ledger, type LedgerDispute, type LedgerEntry, type Movement } from './balance.rules.js';
import type { Rejection } from './ledger.rules.js';
import { lostCents, refundsOf, sum } from './refund.rules.js';
import type { CreditIssue } from './returns.rules.js';
import { type BookedSession, coveredCents, isExcused } from './session-billing.rules.js';

/** A dispute of a payment, as the processor reports it. */
export interface Dispute extends Omit<LedgerDispute, 'id'> {
  paymentId: string;
  /** The processor's id. */
  disputeId: string;
}

/** Payments with the state of a dispute; null when that, or a later one, is stored already. */
export function withDispute(
  { payments }: Pick<Ledger, 'payments'>,
  { paymentId, disputeId: id, revision, state, amountCents }: Dispute,
): LedgerEntry[] | null | Rejection {
  const payment = payments.find((each) => each.id === paymentId);
  if (!payment) return { reason: 'not_found', field: 'paymentId' };
  const { disputes = [] } = payment;
  const known = disputes.find((each) => each.id === id);
  if (known && known.revision >= revision) return null;
  if (payment.state !== 'succeeded') return { reason: 'invalid_state' };
  const now = { id, revision, state, amountCents };
  const others = disputes.filter((each) => each !== known);
  return payments.map((other) => (other === payment ? { ...payment, disputes: [...others, now] } : other));
}

/** The money and the credits of a booking, as far as lost disputes concern them. */
interface Disputable extends Ledger {
  sessions: BookedSession[];
  issues?: CreditIssue[] | undefined;
}

/** The change of what lost disputes take. */
export interface Losses {
  movements: Movement[];
  /** The credits, with what is revoked of those that were given for the payments. */
  issues: CreditIssue[];
}

/**
 * What is to be moved so that the ledger has what lost disputes take: of each payment at most what was not refunded as money. What was
 * given as makeup credits instead is revoked, as are the credits of excused lessons as far as what is left no longer pays them: the
 * cardholder has the money, and must not have its worth as well. Of a dispute that is won after all, all of it is returned; a refund
 * that has failed leaves its amount to the dispute.
 */
export function lossesOf(ledger: Disputable, at: string): Losses {
  const losses: Losses = { movements: [], issues: [...(ledger.issues ?? [])] };
  const revokedCents = new Map<string, number>();
  let moreCents = 0;
  for (const payment of ledger.payments.filter(({ disputes }) => disputes !== undefined)) {
    const { id: of, amountCents } = payment;
    const refunds = refundsOf(ledger, of);
    const converted = refunds.filter(({ kind }) => kind === 'credit').reverse();
    const leftCents = amountCents - sum(refunds);
    const takenCents = Math.max(Math.min(disputedCents(payment), leftCents + sum(converted)), 0);
    let restCents = Math.max(takenCents - leftCents, 0);
    for (const { id, amountCents: givenCents } of converted) {
      const cents = Math.min(restCents, givenCents);
      revokedCents.set(id, (revokedCents.get(id) ?? 0) + cents);
      restCents -= cents;
    }
    const changeCents = takenCents - lostCents(ledger, of);
    if (changeCents === 0) continue;
    moreCents += changeCents;
    losses.movements.push({ kind: 'dispute_lost', amountCents: changeCents, at, of });
  }
  if (losses.movements.length === 0) return losses;
  for (const [id, cents] of revokedCents) revoke(losses, { id, cents, kind: 'credit_converted', at });
  revokeExcused(ledger, losses, moreCents > 0, at);
  return losses;
}

/** What lost disputes of a payment took at the processor. */
const disputedCents = ({ disputes = [] }: LedgerEntry): number => sum(disputes.filter(({ state }) => state === 'lost'));

interface Revocation {
  id: string;
  /** What is revoked of the credit in all. */
  cents: number;
  kind: 'credit_converted' | 'credit_excused';
  at: string;
}

function revoke(losses: Losses, { id, cents, kind, at }: Revocation): void {
  losses.issues = losses.issues.map((issue) => {
    const { revokedCents = 0, revision = 0 } = issue;
    if (issue.id !== id || revokedCents === cents) return issue;
    losses.movements.push({ kind, amountCents: revokedCents - cents, at, of: id });
    return { ...issue, revokedCents: cents, revision: revision + 1, state: 'requested' };
  });
}

/** Revokes of each credit for an excused lesson what the money that is left does not pay of that lesson, or returns what it pays. */
function revokeExcused(ledger: Disputable, losses: Losses, isMore: boolean, at: string): void {
  const leftCents = heldCents({ ...ledger, movements: [...ledger.movements!, ...losses.movements] });
  for (const { id, sessionId, amountCents, revokedCents = 0 } of losses.issues) {
    const session = ledger.sessions.find((each) => each.id === sessionId);
    if (!session || !isExcused(session)) continue;
    const unpaidCents = Math.max(amountCents - coveredCents(ledger.sessions, sessionId, leftCents), 0);
    const cents = isMore ? Math.max(revokedCents, unpaidCents) : Math.min(revokedCents, unpaidCents);
    revoke(losses, { id, cents, kind: 'credit_excused', at });
  }
}
