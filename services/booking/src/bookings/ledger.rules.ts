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
  state: 'reserved' | 'succeeded' | 'failed';
}

/** The money of a booking. Paid and reserved together never exceed `amountCents`. */
export interface Ledger {
  amountCents: number;
  currency: string;
  payments: LedgerEntry[];
}

/** Why something is refused; `field` names the offending input. */
export interface Refusal {
  reason: Reason;
  field?: string;
}

/** A payment that wants money set aside. */
export interface WantedPayment {
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
  wanted: WantedPayment,
  takesMoney: boolean,
): { entry: LedgerEntry; isNew: boolean } | Refusal {
  const known = ledger.payments.find((entry) => entry.id === wanted.paymentId);
  if (known)
    return known.amountCents === wanted.amountCents ? { entry: known, isNew: false } : { reason: 'invalid_state' };
  if (!takesMoney) return { reason: 'invalid_state' };
  if (wanted.currency !== ledger.currency) return { reason: 'currency_mismatch', field: 'currency' };
  if (isPaid(ledger)) return { reason: 'already_paid' };
  const dueCents = ledger.amountCents - paidCents(ledger) - reservedCents(ledger);
  if (wanted.amountCents > dueCents) return { reason: 'amount_exceeds_due', field: 'amount_cents' };
  return { entry: { id: wanted.paymentId, amountCents: wanted.amountCents, dueCents, state: 'reserved' }, isNew: true };
}

/**
 * Entries after the outcome of a payment; null when that outcome is known already. A second, different outcome is
 * refused: what the first one freed may have been set aside again.
 */
export function settle(
  ledger: Ledger,
  paymentId: string,
  outcome: 'succeeded' | 'failed',
): LedgerEntry[] | null | Refusal {
  const entry = ledger.payments.find(({ id }) => id === paymentId);
  if (!entry) return { reason: 'not_found', field: 'paymentId' };
  if (entry.state === outcome) return null;
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
