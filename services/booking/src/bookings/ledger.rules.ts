import type { PAYMENT_STATUSES, Reason } from '@swim/contracts';

/** Public payment status of a booking. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Money reserved for one payment, and its outcome. */
export interface LedgerEntry {
  /** The payment's id. */
  id: string;
  amountCents: number;
  /** The amount due at the reservation; stored so that a repeated request returns the same. */
  dueCents: number;
  /** `withdrawn`: its outcome arrived before its reservation, which is then rejected. */
  state: 'reserved' | 'succeeded' | 'failed' | 'withdrawn';
}

// Far more than one booking can have in progress at once.
const WITHDRAWN_KEPT = 64;

/** The money of a booking. Paid and reserved amounts together never exceed `amountCents`. */
export interface Ledger {
  amountCents: number;
  currency: string;
  payments: LedgerEntry[];
}

/** Why a request is rejected; `field` names the offending input. */
export interface Rejection {
  reason: Reason;
  field?: string;
}

/** A request to reserve money for a payment. */
export interface PaymentRequest {
  paymentId: string;
  amountCents: number;
  currency: string;
}

const sumOf = (ledger: Ledger, state: LedgerEntry['state']): number =>
  ledger.payments.reduce((sum, entry) => (entry.state === state ? sum + entry.amountCents : sum), 0);

/** The paid amount. */
export const paidCents = (ledger: Ledger): number => sumOf(ledger, 'succeeded');

/** The amount reserved by payments in progress; it counts against the balance (contract, Payments). */
export const reservedCents = (ledger: Ledger): number => sumOf(ledger, 'reserved');

/** Whether nothing is left to pay; a free booking is paid from the start. */
const isPaid = (ledger: Ledger): boolean => paidCents(ledger) >= ledger.amountCents;

/** Public payment status, derived from the entries. */
export function paymentStatusOf(ledger: Ledger): PaymentStatus {
  if (isPaid(ledger)) return 'paid';
  if (paidCents(ledger) > 0) return 'partially_paid';
  return ledger.payments.some((entry) => entry.state === 'failed') ? 'failed' : 'unpaid';
}

/**
 * The entry that reserves the requested amount: a new one, the existing one, or the reason of its rejection. `takesMoney`:
 * whether the booking's status permits payments.
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

/** Whether nothing was paid and no payment is in progress. */
export const hasNoMoney = ({ payments }: Pick<Ledger, 'payments'>): boolean =>
  payments.every(({ state }) => state === 'failed' || state === 'withdrawn');

/** Entries with the mark of a payment whose reservation has not arrived and must be rejected when it does; bounded. */
function withdraw(payments: LedgerEntry[], paymentId: string): LedgerEntry[] {
  const withdrawn = payments.filter(({ state }) => state === 'withdrawn');
  const forgotten = new Set(withdrawn.slice(0, Math.max(withdrawn.length + 1 - WITHDRAWN_KEPT, 0)));
  const mark: LedgerEntry = { id: paymentId, amountCents: 0, dueCents: 0, state: 'withdrawn' };
  return [...payments.filter((entry) => !forgotten.has(entry)), mark];
}

/**
 * Entries after the outcome of a payment; null when the outcome is stored already. The failure of a payment without an entry
 * adds a mark that rejects its late reservation. A second, different outcome is rejected: the money that the first one
 * released may have been reserved again.
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

/** The fields of a booking that a settlement changes beside its entries. */
interface Settled {
  payments: LedgerEntry[];
  version: number;
  status?: 'confirmed';
  expiresAt?: null;
  nextAt?: null;
}

/**
 * The consequences of new entries: the public version counts changes that clients can see; a pending booking no longer expires
 * once a part is paid, and is confirmed when all is (contract, Bookings).
 */
export function afterSettlement(now: Ledger & { version: number; status: string }, payments: LedgerEntry[]): Settled {
  const after = { ...now, payments };
  const isSeen = paidCents(after) !== paidCents(now) || paymentStatusOf(after) !== paymentStatusOf(now);
  const version = isSeen ? now.version + 1 : now.version;
  if (now.status !== 'pending' || paidCents(after) === 0) return { payments, version };
  return { payments, version, ...(isPaid(after) ? { status: 'confirmed' } : {}), expiresAt: null, nextAt: null };
}
