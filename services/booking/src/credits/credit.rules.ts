import type { Credit } from '@swim/contracts';
import type { CreditDocument, Spend } from './credit.schema.js';

/** How long a credit can be spent (contract, Payments). */
export const CREDIT_DAYS = 180;

type Spendable = Pick<
  CreditDocument,
  'issuedCents' | 'spends' | 'revokedCents' | 'revision' | 'leftCents' | 'expiresAt'
>;

/** The part of a credit that bookings change. */
export type CreditChange = Pick<CreditDocument, 'spends' | 'revokedCents' | 'revision' | 'leftCents'>;

/** What the booking that gave a credit takes of it in all; a later revision replaces an earlier one. */
export type Revocation = Required<Pick<CreditDocument, 'revokedCents' | 'revision'>>;

/** The public status of a credit. */
export function statusOf({ leftCents, expiresAt }: Spendable, now: Date): Credit['status'] {
  if (leftCents === 0) return 'spent';
  return expiresAt <= now ? 'expired' : 'available';
}

const changed = ({ issuedCents, revokedCents, revision }: Spendable, spends: Spend[]): CreditChange => ({
  // A booking that gave a credit back entirely no longer uses it.
  spends: spends.filter(({ amountCents }) => amountCents > 0),
  ...(revokedCents === undefined ? {} : { revokedCents, revision }),
  // What was spent before it was revoked stays spent; what a booking gives back later is revoked then.
  leftCents: Math.max(
    spends.reduce((left, { amountCents }) => left - amountCents, issuedCents - (revokedCents ?? 0)),
    0,
  ),
});

/** The change by which the booking that gave a credit takes this much of it back; null when it has, or takes another amount since. */
export const revoked = (credit: Spendable, revocation: Revocation): CreditChange | null =>
  (credit.revision ?? 0) >= revocation.revision ? null : changed({ ...credit, ...revocation }, credit.spends);

const withSpend = (credit: Spendable, spend: Spend): CreditChange =>
  changed(credit, [...credit.spends.filter(({ bookingId }) => bookingId !== spend.bookingId), spend]);

/** A run of a booking that is being made, and the price that its credit should pay. */
export interface Reservation {
  bookingId: string;
  attempt: number;
  requestedCents: number;
}

/**
 * The result of a reservation: the reserved amount and the change, null when it is reserved already; or that a later run of the
 * booking has reserved it. An amount that the booking reserved before stays reserved when the credit has expired since.
 */
export function reserved(
  credit: Spendable,
  { bookingId, attempt, requestedCents }: Reservation,
  now: Date,
): { amountCents: number; change: CreditChange | null } | 'superseded' {
  const known = credit.spends.find((spend) => spend.bookingId === bookingId);
  if (known?.state === 'spent') return { amountCents: known.amountCents, change: null };
  if (known && known.attempt > attempt) return 'superseded';
  const free = statusOf(credit, now) === 'available' ? credit.leftCents : 0;
  const amountCents = Math.min(requestedCents, free + (known?.amountCents ?? 0));
  if (amountCents === 0 || (known?.attempt === attempt && known.amountCents === amountCents))
    return { amountCents, change: null };
  return { amountCents, change: withSpend(credit, { bookingId, attempt, amountCents, state: 'reserved' }) };
}

/**
 * The change by which a booking that was made reports what it uses; null when it is recorded. That amount only decreases, so that
 * reports may arrive in any order and twice.
 */
export function settled(credit: Spendable, bookingId: string, usedCents: number): CreditChange | null {
  const known = credit.spends.find((spend) => spend.bookingId === bookingId);
  if (!known || (known.state === 'spent' && known.amountCents <= usedCents)) return null;
  return withSpend(credit, { ...known, amountCents: Math.min(known.amountCents, usedCents), state: 'spent' });
}

/** The change that ends the reservation of a booking that was not made, by runs up to this one; null when there is none. */
export function released(credit: Spendable, bookingId: string, attempt: number): CreditChange | null {
  const known = credit.spends.find((spend) => spend.bookingId === bookingId);
  if (known?.state !== 'reserved' || known.attempt > attempt) return null;
  return withSpend(credit, { ...known, amountCents: 0 });
}
