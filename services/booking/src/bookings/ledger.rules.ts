import type { PAYMENT_STATUSES, Reason } from '@swim/contracts';

/** Public payment status of a booking. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Money set aside for one payment, and what became of it. */
export interface LedgerEntry {
  /** The payment's id. */
  id: string;
  amountCents: number;
  /** What could be set aside when this was; kept so that a repeated request is answered the same. */
  dueCents: number;
  /** `withdrawn`: its outcome came before its reservation, which is rejected whenever it arrives. */
  state: 'reserved' | 'succeeded' | 'failed' | 'withdrawn';
}

// Far more than can be on their way to one booking at once.
const WITHDRAWN_KEPT = 64;

/** The money of a booking. Paid and reserved together never exceed `amountCents`. */
export interface Ledger {
  amountCents: number;
  currency: string;
  payments: LedgerEntry[];
}

/** Why something is rejected; `field` names the offending input. */
export interface Rejection {
  reason: Reason;
  field?: string;
}

/** A payment that wants money set aside. */
export interface PaymentRequest {
  paymentId: string;
  amountCents: number;
  currency: string;
}

const sumOf = (ledger: Ledger, state: LedgerEntry['state']): number =>
  ledger.payments.reduce((sum, entry) => (entry.state === state ? sum + entry.amountCents : sum), 0);

/** What has been paid. */
export const paidCents = (ledger: Ledger): number => sumOf(ledger, 'succeeded');

/** What payments under way hold; it counts against the balance (contract, Payments). */
export const reservedCents = (ledger: Ledger): number => sumOf(ledger, 'reserved');

/** Whether nothing is left to pay; a free booking is paid from the start. */
const isPaid = (ledger: Ledger): boolean => paidCents(ledger) >= ledger.amountCents;

/** Public payment status, told by the entries alone. */
export function paymentStatusOf(ledger: Ledger): PaymentStatus {
  if (isPaid(ledger)) return 'paid';
  if (paidCents(ledger) > 0) return 'partially_paid';
  return ledger.payments.some((entry) => entry.state === 'failed') ? 'failed' : 'unpaid';
}

/**
 * Entry by which `wanted` is set aside: a new one, the one it already has, or the reason why there can be none.
 * `takesMoney`: whether the booking is in a state to be paid.
 */
export function reserve(
  ledger: Ledger,
  requested: PaymentRequest,
  takesMoney: boolean,
): { entry: LedgerEntry; isNew: boolean } | Rejection {
  const known = ledger.payments.find((entry) => entry.id === requested.paymentId);
  if (known?.state === 'withdrawn') return { reason: 'invalid_state' };
  if (known)
    return known.amountCents === requested.amountCents ? { entry: known, isNew: false } : { reason: 'invalid_state' };
  if (!takesMoney) return { reason: 'invalid_state' };
  if (requested.currency !== ledger.currency) return { reason: 'currency_mismatch', field: 'currency' };
  if (isPaid(ledger)) return { reason: 'already_paid' };
  const dueCents = ledger.amountCents - paidCents(ledger) - reservedCents(ledger);
  if (requested.amountCents > dueCents) return { reason: 'amount_exceeds_due', field: 'amount_cents' };
  return {
    entry: { id: requested.paymentId, amountCents: requested.amountCents, dueCents, state: 'reserved' },
    isNew: true,
  };
}

/** Whether nothing was paid and nothing is under way. */
export const hasNoMoney = ({ payments }: Pick<Ledger, 'payments'>): boolean =>
  payments.every(({ state }) => state === 'failed' || state === 'withdrawn');

/** Entries with the mark of a payment whose reservation has not arrived and must not count when it does; bounded. */
function withdraw(payments: LedgerEntry[], paymentId: string): LedgerEntry[] {
  const withdrawn = payments.filter(({ state }) => state === 'withdrawn');
  const forgotten = new Set(withdrawn.slice(0, Math.max(withdrawn.length + 1 - WITHDRAWN_KEPT, 0)));
  const mark: LedgerEntry = { id: paymentId, amountCents: 0, dueCents: 0, state: 'withdrawn' };
  return [...payments.filter((entry) => !forgotten.has(entry)), mark];
}

/**
 * Entries after the outcome of a payment; null when that outcome is known already. A failure of a payment without an
 * entry leaves a mark by which its late reservation is rejected. A second, different outcome is rejected: what the first
 * one freed may have been set aside again.
 */
export function settle(
  ledger: Ledger,
  paymentId: string,
  outcome: 'succeeded' | 'failed',
): LedgerEntry[] | null | Rejection {
  const entry = ledger.payments.find(({ id }) => id === paymentId);
  if (!entry)
    return outcome === 'failed' ? withdraw(ledger.payments, paymentId) : { reason: 'not_found', field: 'paymentId' };
  if (entry.state === outcome || (entry.state === 'withdrawn' && outcome === 'failed')) return null;
  if (entry.state !== 'reserved') return { reason: 'invalid_state' };
  return ledger.payments.map((other) => (other === entry ? { ...entry, state: outcome } : other));
}

/** What a settlement changes of a booking beside its entries. */
interface Settled {
  payments: LedgerEntry[];
  version: number;
  status?: 'confirmed';
  expiresAt?: null;
  nextAt?: null;
}

/**
 * Everything that follows from new entries: the public version counts what clients can see; a booking that waits for
 * its money no longer expires once some has come, and is confirmed when all has (contract, Bookings).
 */
export function afterSettlement(now: Ledger & { version: number; status: string }, payments: LedgerEntry[]): Settled {
  const after = { ...now, payments };
  const isSeen = paidCents(after) !== paidCents(now) || paymentStatusOf(after) !== paymentStatusOf(now);
  const version = isSeen ? now.version + 1 : now.version;
  if (now.status !== 'pending' || paidCents(after) === 0) return { payments, version };
  return { payments, version, ...(isPaid(after) ? { status: 'confirmed' } : {}), expiresAt: null, nextAt: null };
}
