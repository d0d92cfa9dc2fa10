import { unrepresentable } from '@swim/contracts';
import { isDisputed, type Ledger, type LedgerEntry, type Refund } from './balance.rules.js';
import { type Rejection, withdraw } from './ledger.rules.js';

/** A request by the school to refund a payment; `amountCents` null: all that is left of it. */
export interface RefundRequest {
  refundId: string;
  paymentId: string;
  amountCents: number | null;
}

const isLive = ({ state }: Refund): boolean => state !== 'failed' && state !== 'withdrawn';

/** The refunds of a payment that are made, or may still be. */
export const refundsOf = ({ refunds = [] }: Pick<Ledger, 'refunds'>, paymentId: string): Refund[] =>
  refunds.filter((refund) => refund.paymentId === paymentId && isLive(refund));

/** What lost disputes took of a payment. */
export const lostCents = (ledger: Ledger, paymentId: string): number =>
  sum((ledger.movements ?? []).filter(({ kind, of }) => kind === 'dispute_lost' && of === paymentId));

export const sum = (items: readonly { amountCents: number }[]): number =>
  items.reduce((cents, { amountCents }) => cents + amountCents, 0);

const leftCents = (ledger: Ledger, { id, amountCents }: LedgerEntry): number =>
  amountCents - sum(refundsOf(ledger, id)) - lostCents(ledger, id);

/** What is left of a charged payment, never below 0: neither given back nor reserved for a refund, nor taken by a lost dispute. */
export const refundableCents = (ledger: Ledger, payment: LedgerEntry): number =>
  payment.state === 'succeeded' ? Math.max(leftCents(ledger, payment), 0) : 0;

/**
 * What the school waives by a refund: all, but for what replaces automatic refunds. One that was made by hand at the processor may leave
 * too little of the payment for those, newest first, which the processor then rejects.
 */
export function waivedBy(ledger: Ledger, { paymentId, amountCents }: Refund): number {
  const payment = ledger.payments.find(({ id }) => id === paymentId)!;
  let [beyondCents, replacedCents] = [Math.max(-leftCents(ledger, payment), 0), 0];
  for (const refund of refundsOf(ledger, paymentId).reverse()) {
    if (beyondCents <= 0 || refund.kind !== 'automatic' || refund.state === 'succeeded') continue;
    beyondCents -= refund.amountCents;
    replacedCents += refund.amountCents;
  }
  return Math.max(amountCents - replacedCents - Math.max(beyondCents, 0), 0);
}

/** The school's refund that reserves the requested amount: a new one, the existing one, or the reason of its rejection. */
export function reserveRefund(
  ledger: Ledger,
  { refundId, paymentId, amountCents }: RefundRequest,
): { refund: Refund; refundableCents: number; isNew: boolean } | Rejection {
  const payment = ledger.payments.find(({ id }) => id === paymentId);
  if (!payment) return { reason: 'not_found', field: 'paymentId' };
  const left = refundableCents(ledger, payment);
  const known = ledger.refunds?.find(({ id }) => id === refundId);
  if (known?.state === 'withdrawn') return { reason: 'invalid_state' };
  if (known) return { refund: known, refundableCents: left + known.amountCents, isNew: false };
  if (payment.state !== 'succeeded') return { reason: 'invalid_state' };
  if (isDisputed(payment)) return { reason: 'payment_disputed' };
  const rejection = unrepresentable('amount_cents', amountCents ?? 0, ledger.currency);
  if (rejection) return rejection;
  const requested = amountCents ?? left;
  if (requested > left || requested === 0) return exceedsRefundable(requested, left);
  const refund: Refund = { id: refundId, paymentId, amountCents: requested, kind: 'goodwill', state: 'reserved' };
  return { refund, refundableCents: left, isNew: true };
}

const exceedsRefundable = (amountCents: number, leftCents: number): Rejection => ({
  reason: 'amount_exceeds_refundable',
  field: 'amount_cents',
  message:
    leftCents === 0
      ? 'amount_cents: Nothing of the payment is left to be refunded.'
      : `amount_cents must be at most ${leftCents}, which can still be refunded; you sent ${amountCents}.`,
  details: { refundable_cents: leftCents, maximum: leftCents },
});

/** The outcome of a refund. `made`: of one that was made by hand at the processor, which nobody has reserved. */
export interface RefundOutcome {
  refundId: string;
  outcome: 'succeeded' | 'failed';
  made?: { paymentId: string; amountCents: number } | undefined;
}

/**
 * Refunds after the outcome of one; null when the outcome is stored already. As with payments, the failure of an unknown refund
 * adds a mark that rejects its late reservation. One that was made by hand may fail after it has succeeded: it is not repeated.
 */
export function settleRefund(
  { refunds = [], payments }: Pick<Ledger, 'refunds' | 'payments'>,
  { refundId, outcome, made }: RefundOutcome,
): Refund[] | null | Rejection {
  const refund = refunds.find(({ id }) => id === refundId);
  if (!refund && outcome === 'failed')
    return withdraw(refunds, { id: refundId, paymentId: '', amountCents: 0, kind: 'goodwill', state: 'withdrawn' });
  if (!refund) {
    const payment = payments.find(({ id }) => id === made?.paymentId);
    if (!made || !payment) return { reason: 'not_found', field: 'refundId' };
    if (payment.state !== 'succeeded') return { reason: 'invalid_state' };
    return [...refunds, { id: refundId, ...made, kind: 'goodwill', state: outcome }];
  }
  if (refund.state === outcome || (refund.state === 'withdrawn' && outcome === 'failed')) return null;
  if (!isLive(refund) || (refund.state === 'succeeded' && !made)) return { reason: 'invalid_state' };
  return refunds.map((other) => (other === refund ? { ...refund, state: outcome } : other));
}

/** What is given back of a payment. */
interface Share {
  payment: LedgerEntry;
  amountCents: number;
}

/**
 * Allocates an amount to payments, newest first (contract, Payments), as far as they can be refunded; nothing to a disputed one.
 */
export function allocate(ledger: Ledger, cents: number): Share[] {
  const shares: Share[] = [];
  let left = cents;
  for (const payment of ledger.payments.filter((each) => !isDisputed(each)).reverse()) {
    const amountCents = Math.min(left, refundableCents(ledger, payment));
    if (amountCents <= 0) continue;
    shares.push({ payment, amountCents });
    left -= amountCents;
  }
  return shares;
}

/** What `allocate` can give back of the payments of a booking. */
export const allocatableCents = (ledger: Ledger): number =>
  ledger.payments
    .filter((payment) => !isDisputed(payment))
    .reduce((sum, payment) => sum + refundableCents(ledger, payment), 0);

/** What is paid of a booking by payments in dispute: nothing is given back for it. */
export const disputedCents = (ledger: Ledger): number =>
  ledger.payments.filter(isDisputed).reduce((sum, payment) => sum + refundableCents(ledger, payment), 0);
