import {
  type InputOf,
  type OutputOf,
  type Principal,
  recordDispute,
  reservePayment,
  reserveRefund,
  settlePayment,
  settleRefund,
  unrepresentable,
} from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import type { TestHarness } from '@swim/testing';

type Entry = { amountCents: number; state: 'reserved' | 'authorized' | 'succeeded' | 'failed' | 'withdrawn' };
type RefundEntry = { paymentId: string; amountCents: number; state: 'reserved' | 'succeeded' | 'withdrawn' };
type Reservation = InputOf<typeof reservePayment>;

/** A booking's money, as the booking service stores it. */
export interface KnownBooking {
  id: string;
  accountId: string;
  schoolId: string;
  amountCents: number;
  currency: string;
  cancelled: boolean;
  payments: Map<string, Entry>;
  refunds: Map<string, RefundEntry>;
  /** States of disputes, as they were recorded, without repetitions. */
  disputes: Omit<InputOf<typeof recordDispute>, 'bookingId'>[];
  /** The method that its account consents to be charged by. */
  consentedMethodId?: string;
}

const sumOf = ({ payments }: KnownBooking, states: Entry['state'][]): number =>
  [...payments.values()].reduce((sum, entry) => (states.includes(entry.state) ? sum + entry.amountCents : sum), 0);

/** The state of the disputes of a payment, `won` without any. */
function stateOf({ disputes }: KnownBooking, paymentId: string): string {
  const last = new Map(disputes.filter((each) => each.paymentId === paymentId).map((each) => [each.disputeId, each]));
  return [...last.values()].find(({ state }) => state !== 'won')?.state ?? 'won';
}

/** A fake booking service with the tests' bookings; it keeps the contract of reserve and settle. */
export class KnownBookings {
  readonly byId = new Map<string, KnownBooking>();
  /** Every received request, in order, dry runs included. */
  readonly received: {
    what: 'reserve' | 'authorized' | 'succeeded' | 'failed';
    bookingId: string;
    paymentId: string;
  }[] = [];
  private readonly endings: (() => void)[] = [];

  booking(overrides: Partial<KnownBooking> & Pick<KnownBooking, 'accountId'>): KnownBooking {
    const booking = {
      id: newId('bkg'),
      schoolId: newId('acct'),
      amountCents: 6_000,
      currency: 'USD',
      cancelled: false,
      payments: new Map(),
      refunds: new Map(),
      disputes: [],
      ...overrides,
    };
    this.byId.set(booking.id, booking);
    return booking;
  }

  /** Starts serving requests. */
  answer(harness: TestHarness): void {
    this.answerReserve(harness);
    this.answerSettle(harness);
    this.answerRefunds(harness);
    this.answerDisputes(harness);
  }

  answerReserve(harness: TestHarness): void {
    this.endings.push(harness.serve(reservePayment, (input, principal) => this.reserve(input, principal)));
  }

  answerSettle(harness: TestHarness): void {
    this.endings.push(harness.serve(settlePayment, (input) => this.settle(input)));
  }

  answerRefunds(harness: TestHarness): void {
    this.endings.push(
      harness.serve(reserveRefund, (input, principal) => this.reserveRefund(input, principal)),
      harness.serve(settleRefund, (input) => this.settleRefund(input)),
    );
  }

  answerDisputes(harness: TestHarness): void {
    this.endings.push(harness.serve(recordDispute, (input) => this.recordDispute(input)));
  }

  /** Stops serving requests, as when the booking service is down. */
  silence(): void {
    for (const end of this.endings.splice(0)) end();
  }

  receivedFor(booking: KnownBooking): KnownBookings['received'] {
    return this.received.filter(({ bookingId }) => bookingId === booking.id);
  }

  paidCents(booking: KnownBooking): number {
    return sumOf(booking, ['succeeded']);
  }

  /** The sum of its refunds that have succeeded. */
  refundedCents({ refunds }: KnownBooking): number {
    return [...refunds.values()].reduce((sum, each) => (each.state === 'succeeded' ? sum + each.amountCents : sum), 0);
  }

  reserve(reservation: Reservation, { accountId }: Pick<Principal, 'accountId'>): OutputOf<typeof reservePayment> {
    this.received.push({ what: 'reserve', bookingId: reservation.bookingId, paymentId: reservation.paymentId });
    const booking = this.byId.get(reservation.bookingId);
    if (!booking || ![booking.accountId, booking.schoolId].includes(accountId))
      throw new AppError('not_found', { field: 'bookingId' });
    const bySchool = reservation.method !== undefined || reservation.byConsent;
    if (bySchool && booking.schoolId !== accountId) throw new AppError('school_only');
    if (!bySchool && booking.accountId !== accountId) throw new AppError('not_found', { field: 'bookingId' });
    const dueCents = booking.amountCents - sumOf(booking, ['reserved', 'authorized', 'succeeded']);
    if (booking.payments.get(reservation.paymentId)?.state === 'withdrawn') throw new AppError('invalid_state');
    if (!booking.payments.has(reservation.paymentId)) {
      if (booking.cancelled) throw new AppError('invalid_state');
      if (reservation.currency !== booking.currency) throw new AppError('currency_mismatch', { field: 'currency' });
      if (unrepresentable('amount_cents', reservation.amountCents, booking.currency))
        throw new AppError('not_representable', { field: 'amount_cents' });
      if (this.paidCents(booking) >= booking.amountCents) throw new AppError('already_paid');
      const { consentedMethodId } = booking;
      const isConsented = consentedMethodId && (reservation.methodId ?? consentedMethodId) === consentedMethodId;
      if (reservation.byConsent && !isConsented) throw new AppError('no_consent', { field: 'booking_id' });
      const failed = [...booking.payments.values()].filter(({ state }) => state === 'failed');
      if (failed.length >= 20) throw new AppError('too_many_attempts', { retryAfterSeconds: 3_600 });
      if (reservation.amountCents > dueCents)
        throw new AppError('amount_exceeds_due', { details: { due_cents: dueCents } });
      if (!reservation.dryRun) {
        booking.payments.set(reservation.paymentId, { amountCents: reservation.amountCents, state: 'reserved' });
      }
    }
    const { id: bookingId, schoolId, consentedMethodId: methodId } = booking;
    return { bookingId, accountId: booking.accountId, schoolId, dueCents, ...(methodId ? { methodId } : {}) };
  }

  private settle({ bookingId, paymentId, outcome }: InputOf<typeof settlePayment>): { settled: true } {
    this.received.push({ what: outcome, bookingId, paymentId });
    const booking = this.byId.get(bookingId);
    if (!booking) throw new AppError('not_found', { field: 'bookingId' });
    const entry = booking.payments.get(paymentId);
    if (!entry && outcome !== 'failed') throw new AppError('not_found', { field: 'paymentId' });
    if (!entry || entry.state === 'withdrawn') {
      booking.payments.set(paymentId, { amountCents: 0, state: 'withdrawn' });
      return { settled: true };
    }
    const isOpen = entry.state === 'reserved' || entry.state === 'authorized';
    if (!isOpen && outcome === 'authorized') return { settled: true };
    if (!isOpen && entry.state !== outcome) throw new AppError('invalid_state');
    entry.state = outcome;
    return { settled: true };
  }

  reserveRefund(
    { bookingId, paymentId, refundId, amountCents, dryRun }: InputOf<typeof reserveRefund>,
    { accountId }: Pick<Principal, 'accountId'>,
  ): OutputOf<typeof reserveRefund> {
    const booking = this.byId.get(bookingId);
    if (!booking || ![booking.accountId, booking.schoolId].includes(accountId)) throw new AppError('not_found');
    if (booking.schoolId !== accountId) throw new AppError('school_only');
    const entry = booking.payments.get(paymentId);
    if (entry?.state !== 'succeeded') throw new AppError('invalid_state');
    const others = [...booking.refunds].filter(([id, each]) => each.paymentId === paymentId && id !== refundId);
    const refundableCents = others.reduce((left, [, each]) => left - each.amountCents, entry.amountCents);
    const known = booking.refunds.get(refundId);
    if (known?.state === 'withdrawn') throw new AppError('invalid_state');
    if (known) return { amountCents: known.amountCents, refundableCents };
    if (stateOf(booking, paymentId) !== 'won') throw new AppError('payment_disputed');
    const requested = amountCents ?? refundableCents;
    if (requested > refundableCents || requested < 1)
      throw new AppError('amount_exceeds_refundable', { details: { refundable_cents: refundableCents } });
    if (!dryRun) booking.refunds.set(refundId, { paymentId, amountCents: requested, state: 'reserved' });
    return { amountCents: requested, refundableCents };
  }

  /** Sets a refund aside, as the booking does before it requests one by itself. */
  allocate(booking: KnownBooking, paymentId: string, amountCents: number): string {
    const refundId = newId('rfd');
    booking.refunds.set(refundId, { paymentId, amountCents, state: 'reserved' });
    return refundId;
  }

  private recordDispute({ bookingId, ...dispute }: InputOf<typeof recordDispute>): { recorded: true } {
    const booking = this.byId.get(bookingId);
    if (booking?.payments.get(dispute.paymentId)?.state !== 'succeeded') throw new AppError('invalid_state');
    const known = booking.disputes.filter(({ disputeId }) => disputeId === dispute.disputeId);
    if (known.every(({ revision }) => revision < dispute.revision)) booking.disputes.push(dispute);
    return { recorded: true };
  }

  private settleRefund({ bookingId, refundId, outcome, made }: InputOf<typeof settleRefund>): { settled: true } {
    const booking = this.byId.get(bookingId);
    if (!booking) throw new AppError('not_found', { field: 'bookingId' });
    if (made && !booking.refunds.has(refundId)) {
      if (booking.payments.get(made.paymentId)?.state !== 'succeeded') throw new AppError('invalid_state');
      booking.refunds.set(refundId, { ...made, state: 'reserved' });
    }
    const entry = booking.refunds.get(refundId);
    if (!entry && outcome === 'succeeded') throw new AppError('not_found', { field: 'refundId' });
    if (outcome === 'failed') booking.refunds.set(refundId, { paymentId: '', amountCents: 0, state: 'withdrawn' });
    else entry!.state = 'succeeded';
    return { settled: true };
  }
}
