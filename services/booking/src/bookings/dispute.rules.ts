import { disputesOf, type Ledger, type LedgerDispute, type LedgerEntry, type Movement } from './balance.rules.js';
import type { Rejection } from './ledger.rules.js';
import { refundableCents } from './refund.rules.js';
import type { CreditIssue } from './returns.rules.js';

/** A dispute of a payment, as the processor reports it. */
export interface Dispute {
  paymentId: string;
  /** The processor's id; absent where a former release of payment reports it. */
  disputeId?: string | undefined;
  state: LedgerDispute['state'];
  amountCents: number;
}

/** Payments with the state of a dispute; null when it is stored already. A dispute that was decided stays decided. */
export function withDispute(
  { payments }: Pick<Ledger, 'payments'>,
  { paymentId, disputeId = '', state, amountCents }: Dispute,
): LedgerEntry[] | null | Rejection {
  const payment = payments.find(({ id }) => id === paymentId);
  if (!payment) return { reason: 'not_found', field: 'paymentId' };
  const { dispute: _, disputedCents: __, ...entry } = payment;
  const disputes = disputesOf(payment);
  const known = disputes.find(({ id }) => id === disputeId) ?? disputes.find(maybe(disputeId, state));
  if (known && (known.state === state || state === 'open')) return null;
  if (payment.state !== 'succeeded' || (known && known.state !== 'open')) return { reason: 'invalid_state' };
  const now = { id: disputeId || (known?.id ?? ''), state, amountCents };
  const others = disputes.filter((each) => each !== known);
  return payments.map((other) => (other === payment ? { ...entry, disputes: [...others, now] } : other));
}

/** Whether it can be the same dispute, where a former release has reported one of both without its id. */
const maybe =
  (disputeId: string, reported: LedgerDispute['state']) =>
  ({ id, state }: LedgerDispute): boolean =>
    (id === '' || disputeId === '') && (state === 'open' || state === reported);

/** The money and the credits of a booking, as far as a lost dispute concerns them. */
interface Disputable extends Ledger {
  issues?: CreditIssue[] | undefined;
}

/** What lost disputes take. */
export interface Losses {
  movements: Movement[];
  /** With what is revoked of the makeup credits that were given for the payment. */
  issues: CreditIssue[];
}

/**
 * What the disputes take that a change has lost: first what is left of the payment, then what was given as makeup credits instead
 * of a refund of it. These are revoked: the cardholder has the money, and must not have its worth as well.
 */
export function lossesOf(before: Disputable, after: Disputable, at: string): Losses {
  const losses: Losses = { movements: [], issues: [...(after.issues ?? [])] };
  for (const payment of after.payments) {
    const known = before.payments.find(({ id }) => id === payment.id);
    const wasLost = new Set(known ? lostOf(known).map(({ id }) => id) : []);
    for (const { id, amountCents } of lostOf(payment))
      if (!wasLost.has(id)) lose({ ...after, payments: before.payments }, payment, amountCents, { at, losses });
  }
  return losses;
}

const lostOf = (payment: LedgerEntry): LedgerDispute[] => disputesOf(payment).filter(({ state }) => state === 'lost');

function lose(
  ledger: Disputable,
  payment: LedgerEntry,
  disputedCents: number,
  { at, losses }: { at: string; losses: Losses },
): void {
  let takenCents = Math.min(disputedCents, refundableCents(ledger, payment));
  const converted = (ledger.refunds ?? []).filter(
    ({ kind, paymentId }) => kind === 'credit' && paymentId === payment.id,
  );
  for (const { id, amountCents } of converted.reverse()) {
    const index = losses.issues.findIndex((issue) => issue.id === id);
    const issue = losses.issues[index];
    if (!issue) continue;
    const { revokedCents = 0 } = issue;
    const cents = Math.min(disputedCents - takenCents, amountCents, issue.amountCents - revokedCents);
    if (cents <= 0) continue;
    losses.issues[index] = { ...issue, revokedCents: revokedCents + cents, state: 'requested' };
    losses.movements.push({ kind: 'credit_converted', amountCents: -cents, at, of: id });
    takenCents += cents;
  }
  losses.movements.push({ kind: 'dispute_lost', amountCents: takenCents, at, of: payment.id });
}
