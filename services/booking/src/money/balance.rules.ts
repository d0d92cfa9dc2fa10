import type { PAYMENT_STATUSES, RecordedMethod } from '@swim/contracts';

/** Public payment status of a booking. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** A dispute of a payment, as it was reported last. */
export interface LedgerDispute {
  /** The processor's id. */
  id: string;
  /** Grows with each change of its state: reports may arrive late. */
  revision: number;
  state: 'open' | 'won' | 'lost';
  amountCents: number;
}

/** Money reserved for one payment, and its outcome. */
export interface LedgerEntry {
  /** The payment's id. */
  id: string;
  amountCents: number;
  /** The amount due at the reservation; stored so that a repeated request returns the same. */
  dueCents: number;
  /** When it was reserved, ISO 8601 UTC; absent where nothing was. */
  at?: string;
  /**
   * `authorized`: held by the processor, not charged yet; `voided`: released after that. `withdrawn`: its outcome arrived before
   * its reservation, which is then rejected.
   */
  state: 'reserved' | 'authorized' | 'succeeded' | 'failed' | 'voided' | 'withdrawn';
  /** How the school got money that it recorded; absent where a processor charges it. */
  method?: RecordedMethod;
  /** The payer's method that its consent lets the school charge; absent where the payer charges it. */
  methodId?: string;
  /** The request to void it, once the booking has ended; absent before. */
  voiding?: 'requested' | 'accepted';
  /** Absent without any. */
  disputes?: LedgerDispute[];
}

/** Whether nothing of a payment is refunded: until each of its disputes is won. */
export const isDisputed = ({ disputes = [] }: LedgerEntry): boolean => disputes.some(({ state }) => state !== 'won');

/** Money of one payment that is given back. */
export interface Refund {
  /** The refund's id; that of the makeup credit for the kind `credit`. */
  id: string;
  paymentId: string;
  amountCents: number;
  /**
   * `goodwill`: made by the school, also by hand at the processor; it waives as much. `automatic`: allocated by the booking because
   * too much was paid. `credit`: the same, but given as a makeup credit; payment is not concerned.
   */
  kind: 'goodwill' | 'automatic' | 'credit';
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
   * corrected; `waiver`: part of the amount that the school waives; `dispute_lost`: the processor took a payment back, or negative
   * when it returned it; `credit_spent`: paid by a makeup credit; `credit_returned`: back to it; `credit_converted`: a makeup credit given instead of a
   * refund; `credit_excused`: one given for an excused lesson, whose price stays.
   */
  kind:
    | 'charge'
    | 'refund'
    | 'fee'
    | 'waiver'
    | 'dispute_lost'
    | 'credit_spent'
    | 'credit_returned'
    | 'credit_converted'
    | 'credit_excused';
  amountCents: number;
  /** ISO 8601 UTC. */
  at: string;
  /** The payment, refund, session or credit that it is about. */
  of: string;
  /** A charge has that of its payment. */
  method?: RecordedMethod;
}

/** The movements of a new booking that a makeup credit pays in part or whole. */
export const creditMovements = (creditId: string | null | undefined, amountCents: number, at: string): Movement[] =>
  creditId && amountCents > 0 ? [{ kind: 'credit_spent', amountCents, at, of: creditId }] : [];

/** The money of a booking. */
export interface Ledger {
  /** The price of the sessions that take place, and the fees kept of the others. */
  amountCents: number;
  currency: string;
  payments: LedgerEntry[];
  /** Failed payments that have no entry any more; absent without any. */
  failedCount?: number;
  /** Absent before the first. */
  refunds?: Refund[];
  /** Absent before the first. */
  movements?: Movement[];
}

type Moved = Pick<Ledger, 'movements'>;

/** The sum of all movements of a kind. */
export const sumOf = ({ movements = [] }: Moved, kind: Movement['kind']): number =>
  movements.reduce((sum, each) => (each.kind === kind ? sum + each.amountCents : sum), 0);

/**
 * The paid amount: charged minus refunded (contract, Payments), by refunds or as makeup credits, and minus what lost disputes took.
 */
export const paidCents = (ledger: Moved): number =>
  sumOf(ledger, 'charge') - sumOf(ledger, 'refund') - sumOf(ledger, 'credit_converted') - sumOf(ledger, 'dispute_lost');

/** The amount that is paid by a makeup credit. */
export const creditedCents = (ledger: Moved): number =>
  sumOf(ledger, 'credit_spent') - sumOf(ledger, 'credit_returned');

/** The paid amount, credits included: fees are kept from it, and it covers the sessions. */
export const heldCents = (ledger: Moved): number => paidCents(ledger) + creditedCents(ledger);

/** The amount that payments in progress and authorized ones reserve: it counts against the balance (contract, Payments). */
export const reservedCents = ({ payments }: Pick<Ledger, 'payments'>): number =>
  payments.reduce((sum, { state, amountCents }) => sum + (isOpen(state) ? amountCents : 0), 0);

const isOpen = (state: LedgerEntry['state']): boolean => state === 'reserved' || state === 'authorized';

/** What the school may keep: the amount, less what it has waived. */
const owedCents = (ledger: Ledger): number => Math.max(ledger.amountCents - sumOf(ledger, 'waiver'), 0);

/** The amount that is still to be paid, never below 0 (contract, Payments). */
export const dueCents = (ledger: Ledger): number => Math.max(owedCents(ledger) - heldCents(ledger), 0);

/** What is held beyond what the school may keep, never below 0. */
export interface Excess {
  /** The part that is given back of payments, which come first (contract, Payments). */
  paidCents: number;
  /** The part that goes back to the makeup credit. */
  creditedCents: number;
}

export function excessOf(ledger: Ledger): Excess {
  const back = Math.max(creditedCents(ledger) - owedCents(ledger), 0);
  return { paidCents: Math.max(heldCents(ledger) - owedCents(ledger), 0) - back, creditedCents: back };
}

/**
 * Public payment status (contract, Payments). `isFree`: nothing is due because the sessions cost nothing, and not because they
 * were cancelled or missed.
 */
export function paymentStatusOf(ledger: Ledger, isFree: boolean): PaymentStatus {
  const [held, given] = [heldCents(ledger), sumOf(ledger, 'charge') + sumOf(ledger, 'credit_spent')];
  // Fees, and what a lost dispute took, are due whatever was refunded.
  const isOwed = dueCents(ledger) > 0 && sumOf(ledger, 'dispute_lost') + sumOf(ledger, 'fee') > 0;
  if (held <= 0 && backCents(ledger) > 0 && !isOwed) return 'refunded';
  if (dueCents(ledger) > 0 && held > 0) return 'partially_paid';
  if (dueCents(ledger) === 0 && given > 0) return paidStatus(held, given);
  if (dueCents(ledger) === 0 && isFree) return 'paid';
  const states = new Set(ledger.payments.map(({ state }) => state));
  if (states.has('authorized')) return 'authorized';
  return states.has('failed') || (ledger.failedCount ?? 0) > 0 ? 'failed' : 'unpaid';
}

const backCents = (ledger: Moved): number =>
  sumOf(ledger, 'refund') + sumOf(ledger, 'credit_converted') + sumOf(ledger, 'credit_returned');

function paidStatus(held: number, given: number): PaymentStatus {
  if (held === given) return 'paid';
  return held <= 0 ? 'refunded' : 'partially_refunded';
}
