import { heldCents, type Ledger, reservedCents, sumOf } from './balance.rules.js';
import type { BookedSession, SessionState } from './session-billing.rules.js';

/** A family's consent to be charged for a booking by its payment method (contract, Collecting). */
export interface Consent {
  /** The most that was agreed, without fees. */
  agreedCents: number;
  /** The same after what the family has changed since: an addition is what exceeds the most so far. */
  ownCents: number;
  /** When it was given, by the database's clock: a connection that ended before has not ended it. */
  at: Date;
}

/** The consent to what a booking costs now. */
export const consentTo = (ledger: Ledger, at: Date): Consent => {
  const cents = ledger.amountCents - sumOf(ledger, 'fee');
  return { agreedCents: cents, ownCents: cents, at };
};

/** How far a consent is used: what was agreed, and fees; what is paid of it or in progress; what may still be charged. */
export function useOfConsent(ledger: Ledger, consent: Consent) {
  const agreedCents = consent.agreedCents + sumOf(ledger, 'fee');
  const usedCents = heldCents(ledger) + reservedCents(ledger);
  return { agreedCents, usedCents, leftCents: Math.max(agreedCents - usedCents, 0) };
}

/** A state of a session, and the account whose request caused it; absent where that is not known. */
export type CausedState = SessionState & { by?: string };

/** What decides whether changes of sessions add to the consent. */
interface Consented {
  accountId: string;
  sessions: BookedSession[];
  consent?: Consent | null;
}

/**
 * The consent after these states of sessions; null when they add nothing. A price counts as the family's when its request made exactly
 * that version: of several versions at once it is not known who made which.
 */
export function withAdditions(
  { accountId, sessions, consent }: Consented,
  states: readonly CausedState[],
): Consent | null {
  if (!consent) return null;
  const known = new Map(sessions.map(({ id, version, priceCents }) => [id, { version, priceCents }]));
  let { ownCents } = consent;
  for (const { id, version, price_cents: priceCents, by } of states) {
    const before = known.get(id);
    if (!before || before.version >= version) continue;
    if (by === accountId && before.version + 1 === version) ownCents += priceCents - before.priceCents;
    known.set(id, { version, priceCents });
  }
  if (ownCents === consent.ownCents) return null;
  return { ...consent, ownCents, agreedCents: Math.max(consent.agreedCents, ownCents) };
}
