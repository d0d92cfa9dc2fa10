import {
  disputesOf,
  heldCents,
  type Ledger,
  type LedgerDispute,
  type LedgerEntry,
  type Movement,
  movementsOf,
  type Refund,
} from './balance.rules.js';
import type { Rejection } from './ledger.rules.js';
import { refundableCents } from './refund.rules.js';
import type { CreditIssue } from './returns.rules.js';
import { type BookedSession, coveredCents, isExcused } from './session-billing.rules.js';

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
  sessions: BookedSession[];
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
 * of a refund of it. These are revoked, as are the credits of excused lessons as far as what is left no longer pays them: the
 * cardholder has the money, and must not have its worth as well. An automatic refund that is abandoned for a lost dispute leaves
 * its amount to that dispute.
 */
export function lossesOf(before: Disputable, after: Disputable, at: string): Losses {
  const losses: Losses = { movements: [], issues: [...(after.issues ?? [])] };
  for (const payment of after.payments) {
    const known = before.payments.find(({ id }) => id === payment.id);
    const wasLost = new Set(known ? lostOf(known).map(({ id }) => id) : []);
    for (const { id, amountCents } of lostOf(payment))
      if (!wasLost.has(id)) lose({ ...after, payments: before.payments }, payment, amountCents, { at, losses });
  }
  for (const refund of abandonedOf(before, after)) {
    const amountCents = Math.min(refund.amountCents, untakenCents(after, refund.paymentId));
    losses.movements.push({ kind: 'refund', amountCents: -refund.amountCents, at, of: refund.id });
    losses.movements.push({ kind: 'dispute_lost', amountCents, at, of: refund.paymentId });
  }
  if (losses.movements.length > 0) revokeExcused(before, after.sessions, { at, losses });
  return losses;
}

/** The automatic refunds that a change has made fail. */
function abandonedOf(before: Disputable, after: Disputable): Refund[] {
  const failedBefore = new Set((before.refunds ?? []).filter(({ state }) => state === 'failed').map(({ id }) => id));
  return (after.refunds ?? []).filter(
    ({ id, kind, state }) => kind === 'automatic' && state === 'failed' && !failedBefore.has(id),
  );
}

/** What lost disputes of a payment took at the processor, and no movement contains. */
function untakenCents(ledger: Disputable, paymentId: string): number {
  const payment = ledger.payments.find(({ id }) => id === paymentId);
  const isLoss = ({ kind, of }: Movement) => kind === 'dispute_lost' && of === paymentId;
  return Math.max(sum(payment ? lostOf(payment) : []) - sum(movementsOf(ledger).filter(isLoss)), 0);
}

const sum = (items: { amountCents: number }[]): number =>
  items.reduce((cents, { amountCents }) => cents + amountCents, 0);

/** Revokes of each credit for an excused lesson what the money that is left no longer pays of that lesson. */
function revokeExcused(
  before: Disputable,
  sessions: BookedSession[],
  { at, losses }: { at: string; losses: Losses },
): void {
  const leftCents = heldCents({ ...before, movements: [...movementsOf(before), ...losses.movements] });
  losses.issues = losses.issues.map((issue) => {
    const session = sessions.find(({ id }) => id === issue.sessionId);
    if (!session || !isExcused(session)) return issue;
    const { id, amountCents, revokedCents = 0 } = issue;
    const cents = amountCents - revokedCents - coveredCents(sessions, session.id, leftCents);
    if (cents <= 0) return issue;
    losses.movements.push({ kind: 'credit_excused', amountCents: -cents, at, of: id });
    return { ...issue, revokedCents: revokedCents + cents, state: 'requested' as const };
  });
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
