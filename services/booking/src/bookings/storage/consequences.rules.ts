import {
  creditedCents,
  dueCents,
  type Ledger,
  type LedgerEntry,
  type Movement,
  type PaymentStatus,
  paidCents,
  paymentStatusOf,
  type Refund,
} from '../../money/balance.rules.js';
import { lossesOf } from '../../money/dispute.rules.js';
import { duePartsOf } from '../../money/due-parts.rules.js';
import { isPaying } from '../../money/ledger.rules.js';
import { waivedBy } from '../../money/refund.rules.js';
import {
  type Account,
  isCreditToBeSettled,
  type ReturnFacts,
  returnsOf,
  toBeFinal,
  toReturnCents,
} from '../../money/returns.rules.js';
import { amountOf, type BookedSession, isFree, prepaidAmountOf } from '../../money/session-billing.rules.js';
import type { BookingDocument } from './booking.schema.js';

/** The part of a booking that its sessions and its payments change. */
export type BookingState = Pick<
  BookingDocument,
  'status' | 'freeing' | 'sessions' | 'expiresAt' | 'nextAt' | 'version' | keyof Ledger
> &
  Pick<
    BookingDocument,
    | 'requestsAt'
    | 'cancelling'
    | 'cancelReason'
    | 'terms'
    | 'creditId'
    | 'issues'
    | 'creditSettledCents'
    | 'consent'
    | 'dueParts'
  >;

/** What a decision needs beside the booking. */
export interface Facts extends ReturnFacts {
  /** Now in real time: the recoverer processes the booking at once. */
  dueNow: Date;
  /** When requests that this change causes are repeated, unless they were answered before. */
  requestsAt: Date;
  /** When a time to pay that begins now ends, in real time. */
  payUntil: Date;
}

/**
 * A change of sessions or payments with all that follows from it: movements, amount, automatic refunds, requests to void
 * authorized payments, status, and version. Pure; applying it to its own result changes nothing.
 */
export function withConsequences<S extends BookingState>(before: S, changed: Partial<S>, facts: Facts): Partial<S> {
  const after = { ...before, ...changed };
  after.movements = [...(before.movements ?? []), ...newMovements(before, after, facts.at)];
  const losses = lossesOf(after, facts.at);
  if (losses.movements.length > 0) after.issues = losses.issues;
  after.movements = [...after.movements, ...losses.movements];
  after.amountCents = amountOf(after.sessions);
  after.status = statusAfter(after);
  after.expiresAt = expiresAtOf(after, facts);
  after.nextAt = nextAtOf(before, after, facts);
  const returns = returnsOf(before.sessions, after, facts);
  after.sessions = returns.sessions;
  if (returns.refunds.length > 0) after.refunds = [...(after.refunds ?? []), ...returns.refunds];
  if (returns.issues.length > 0) after.issues = [...(after.issues ?? []), ...returns.issues];
  after.movements = [...after.movements, ...returns.movements];
  const isOver = after.status === 'cancelled' || after.status === 'expired';
  if (isOver && dueCents(after) === 0) after.payments = after.payments.map(voided);
  after.dueParts = duePartsAfter(before, after);
  after.requestsAt = hasRequests(after) ? (before.requestsAt ?? facts.requestsAt) : null;
  if (isSeen(before, after)) after.version = before.version + 1;
  return differences(before, after);
}

/**
 * When the time to pay ends. A pending booking whose time has ended has only lessons that had begun by then; once one of them is
 * moved to a time to come, that has to be prepaid too.
 */
function expiresAtOf({ status, expiresAt, sessions }: BookingState, { at, payUntil }: Facts): Date | null {
  if (status !== 'pending') return null;
  const isToCome = ({ status: now = 'scheduled', date }: BookedSession) => now === 'scheduled' && date > at;
  return expiresAt ?? (sessions.some(isToCome) ? payUntil : null);
}

/** What is due, as it is stored already where nothing differs. */
function duePartsAfter({ dueParts }: BookingState, after: BookingState): BookingState['dueParts'] {
  const parts = duePartsOf(after);
  return JSON.stringify(parts) === JSON.stringify(dueParts ?? []) ? dueParts : parts;
}

/** When the recoverer processes the booking: at once when the payment that its cancellation or its expiry awaits has ended. */
function nextAtOf(before: BookingState, after: BookingState, { dueNow }: Facts): Date | null {
  const hasPaymentEnded = isPaying(before) && !isPaying(after);
  if (after.cancelling) return hasPaymentEnded ? dueNow : after.nextAt;
  if (after.status !== 'pending') return null;
  if (hasPaymentEnded && after.expiresAt && after.expiresAt < dueNow) return dueNow;
  return before.cancelling || after.expiresAt !== before.expiresAt ? after.expiresAt : after.nextAt;
}

/**
 * Whether payment has yet to accept a refund or the voiding of a payment, scheduling what concerns sessions, or credits are yet to
 * be made or settled.
 */
export const hasRequests = (booking: Account & Pick<BookingState, 'creditSettledCents'>): boolean =>
  (booking.refunds ?? []).some(({ state }) => state === 'requested') ||
  (booking.issues ?? []).some(({ state }) => state === 'requested') ||
  isCreditToBeSettled(booking) ||
  booking.payments.some(isToBeVoided) ||
  booking.sessions.some(isToBeReported) ||
  toBeFinal(booking).length > 0;

/** Whether scheduling has yet to record what the cancellation of a session gave back. */
export const isToBeReported = ({ report }: BookedSession): boolean => report === 'requested';

/** Whether payment has yet to accept the voiding of an authorized payment. */
export const isToBeVoided = ({ state, voiding }: LedgerEntry): boolean =>
  state === 'authorized' && voiding === 'requested';

const voided = (payment: LedgerEntry): LedgerEntry =>
  payment.state === 'authorized' && !payment.voiding ? { ...payment, voiding: 'requested' } : payment;

/** Public payment status of a booking. */
export const paymentStatusOfBooking = (booking: Ledger & { sessions: BookedSession[] }): PaymentStatus =>
  paymentStatusOf(booking, isFree(booking.sessions));

const movementOf = (
  kind: Movement['kind'],
  { id, amountCents }: Pick<Refund, 'id' | 'amountCents'>,
  at: string,
): Movement => ({
  kind,
  amountCents,
  at,
  of: id,
});

/** The movements that a change of payments, refunds or sessions causes. */
function newMovements(before: BookingState, after: BookingState, at: string): Movement[] {
  const paidBefore = new Set(before.payments.filter(({ state }) => state === 'succeeded').map(({ id }) => id));
  const charges = after.payments.filter(({ id, state }) => state === 'succeeded' && !paidBefore.has(id));
  const stateBefore = new Map(before.refunds?.map(({ id, state }) => [id, state]));
  const settled = (after.refunds ?? []).filter(({ id, state }) => state !== stateBefore.get(id));
  return [
    ...charges.map(({ method, ...payment }) => ({
      ...movementOf('charge', payment, at),
      ...(method ? { method } : {}),
    })),
    ...settled.flatMap((refund) => movementsOfRefund(after, refund, at)),
    ...newFees(before.sessions, after.sessions, at),
  ];
}

/**
 * The movements by the outcome of a refund: the school's counts once it has succeeded, an automatic one until it fails. The school's
 * waives what it gives back beyond what it has to return.
 */
function movementsOfRefund(after: BookingState, refund: Refund, at: string): Movement[] {
  const { id, kind, state } = refund;
  if (kind === 'goodwill' && state === 'succeeded') {
    const others = after.refunds!.filter((each) => each !== refund);
    const waivedCents = Math.max(waivedBy(after, refund) - toReturnCents({ ...after, refunds: others }), 0);
    return [movementOf('refund', refund, at), movementOf('waiver', { id, amountCents: waivedCents }, at)].filter(
      ({ amountCents }) => amountCents > 0,
    );
  }
  if (state !== 'failed') return [];
  return (after.movements ?? [])
    .filter(({ of, amountCents }) => of === id && amountCents > 0)
    .map(({ kind: moved, amountCents }) => movementOf(moved, { id, amountCents: -amountCents }, at));
}

function newFees(before: BookedSession[], after: BookedSession[], at: string): Movement[] {
  const feesBefore = new Map(before.map(({ id, feeCents }) => [id, feeCents ?? 0]));
  return after.flatMap(({ id, feeCents = 0 }) => {
    const amountCents = feeCents - (feesBefore.get(id) ?? 0);
    return amountCents === 0 ? [] : [{ kind: 'fee' as const, amountCents, at, of: id }];
  });
}

/**
 * The status that follows from sessions and money (contract, Bookings): cancelled with its last session; completed once the rest
 * is over, paid or not; confirmed by the last cent of a prepayment. A booking that expires is left to its expiry.
 */
function statusAfter(booking: BookingState): BookingState['status'] {
  const { status, sessions, freeing } = booking;
  if (freeing || (status !== 'pending' && status !== 'confirmed')) return status;
  const rest = sessions.filter((session) => session.status !== 'cancelled');
  if (rest.length === 0) return 'cancelled';
  if (rest.every((session) => session.status === 'completed')) return 'completed';
  const isPrepaid = dueCents({ ...booking, amountCents: prepaidAmountOf(sessions) }) === 0;
  return status === 'pending' && isPrepaid ? 'confirmed' : status;
}

const seenOf = (booking: BookingState): unknown[] => [
  booking.status,
  booking.amountCents,
  paidCents(booking),
  creditedCents(booking),
  dueCents(booking),
  toReturnCents(booking),
  paymentStatusOfBooking(booking),
  booking.sessions.map(({ isFinal: _, refundId: __, creditId: ___, report: ____, ...seen }) => seen),
];

const isSeen = (before: BookingState, after: BookingState): boolean =>
  JSON.stringify(seenOf(before)) !== JSON.stringify(seenOf(after));

function differences<S extends object>(before: S, after: S): Partial<S> {
  const changed = Object.entries(after).filter(([key, value]) => before[key as keyof S] !== value);
  return Object.fromEntries(changed) as Partial<S>;
}
