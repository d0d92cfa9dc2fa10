import type { LedgerEntry, Movement, Refund } from '../money/balance.rules.js';
import type { CreditIssue } from '../money/returns.rules.js';
import type { BookedSession } from '../money/session-billing.rules.js';

/** A stored booking, as far as an audit reads it. */
export interface AuditedBooking {
  _id: string;
  status: string;
  currency: string;
  amountCents: number;
  sessions: BookedSession[];
  payments: LedgerEntry[];
  refunds?: Refund[];
  movements?: Movement[];
  creditId?: string | null;
  issues?: CreditIssue[];
  updatedAt: Date;
}

/** A stored payment, as far as an audit reads it. */
export interface AuditedPayment {
  _id: string;
  bookingId: string;
  status: string;
  amountCents: number;
  refundedCents: number;
  /** Absent where a processor charged it. */
  method?: string;
  /** Absent before the first refund. */
  refundIds?: string[];
  /** Absent before the first dispute. */
  disputes?: { state: string; amountCents: number }[];
  currency: string;
  updatedAt: Date;
}

/** A stored refund, as far as an audit reads it. */
export interface AuditedRefund {
  _id: string;
  paymentId: string;
  amountCents: number;
  status: string;
  step: string;
  /** JSON of the error by which the booking rejected it; null otherwise. */
  rejection: string | null;
  updatedAt: Date;
}

/** A stored makeup credit, as far as an audit reads it. */
export interface AuditedCredit {
  _id: string;
  issuedCents: number;
  leftCents: number;
  revokedCents?: number;
  spends: { bookingId: string; amountCents: number; state: string }[];
  updatedAt: Date;
}

/**
 * All that is stored about the money of one booking. `credits`: those that it spends or has given; `young`: ids of those left out.
 */
export interface StoredMoney {
  booking: AuditedBooking;
  payments: AuditedPayment[];
  refunds: AuditedRefund[];
  credits: AuditedCredit[];
  young: ReadonlySet<string>;
}

/** What is wrong, and what `ledgerCents` and `otherCents` are. */
export const DIFFERENCES = {
  charge_differs: 'the ledger has not the amount that the payment charged',
  method_differs: 'the ledger has another method than the payment',
  charged_twice: 'the ledger counts a payment more than once',
  currency_differs: 'the payment is in another currency than the booking',
  reservation_left: 'the ledger reserves the amount of a payment that has ended or does not exist',
  refund_differs: 'the ledger has not the amount of the refund',
  refund_not_settled: 'the refund has succeeded, and the ledger does not count it as such',
  refunded_differs: 'the payment has not counted its refunds, or has counted other ones',
  refunded_beyond_charge: 'more is refunded than was charged',
  dispute_differs: 'the ledger has not the amount that lost disputes took of the payment',
  fee_differs: 'the movements of fees have not the sum that the session keeps',
  amount_differs: 'the amount of the booking is not that of its sessions',
  money_beyond_amount: 'more is held than the booking costs',
  money_on_ended_booking: 'more is held of a cancelled or expired booking than its fees',
  credit_spend_differs: 'the makeup credit records another amount than the booking spends of it',
  credit_differs: 'the makeup credit that the booking gives does not exist, or has another amount',
  credit_revoked_differs: 'the makeup credit has not revoked what a lost dispute took of it',
  credit_left_differs: 'what is left of the makeup credit is not what was given less what is revoked and spent',
  payment_without_booking: 'the booking of a payment does not exist',
} as const;

/** A difference between what is stored about one booking. Ids and amounts only. */
export interface Difference {
  kind: keyof typeof DIFFERENCES;
  bookingId: string;
  paymentId?: string;
  refundId?: string;
  sessionId?: string;
  creditId?: string;
  /** The amount by the ledger of the booking. */
  ledgerCents: number;
  /** The amount by the other document: the payment, the refund, the credit or the session. */
  otherCents: number;
}

/** A difference without the booking, which is added to all. */
export type Found = Omit<Difference, 'bookingId'>;

const CHARGED: ReadonlySet<string> = new Set(['succeeded', 'partially_refunded', 'refunded']);

/** The amount that a payment charged. */
export const chargedCents = ({ status, amountCents }: AuditedPayment): number =>
  CHARGED.has(status) ? amountCents : 0;

/** The sum of amounts. */
export const centsOf = (items: readonly { amountCents: number }[]): number =>
  items.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** The sum of the movements of a kind, of one object or of all. */
export const movedCents = (movements: readonly Movement[], kind: Movement['kind'], of?: string): number =>
  centsOf(movements.filter((each) => each.kind === kind && (of === undefined || each.of === of)));
