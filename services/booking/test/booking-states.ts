import type { RecordedMethod } from '@swim/contracts';
import {
  type BookingState,
  paymentStatusOfBooking,
  withConsequences,
} from '../src/bookings/storage/consequences.rules.js';
import {
  creditMovements,
  dueCents,
  type Ledger,
  type LedgerDispute,
  type LedgerEntry,
  paidCents,
} from '../src/money/balance.rules.js';
import { withDispute } from '../src/money/dispute.rules.js';
import { type Outcome, reserve, settle } from '../src/money/ledger.rules.js';
import { type RefundOutcome, reserveRefund, settleRefund } from '../src/money/refund.rules.js';
import { toBeFinal } from '../src/money/returns.rules.js';
import { type BookedSession, type SessionState, withSessions } from '../src/money/session-billing.rules.js';

export const AT = '2027-03-01T10:00:00.000Z';
export const SOON = new Date(AT);

const sessionOf = (id: number, priceCents: number): BookedSession => ({
  id: `ses_${id}`,
  lessonId: `lsn_${id}`,
  instructorId: 'ins_1',
  memberId: 'mem_1',
  date: `2027-03-${String(id + 10)}T16:00:00.000Z`,
  endDate: `2027-03-${String(id + 10)}T17:00:00.000Z`,
  durationMinutes: 60,
  priceCents,
  status: 'scheduled',
  attendance: 'pending',
  version: 1,
});

export const bookingOf = (prices: number[], status: BookingState['status'] = 'confirmed'): BookingState => ({
  status,
  freeing: false,
  sessions: prices.map((price, index) => sessionOf(index, price)),
  expiresAt: status === 'pending' ? SOON : null,
  nextAt: status === 'pending' ? SOON : null,
  requestsAt: null,
  version: 1,
  amountCents: prices.reduce((sum, price) => sum + price, 0),
  currency: 'USD',
  payments: [],
  terms: {
    hourlyRateCents: 5_000,
    freeCancellationHours: 24,
    lateFeePercent: 50,
    noShowFeePercent: 100,
    makeupCredits: true,
  },
});

/** The ledger of a booking that costs this much. */
export const ledgerOf = (amountCents: number, ...payments: LedgerEntry[]): Ledger => ({
  amountCents,
  currency: 'USD',
  payments,
  movements: payments
    .filter(({ state }) => state === 'succeeded')
    .map(({ id: of, amountCents: cents }) => ({ kind: 'charge' as const, amountCents: cents, at: AT, of })),
});

export const entry = (id: string, amountCents: number, state: LedgerEntry['state']): LedgerEntry => ({
  id,
  amountCents,
  dueCents: amountCents,
  at: AT,
  state,
});

let idCount = 0;
/** When a time to pay that begins now ends. */
export const PAY_UNTIL = new Date(SOON.getTime() + 15 * 60_000);
const facts = {
  at: AT,
  dueNow: new Date(AT),
  requestsAt: SOON,
  payUntil: PAY_UNTIL,
  newId: (prefix: string) => `${prefix}_${++idCount}`,
};

/** Applies a change as the repository does. */
export const apply = (now: BookingState, changed: Partial<BookingState> | null): BookingState =>
  changed ? { ...now, ...withConsequences(now, changed, facts) } : now;

const listOrNull = <T>(result: T[] | null | object): T[] | null => (Array.isArray(result) ? result : null);

export function pay(now: BookingState, id: string, amountCents: number, method?: RecordedMethod): BookingState {
  const open = now.status !== 'cancelled' && now.status !== 'expired';
  const result = reserve(now, { paymentId: id, amountCents, currency: 'USD', method }, open, AT);
  return 'isNew' in result && result.isNew ? apply(now, { payments: [...now.payments, result.entry] }) : now;
}

export function settled(now: BookingState, id: string, outcome: Outcome): BookingState {
  const payments = listOrNull<LedgerEntry>(settle(now, id, outcome) ?? []);
  return payments?.length ? apply(now, { payments }) : now;
}

export function refund(
  now: BookingState,
  refundId: string,
  paymentId: string,
  amountCents: number | null,
): BookingState {
  const result = reserveRefund(now, { refundId, paymentId, amountCents });
  return 'isNew' in result && result.isNew ? apply(now, { refunds: [...(now.refunds ?? []), result.refund] }) : now;
}

export function refundSettled(
  now: BookingState,
  refundId: string,
  outcome: 'succeeded' | 'failed',
  made?: RefundOutcome['made'],
): BookingState {
  const refunds = settleRefund(now, { refundId, outcome, made });
  return Array.isArray(refunds) ? apply(now, { refunds }) : now;
}

/** Reports the next state of a dispute of a payment, by default the first one. */
export function disputed(
  now: BookingState,
  state: LedgerDispute['state'],
  { paymentId = now.payments[0]!.id, disputeId = 'dp_1', amountCents = 5_000 } = {},
): BookingState {
  const known = now.payments.flatMap(({ disputes = [] }) => disputes).find(({ id }) => id === disputeId);
  const report = { paymentId, disputeId, revision: (known?.revision ?? 0) + 1, state, amountCents };
  const payments = withDispute(now, report);
  return Array.isArray(payments) ? apply(now, { payments }) : now;
}

/** Delivers a state of a session with the next version, as its event does. */
export function followed(
  now: BookingState,
  id: string,
  change: Partial<SessionState>,
  noShowFeePercent = 100,
): BookingState {
  const known = now.sessions.find((session) => session.id === id)!;
  const state: SessionState = {
    id,
    lesson_id: known.lessonId,
    instructor_id: known.instructorId,
    member_id: known.memberId,
    date: known.date,
    end_date: known.endDate,
    duration_minutes: known.durationMinutes,
    price_cents: known.priceCents,
    status: known.status!,
    attendance: known.attendance!,
    version: known.version! + 1,
    cancellation: null,
    ...change,
  };
  const sessions = withSessions({ ...now, terms: { ...now.terms, noShowFeePercent } }, [state]);
  return sessions === now.sessions ? now : apply(now, { sessions });
}

/** Makes the attendances final that money is to follow, as scheduling does on request. */
export function finalized(now: BookingState): BookingState {
  const final = new Set(toBeFinal(now).map(({ id }) => id));
  const sessions = now.sessions.map((each) => (final.has(each.id) ? { ...each, isFinal: true } : each));
  return final.size === 0 ? now : apply(now, { sessions });
}

export const cancelled = (fee_cents = 0, makeup_credit: string | null = null) =>
  ({ status: 'cancelled', cancellation: { fee_cents, makeup_credit } }) as const;

/** A new booking of which a makeup credit of this amount pays as much as it can. */
export const credited = (now: BookingState, cents: number): BookingState => ({
  ...now,
  creditId: 'crd_own',
  creditSettledCents: null,
  movements: creditMovements('crd_own', Math.min(cents, now.amountCents), AT),
});

export const paidIn = (now: BookingState, ...amounts: number[]): BookingState =>
  amounts.reduce((before, cents, index) => {
    const id = `pay_${before.payments.length + index}`;
    return settled(pay(before, id, cents), id, 'succeeded');
  }, now);

/** Pays by money that the school records. */
export const recorded = (now: BookingState, id: string, cents: number): BookingState =>
  settled(pay(now, id, cents, 'cash'), id, 'succeeded');

export const summary = (now: BookingState) => ({
  status: now.status,
  payment: paymentStatusOfBooking(now),
  amount: now.amountCents,
  paid: paidCents(now),
  due: dueCents(now),
});
