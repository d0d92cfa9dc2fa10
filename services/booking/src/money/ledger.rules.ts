import { type Bounds, type Reason, type RecordedMethod, unrepresentable } from '@swim/contracts';
import { dueCents, type Ledger, type LedgerEntry, reservedCents } from './balance.rules.js';
import { type Consent, useOfConsent } from './consent.rules.js';

// Far more than one booking can have in progress at once.
const WITHDRAWN_KEPT = 64;
/** Payments of a booking that may fail within a day: more could be tries of stolen cards (contract, Payments). */
const MOST_FAILURES = 20;
const DAY_MS = 24 * 3_600_000;

/** Why a request is rejected; `field` names the offending input. */
export interface Rejection {
  reason: Reason;
  field?: string;
  /** Replaces the reason's own message. */
  message?: string;
  details?: Record<string, unknown>;
  /** The expected value of the field, as a noun. */
  bounds?: Bounds;
  retryAfterSeconds?: number;
}

/** A request to reserve money for a payment. */
export interface PaymentRequest {
  paymentId: string;
  amountCents: number;
  currency: string;
  /** How the school got money that it records; absent where a processor is to charge it. */
  method?: RecordedMethod | undefined;
  /** Whether the school requests it, by the payer's consent; `methodId`: the method that it has to be for. */
  byConsent?: boolean | undefined;
  methodId?: string | undefined;
}

/** A booking's money with the consent of its account. */
interface Payable extends Ledger {
  paymentMethodId?: string | null;
  consent?: Consent | null;
}

const TAKES_NO_MONEY =
  'Only a booking that is not being cancelled, nor expired, can be paid; a cancelled one only while something is due.';

const wrongCurrency = (sent: string, currency: string): Rejection => ({
  reason: 'currency_mismatch',
  field: 'currency',
  message: `currency must be ${currency}, the currency of the booking; you sent ${sent}.`,
  bounds: { allowed: [currency] },
});

/**
 * The entry that reserves the requested amount: a new one, the existing one, or the reason of its rejection. `takesMoney`:
 * whether the booking's status permits payments; `at`: now, ISO 8601 UTC.
 */
export function reserve(
  ledger: Payable,
  requested: PaymentRequest,
  takesMoney: boolean,
  at: string,
): { entry: LedgerEntry; isNew: false } | { entry: LedgerEntry & { at: string }; isNew: true } | Rejection {
  const known = ledger.payments.find((entry) => entry.id === requested.paymentId);
  if (known?.state === 'withdrawn') return { reason: 'invalid_state' };
  if (known)
    return known.amountCents === requested.amountCents ? { entry: known, isNew: false } : { reason: 'invalid_state' };
  if (!takesMoney) return { reason: 'invalid_state', message: TAKES_NO_MONEY };
  if (requested.currency !== ledger.currency) return wrongCurrency(requested.currency, ledger.currency);
  const rejection = unrepresentable('amount_cents', requested.amountCents, ledger.currency);
  if (rejection) return rejection;
  if (dueCents(ledger) === 0) return { reason: 'already_paid', details: { amount_due_cents: 0 } };
  if (requested.byConsent && !consents(ledger, requested)) return { reason: 'no_consent', field: 'booking_id' };
  const tooMany = requested.method ? null : tooManyAttempts(ledger, at);
  if (tooMany) return tooMany;
  const due = Math.max(dueCents(ledger) - reservedCents(ledger), 0);
  if (requested.amountCents > due) return exceedsDue(requested.amountCents, due);
  const { paymentId: id, amountCents, method, byConsent } = requested;
  const allowed = byConsent ? useOfConsent(ledger, ledger.consent!).leftCents : amountCents;
  if (amountCents > allowed) return exceedsConsent(amountCents, allowed);
  const how = { ...(method ? { method } : {}), ...(byConsent ? { methodId: ledger.paymentMethodId! } : {}) };
  return { entry: { id, amountCents, dueCents: due, at, state: 'reserved', ...how }, isNew: true };
}

const consents = ({ consent, paymentMethodId }: Payable, { methodId = paymentMethodId! }: PaymentRequest): boolean =>
  Boolean(consent) && Boolean(paymentMethodId) && methodId === paymentMethodId;

const exceedsConsent = (amountCents: number, allowedCents: number): Rejection => ({
  reason: 'consent_exceeded',
  field: 'amount_cents',
  message: `amount_cents must be at most ${allowedCents}, which is left of the family’s consent; you sent ${amountCents}.`,
  details: { allowed_cents: allowedCents },
});

/**
 * Payments with a new reservation. Those that failed, or were voided, and were reserved more than a day before it shrink to a
 * count: they count for no limit any more, and no request about them is still on its way.
 */
export function withReservation(
  { payments, failedCount = 0 }: Ledger,
  entry: LedgerEntry & { at: string },
): Pick<Ledger, 'payments' | 'failedCount'> {
  const dayAgo = dayBefore(entry.at);
  const isOver = ({ state, at }: LedgerEntry) => (state === 'failed' || state === 'voided') && at! <= dayAgo;
  const failed = payments.filter((each) => each.state === 'failed' && isOver(each)).length + failedCount;
  return {
    payments: [...payments.filter((each) => !isOver(each)), entry],
    ...(failed > 0 ? { failedCount: failed } : {}),
  };
}

const dayBefore = (at: string): string => new Date(Date.parse(at) - DAY_MS).toISOString();

const exceedsDue = (amountCents: number, dueCents: number): Rejection => ({
  reason: 'amount_exceeds_due',
  field: 'amount_cents',
  message:
    dueCents > 0
      ? `amount_cents must be at most ${dueCents}, which is due for the booking beside payments in progress; you sent ${amountCents}.`
      : 'Payments in progress or authorized cover all that is due for the booking. Pay once one of them has failed or is voided.',
  details: { amount_due_cents: dueCents, maximum: dueCents },
});

/** The rejection after as many failures within a day, whatever the card. Payments in progress count: each of them may fail. */
function tooManyAttempts({ payments }: Ledger, at: string): Rejection | null {
  const dayAgo = dayBefore(at);
  const tried = payments.flatMap(({ state, at: then = '' }) =>
    (state === 'failed' || state === 'reserved') && then > dayAgo ? [then] : [],
  );
  if (tried.length < MOST_FAILURES) return null;
  const endsMs = Date.parse(tried.sort().at(-MOST_FAILURES)!) + DAY_MS;
  const retryAfterSeconds = Math.max(Math.ceil((endsMs - Date.parse(at)) / 1_000), 1);
  return { reason: 'too_many_attempts', field: 'booking_id', retryAfterSeconds };
}

/** Whether a payment of unknown outcome is in progress. */
export const isPaying = ({ payments }: Pick<Ledger, 'payments'>): boolean =>
  payments.some(({ state }) => state === 'reserved');

/** Items with the mark of one whose reservation has not arrived and must be rejected when it does; bounded. */
export function withdraw<T extends { state: string }>(items: T[], mark: T): T[] {
  const withdrawn = items.filter(({ state }) => state === 'withdrawn');
  const forgotten = new Set(withdrawn.slice(0, Math.max(withdrawn.length + 1 - WITHDRAWN_KEPT, 0)));
  return [...items.filter((item) => !forgotten.has(item)), mark];
}

/** The outcome of a payment, or of its authorization. */
export type Outcome = 'authorized' | 'succeeded' | 'failed';

const isAfter = (state: LedgerEntry['state'], outcome: Outcome): boolean =>
  state === outcome ||
  ((state === 'withdrawn' || state === 'voided') && outcome === 'failed') ||
  // The authorization may be delivered after what followed it.
  ((state === 'succeeded' || state === 'failed' || state === 'voided') && outcome === 'authorized');

/**
 * Payments after the outcome of one; null when the outcome is stored already. The failure of an authorized payment is the end of
 * its authorization: it declined no card, so that it is stored as voided. The failure of a payment without an entry adds a mark
 * that rejects its late reservation. A second, different outcome is rejected: the money that the first one released may have been
 * reserved again.
 */
export function settle(
  { payments }: Pick<Ledger, 'payments'>,
  paymentId: string,
  outcome: Outcome,
): LedgerEntry[] | null | Rejection {
  const entry = payments.find(({ id }) => id === paymentId);
  if (!entry)
    return outcome === 'failed'
      ? withdraw(payments, { id: paymentId, amountCents: 0, dueCents: 0, state: 'withdrawn' })
      : { reason: 'not_found', field: 'paymentId' };
  if (isAfter(entry.state, outcome)) return null;
  if (entry.state !== 'reserved' && entry.state !== 'authorized') return { reason: 'invalid_state' };
  const state = entry.state === 'authorized' && outcome === 'failed' ? 'voided' : outcome;
  return payments.map((other) => (other === entry ? { ...entry, state } : other));
}
