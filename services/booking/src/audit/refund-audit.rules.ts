import type { Movement, Refund } from '../money/balance.rules.js';
import {
  type AuditedPayment,
  type AuditedRefund,
  centsOf,
  chargedCents,
  type Found,
  movedCents,
  type StoredMoney,
} from './audited-money.rules.js';

/**
 * Whether a refund is one: its booking has set the money aside, or its request is about to be sent. One that failed for good, since
 * a lost dispute took the money, has none; one that failed is tried again otherwise.
 */
const isReserved = ({ rejection, step, status }: AuditedRefund): boolean =>
  rejection === null && step !== 'reserve' && !(step === 'done' && status === 'failed');

const isGiven = ({ kind, state }: Refund): boolean => kind !== 'credit' && state !== 'failed' && state !== 'withdrawn';

/** A refund by the school is counted once it has succeeded, one by the booking itself from the beginning. */
const isCounted = ({ kind, state }: Refund): boolean => kind === 'automatic' || state === 'succeeded';

/** A lost dispute takes at most what was not refunded as money. */
function differencesOfDisputes(payment: AuditedPayment, refunds: AuditedRefund[], movements: Movement[]): Found[] {
  const { _id: paymentId, disputes = [] } = payment;
  const own = refunds.filter((refund) => refund.paymentId === paymentId);
  const lostCents = centsOf(disputes.filter(({ state }) => state === 'lost'));
  const ledgerCents = movedCents(movements, 'dispute_lost', paymentId);
  const otherCents = Math.max(Math.min(lostCents, chargedCents(payment) - centsOf(own)), 0);
  return ledgerCents === otherCents ? [] : [{ kind: 'dispute_differs', paymentId, ledgerCents, otherCents }];
}

/** Differences between the refunds of a ledger, those that payment stores, and what its payments count. */
export function differencesOfRefunds({ booking, payments, refunds }: StoredMoney, movements: Movement[]): Found[] {
  const inLedger = new Map((booking.refunds ?? []).filter(isGiven).map((refund) => [refund.id, refund]));
  const inPayment = new Map(refunds.filter(isReserved).map((refund) => [refund._id, refund]));
  const ids = new Set([...inLedger.keys(), ...inPayment.keys()]);
  return [
    ...[...ids].flatMap((id) => differencesOfRefund(id, inLedger.get(id), inPayment.get(id))),
    ...[...inLedger.values()].flatMap((refund) => differencesOfMovement(refund, movements)),
    ...payments.flatMap((payment) => differencesOfCounted(payment, [...inPayment.values()])),
    ...payments.flatMap((payment) => differencesOfDisputes(payment, [...inPayment.values()], movements)),
  ];
}

function differencesOfRefund(refundId: string, ledger: Refund | undefined, stored: AuditedRefund | undefined): Found[] {
  const [ledgerCents, otherCents] = [ledger?.amountCents ?? 0, stored?.amountCents ?? 0];
  const paymentId = (ledger?.paymentId ?? stored?.paymentId)!;
  const of = { paymentId, refundId, ledgerCents, otherCents };
  // The booking has set it aside, and payment is about to learn that.
  if (!stored && ledger?.kind === 'goodwill' && ledger.state === 'reserved') return [];
  if (ledgerCents !== otherCents || ledger?.paymentId !== stored?.paymentId) return [{ kind: 'refund_differs', ...of }];
  const hasSucceeded = stored?.status === 'succeeded' && stored.step === 'done';
  return hasSucceeded && ledger?.state !== 'succeeded' ? [{ kind: 'refund_not_settled', ...of }] : [];
}

function differencesOfMovement(refund: Refund, movements: Movement[]): Found[] {
  const { id: refundId, paymentId } = refund;
  const [ledgerCents, otherCents] = [
    movedCents(movements, 'refund', refundId),
    isCounted(refund) ? refund.amountCents : 0,
  ];
  return ledgerCents === otherCents ? [] : [{ kind: 'refund_differs', paymentId, refundId, ledgerCents, otherCents }];
}

function differencesOfCounted(payment: AuditedPayment, refunds: AuditedRefund[]): Found[] {
  const { _id: paymentId, refundedCents, refundIds = [] } = payment;
  const own = refunds.filter((refund) => refund.paymentId === paymentId);
  const ledgerCents = centsOf(own.filter(({ _id }) => refundIds.includes(_id)));
  const uncounted = own.filter(
    ({ _id, status, step }) => status === 'succeeded' && step === 'done' && !refundIds.includes(_id),
  );
  const found: Found[] = [];
  if (ledgerCents !== refundedCents || uncounted.length > 0)
    found.push({ kind: 'refunded_differs', paymentId, ledgerCents, otherCents: refundedCents });
  const charged = chargedCents(payment);
  if (centsOf(own) > charged)
    found.push({ kind: 'refunded_beyond_charge', paymentId, ledgerCents: centsOf(own), otherCents: charged });
  return found;
}
