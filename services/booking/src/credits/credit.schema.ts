import { type Aggregate, aggregateSchema, type Clocked, indexDue, type Managed } from '@swim/mongo';

/** What one booking uses of a credit. */
export interface Spend {
  bookingId: string;
  /** The run of the booking's saga that reserved it. */
  attempt: number;
  amountCents: number;
  /** `reserved`: the booking is being made; `spent`: it was made. */
  state: 'reserved' | 'spent';
}

/**
 * A makeup credit. It is readable by the account that has it and the school that gave it. Its bookings decide how much of it is
 * spent: each reserves before it is made, and reports afterwards what it uses.
 */
export interface CreditDocument extends Aggregate, Clocked {
  accountId: string;
  memberId: string;
  schoolId: string;
  sessionId: string;
  issuedCents: number;
  currency: string;
  /** In real time. */
  expiresAt: Date;
  spends: Spend[];
  /** What is taken back of it, since lost disputes took the money for which it was given, and its revision; absent without. */
  revokedCents?: number;
  revision?: number;
  /** The amount given less what was revoked and all spends, also reserved ones; never below 0. */
  leftCents: number;
  /** When the recoverer compares reserved amounts with their bookings, by the database's clock; null when none is reserved. */
  dueAt: Date | null;
}

/** A credit before its first write, without the fields of the aggregate. */
export type NewCredit = Omit<CreditDocument, Managed>;

const spend = { _id: false, bookingId: String, attempt: Number, amountCents: Number, state: String };

/** Collection `credits`. */
export const creditSchema = aggregateSchema<CreditDocument>({
  accountId: { type: String, required: true },
  memberId: { type: String, required: true },
  schoolId: { type: String, required: true },
  sessionId: { type: String, required: true },
  issuedCents: { type: Number, required: true },
  currency: { type: String, required: true },
  expiresAt: { type: Date, required: true },
  spends: { type: [spend], required: true },
  revokedCents: Number,
  revision: Number,
  leftCents: { type: Number, required: true },
  dueAt: Date,
  clockOffsetMs: Number,
});
// For `GET /accounts/{account_id}/credits`.
creditSchema.index({ readers: 1, _id: -1 });
// For the recovery of reservations, each second.
indexDue(creditSchema, 'dueAt');
