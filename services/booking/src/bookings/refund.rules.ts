import { disputesOf, isDisputed, type Ledger, type LedgerEntry, movementsOf, type Refund } from './balance.rules.js';
import { type Rejection, withdraw } from './ledger.rules.js';

/** A request by the school to refund a payment; `amountCents` null: all that is left of it. */
export interface RefundRequest {
  refundId: string;
  paymentId: string;
  amountCents: number | null;
}

const isLive = ({ state }: Refund): boolean => state !== 'failed' && state !== 'withdrawn';

/** What is left of a charged payment, never below 0: neither given back nor reserved for a refund, nor taken by a lost dispute. */
export function refundableCents(ledger: Ledger, { id, state, amountCents }: LedgerEntry): number {
  if (state !== 'succeeded') return 0;
  const back = (ledger.refunds ?? []).filter((refund) => refund.paymentId === id && isLive(refund));
  const lost = movementsOf(ledger).filter(({ kind, of }) => kind === 'dispute_lost' && of === id);
  return Math.max(
    [...back, ...lost].reduce((left, each) => left - each.amountCents, amountCents),
    0,
  );
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

/**
 * Refunds after the outcome of one; null when the outcome is stored already. As with payments, the failure of an unknown refund
 * adds a mark that rejects its late reservation. An automatic refund is retried until it succeeds: it fails only where a lost
 * dispute has taken its payment.
 */
export function settleRefund(
  { refunds = [], payments }: Pick<Ledger, 'refunds' | 'payments'>,
  refundId: string,
  outcome: 'succeeded' | 'failed',
): Refund[] | null | Rejection {
  const refund = refunds.find(({ id }) => id === refundId);
  if (!refund)
    return outcome === 'failed'
      ? withdraw(refunds, { id: refundId, paymentId: '', amountCents: 0, kind: 'goodwill', state: 'withdrawn' })
      : { reason: 'not_found', field: 'refundId' };
  if (refund.state === outcome || (refund.state === 'withdrawn' && outcome === 'failed')) return null;
  const isFinal = refund.state === 'succeeded' || !isLive(refund);
  const mustSucceed = refund.kind === 'automatic' && !hasLost(payments, refund.paymentId);
  if (isFinal || (mustSucceed && outcome === 'failed')) return { reason: 'invalid_state' };
  return refunds.map((other) => (other === refund ? { ...refund, state: outcome } : other));
}

const hasLost = (payments: LedgerEntry[], paymentId: string): boolean =>
  payments.some((payment) => payment.id === paymentId && disputesOf(payment).some(({ state }) => state === 'lost'));

/**
 * Allocates an amount to payments, newest first (contract, Payments), as far as they can be refunded; nothing to a disputed one.
 * `toRefund` makes what is given back of each.
 */
export function allocate(
  ledger: Ledger,
  cents: number,
  toRefund: (of: { paymentId: string; amountCents: number }) => Refund,
): Refund[] {
  const refunds: Refund[] = [];
  let left = cents;
  for (const payment of ledger.payments.filter((each) => !isDisputed(each)).reverse()) {
    const amountCents = Math.min(left, refundableCents(ledger, payment));
    if (amountCents <= 0) continue;
    refunds.push(toRefund({ paymentId: payment.id, amountCents }));
    left -= amountCents;
  }
  return refunds;
}

/** What `allocate` can give back of the payments of a booking. */
export const allocatableCents = (ledger: Ledger): number =>
  ledger.payments
    .filter((payment) => !isDisputed(payment))
    .reduce((sum, payment) => sum + refundableCents(ledger, payment), 0);

/** What is paid of a booking by payments in dispute: nothing is given back for it. */
export const disputedCents = (ledger: Ledger): number =>
  ledger.payments.filter(isDisputed).reduce((sum, payment) => sum + refundableCents(ledger, payment), 0);
