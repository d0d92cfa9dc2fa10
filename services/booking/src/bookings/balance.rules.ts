import type { PAYMENT_STATUSES } from '@swim/contracts';

/** Public payment status of a booking. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Money reserved for one payment, and its outcome. */
export interface LedgerEntry {
  /** The payment's id. */
  id: string;
  amountCents: number;
  /** The amount due at the reservation; stored so that a repeated request returns the same. */
  dueCents: number;
  /**
   * `authorized`: held by the processor, not charged yet; `voided`: released after that. `withdrawn`: its outcome arrived before
   * its reservation, which is then rejected.
   */
  state: 'reserved' | 'authorized' | 'succeeded' | 'failed' | 'voided' | 'withdrawn';
  /** The request to void it, once the booking has ended; absent before. */
  voiding?: 'requested' | 'accepted';
  /** The state of its latest dispute; absent without one. */
  dispute?: 'open' | 'won' | 'lost';
  /** The amount of that dispute. */
  disputedCents?: number;
}

/** A refund of one payment. */
export interface Refund {
  /** The refund's id. */
  id: string;
  paymentId: string;
  amountCents: number;
  /** `goodwill`: made by the school; it waives as much. `automatic`: allocated by the booking because too much was paid. */
  kind: 'goodwill' | 'automatic';
  /**
   * `requested`: payment has yet to accept it; `accepted`: payment executes it; `reserved`: payment executes the school's;
   * `withdrawn`: its failure arrived before its reservation, which is then rejected.
   */
  state: 'requested' | 'accepted' | 'reserved' | 'succeeded' | 'failed' | 'withdrawn';
}

/** One movement of a booking's money. Movements are appended and never changed; every balance is their sum. */
export interface Movement {
  /**
   * `charge`: a payment succeeded; `refund`: money goes back; `fee`: kept of a cancelled or missed session, negative when a fee is
   * corrected; `waiver`: part of the amount that the school waives; `dispute_lost`: the processor took a payment back.
   */
  kind: 'charge' | 'refund' | 'fee' | 'waiver' | 'dispute_lost';
  amountCents: number;
  /** ISO 8601 UTC. */
  at: string;
  /** The payment, refund or session that it is about. */
  of: string;
}

/** The money of a booking. */
export interface Ledger {
  /** The price of the sessions that take place, and the fees kept of the others. */
  amountCents: number;
  currency: string;
  payments: LedgerEntry[];
  /** Absent in documents from before refunds existed. */
  refunds?: Refund[];
  /** Absent in documents from before movements were stored. */
  movements?: Movement[];
}

type Payments = Pick<Ledger, 'payments' | 'movements'>;

const EPOCH = new Date(0).toISOString();

/** The movements of a booking; those of a document from before they were stored follow from its payments. */
export const movementsOf = ({ payments, movements }: Payments): Movement[] =>
  movements ??
  payments
    .filter(({ state }) => state === 'succeeded')
    .map(({ id, amountCents }) => ({ kind: 'charge', amountCents, at: EPOCH, of: id }));

/** The sum of all movements of a kind. */
export const sumOf = (ledger: Payments, kind: Movement['kind']): number =>
  movementsOf(ledger).reduce((sum, each) => (each.kind === kind ? sum + each.amountCents : sum), 0);

/** The paid amount: charged minus refunded (contract, Payments), and minus what lost disputes took. */
export const paidCents = (ledger: Payments): number =>
  sumOf(ledger, 'charge') - sumOf(ledger, 'refund') - sumOf(ledger, 'dispute_lost');

/** The amount that payments in progress and authorized ones reserve: it counts against the balance (contract, Payments). */
export const reservedCents = ({ payments }: Pick<Ledger, 'payments'>): number =>
  payments.reduce((sum, { state, amountCents }) => sum + (isOpen(state) ? amountCents : 0), 0);

const isOpen = (state: LedgerEntry['state']): boolean => state === 'reserved' || state === 'authorized';

/** What the school may keep: the amount, less what it has waived. */
const owedCents = (ledger: Ledger): number => Math.max(ledger.amountCents - sumOf(ledger, 'waiver'), 0);

/** The amount that is still to be paid, never below 0 (contract, Payments). */
export const dueCents = (ledger: Ledger): number => Math.max(owedCents(ledger) - paidCents(ledger), 0);

/** The paid amount that exceeds what the school may keep, never below 0. */
export const excessCents = (ledger: Ledger): number => Math.max(paidCents(ledger) - owedCents(ledger), 0);

/**
 * Public payment status (contract, Payments). `isFree`: nothing is due because the sessions cost nothing, and not because they
 * were cancelled.
 */
export function paymentStatusOf(ledger: Ledger, isFree: boolean): PaymentStatus {
  const [paid, charged] = [paidCents(ledger), sumOf(ledger, 'charge')];
  if (paid <= 0 && sumOf(ledger, 'refund') > 0) return 'refunded';
  if (dueCents(ledger) > 0 && paid > 0) return 'partially_paid';
  if (dueCents(ledger) === 0 && charged > 0) return paidStatus(paid, charged);
  if (dueCents(ledger) === 0 && isFree) return 'paid';
  const states = new Set(ledger.payments.map(({ state }) => state));
  if (states.has('authorized')) return 'authorized';
  return states.has('failed') ? 'failed' : 'unpaid';
}

function paidStatus(paid: number, charged: number): PaymentStatus {
  if (paid === charged) return 'paid';
  return paid <= 0 ? 'refunded' : 'partially_refunded';
}
