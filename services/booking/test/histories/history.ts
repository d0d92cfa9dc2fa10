import { setTimeout as pause } from 'node:timers/promises';
import {
  addPaymentMethod,
  type Booking,
  type Credit,
  createBooking,
  createPayment,
  type InputOf,
  listCredits,
  type Operation,
  type Principal,
  type Session,
  updateSession,
} from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { aPrincipal } from '@swim/testing';
import { ConsentHistory } from './consent-history.js';
import { LessonHistory } from './lesson-history.js';
import { at, HOUR_MS, type Player, type Request } from './player.js';
import type { Services } from './services.js';

/** The time of a request's attempts and the pauses between them. */
const ANSWERED_WITHIN_MS = 600_000;
const [FIRST_RETRY_MS, MOST_RETRY_MS] = [50, 1_000];
/** Repeats a write of the test itself that the engine has aborted to end a deadlock; the services repeat theirs. */
async function repeated<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!/deadlock detected/.test((error as Error).message)) throw error;
    }
  }
}

/** Codes of errors by which a client learns that its request does not fit. */
const REJECTED: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'CONFLICT', 'NOT_FOUND', 'AUTHORIZATION_ERROR']);

interface BookingInput {
  rate: number;
  hours: number[];
  members: number;
  minutes: number;
  creditOf: number | null;
  policies: { requirePrepayment: boolean; lateFeePercent: number; noShowFeePercent: number };
}

interface PaymentInput {
  of: number;
  fraction: number;
  card: string;
  capture: boolean;
}

/** The promises of an acknowledged request. */
export interface Promised {
  operation: string;
  answer: { id: string; status: string };
}

/** A booking as it is stored, as far as a history reads it. */
interface StoredBooking {
  _id: string;
  rev: number;
  status: string;
  sessions: { id: string; date: string; endDate: string }[];
}

/** A charge of the sandbox processor, as far as a history changes it. */
interface Charge {
  _id: string;
  token: string;
  state: string;
  amountCents: number;
  refundedCents?: number;
  disputedAt?: Date;
  decidedAt?: Date;
  noticeAt: Date | null;
}

const OTHER_END: Record<string, string> = {
  pm_card_dispute_lost: 'pm_card_dispute_won',
  pm_card_dispute_won: 'pm_card_dispute_lost',
};

/** One family and one school, what they do, and what they were answered. */
export class History implements Player {
  readonly family = aPrincipal();
  readonly school = aPrincipal({ kind: 'school' });
  readonly log: string[] = [];
  readonly promised: Promised[] = [];
  readonly bookings: Booking[] = [];
  readonly payments: string[] = [];
  readonly lessons = new LessonHistory(this);
  readonly consents = new ConsentHistory(this);
  private readonly cards = new Map<string, Promise<string>>();

  constructor(readonly services: Services) {}

  bookingAt(index: number): string | undefined {
    return at(this.bookings, index)?.id;
  }

  sessionAt(booking: number, index: number): string | undefined {
    return at(at(this.bookings, booking)?.session_ids ?? [], index);
  }

  paymentAt(index: number): string | undefined {
    return at(this.payments, index);
  }

  /** Ids of a booking and its sessions: requests about it name one of them. */
  idsOf(bookingId: string): string[] {
    return [bookingId, ...this.bookings.find(({ id }) => id === bookingId)!.session_ids];
  }

  async bookSessions({ rate, hours, members, minutes, creditOf, policies }: BookingInput): Promise<void> {
    const { people } = this.services;
    const open = { ...policies, enforceAvailability: false };
    await this.book({
      operation: createBooking,
      input: {
        instructor_id: people.anInstructor(this.school.accountId, { hourlyRateCents: rate }, open),
        member_ids: this.newMembers(members),
        sessions: hours.map((hour) => ({
          date: new Date(Date.now() + hour * HOUR_MS).toISOString(),
          duration_minutes: minutes,
        })),
        makeup_credit_id: creditOf === null ? null : await this.creditAt(creditOf),
      },
    });
  }

  async book(request: Request): Promise<void> {
    const booking = await this.request(request, this.family);
    if (booking) this.bookings.push(booking as unknown as Booking);
  }

  newMembers(count: number): string[] {
    const { people } = this.services;
    return Array.from({ length: count }, () => people.aMember(this.family.accountId, [this.school.accountId]));
  }

  async pay({ of, fraction, card, capture }: PaymentInput): Promise<void> {
    const booking = at(this.bookings, of);
    if (!booking) return;
    const input: InputOf<typeof createPayment> = {
      booking_id: booking.id,
      payment_method_id: await this.cardOf(card),
      amount_cents: Math.max(Math.ceil(booking.amount_cents * fraction), 1),
      currency: booking.currency,
      capture,
    };
    await this.request({ operation: createPayment, input }, this.family);
  }

  async request({ operation, input }: Request, by: Principal): Promise<Record<string, unknown> | null> {
    try {
      const answer = await this.insist(operation, input as InputOf<Operation>, by);
      this.keep(operation.name, answer, by);
      return answer;
    } catch (error) {
      if (!(error instanceof AppError) || !REJECTED.has(error.code)) throw error;
      this.log.push(`  rejected: ${error.reason}`);
      const { payment_id } = error.details as { payment_id?: string };
      if (payment_id && operation === createPayment) this.payments.push(payment_id);
      return null;
    }
  }

  /** Moves the private lessons of a booking into the past, so that the nth has begun. */
  async pass(bookingId: string, n: number): Promise<void> {
    const { sessions: places } = this.bookings.find(({ id }) => id === bookingId)!;
    if (places.some(({ lesson_id }) => this.lessons.known.has(lesson_id))) return;
    const bookings = this.services.stored<StoredBooking>('booking', 'bookings');
    for (;;) {
      const { rev, sessions } = (await bookings.findOne({ _id: bookingId }))!;
      const begun = [...sessions].sort((a, b) => (a.date < b.date ? -1 : 1))[n % sessions.length]!;
      const byMs = Date.parse(begun.date) - Date.now() + 60_000;
      if (byMs <= 60_000) return;
      const earlier = (date: string) => new Date(Date.parse(date) - byMs).toISOString();
      const moved = sessions.map((each) => ({ ...each, date: earlier(each.date), endDate: earlier(each.endDate) }));
      const changed = { $set: { sessions: moved }, $inc: { rev: 1 } } as object;
      const { modifiedCount } = await repeated(() => bookings.updateOne({ _id: bookingId, rev }, changed));
      if (modifiedCount === 0) continue;
      const sooner = (field: string) => ({ $subtract: [`$${field}`, byMs] });
      const shifted = { start: sooner('start'), end: sooner('end'), rev: { $add: ['$rev', 1] } };
      const lessons = this.services.stored('scheduling', 'sessions');
      await repeated(() => lessons.updateMany({ bookingId } as object, [{ $set: shifted }] as object[]));
      return;
    }
  }

  /** Makes the prepayment of a booking overdue. */
  async endTimeToPay(bookingId: string): Promise<void> {
    const pending = { _id: bookingId, status: 'pending', nextAt: { $type: 'date' as const } };
    const bookings = this.services.stored<StoredBooking & { nextAt: Date }>('booking', 'bookings');
    await repeated(() => bookings.updateOne(pending as object, { $set: { nextAt: new Date(0) } }));
  }

  /** Refunds a part of a charge that is not disputed by hand at the processor, whose notice follows. */
  async refundByHand(paymentId: string, cents: number): Promise<void> {
    const charge = await this.charges.findOne({ _id: paymentId });
    const { amountCents = 0, refundedCents = 0 } = charge ?? {};
    if (charge?.state !== 'succeeded' || charge.disputedAt || cents > amountCents - refundedCents) return;
    const refund = { key: `by hand ${refundedCents} ${cents}`, amountCents: cents, state: 'succeeded' };
    const unchanged = { _id: paymentId, refundedCents: charge.refundedCents ?? null };
    const changed = { $push: { refunds: refund }, $inc: { refundedCents: cents }, $set: { noticeAt: new Date() } };
    await repeated(() => this.charges.updateOne(unchanged as object, changed as object));
  }

  /** The bank decides otherwise on a dispute that it has decided; the processor's notice follows. */
  async turnDispute(paymentId: string): Promise<void> {
    const charge = await this.charges.findOne({ _id: paymentId });
    if (!charge?.decidedAt || charge.decidedAt > new Date()) return;
    const turned = { token: OTHER_END[charge.token]!, noticeAt: new Date() };
    await repeated(() => this.charges.updateOne({ _id: paymentId, token: charge.token }, { $set: turned }));
  }

  private get charges() {
    return this.services.stored<Charge>('payment', 'processor_charges');
  }

  private async insist(
    operation: Operation,
    input: InputOf<Operation>,
    principal: Principal,
  ): Promise<Record<string, unknown>> {
    const { harness, load } = this.services;
    const options = { principal, idempotencyKey: newId('req') };
    // As a client whose connection has broken, it does not wait for an answer that a crash may have lost.
    const attempt = () => Promise.race([harness.attempt(operation, input, options), this.services.recovered]);
    const tookMs: number[] = [];
    for (let [spentMs, pauseMs] = [0, FIRST_RETRY_MS]; spentMs < ANSWERED_WITHIN_MS; ) {
      const { result, activeMs, isLate } = await load.run(attempt);
      if (result) return result.value as Record<string, unknown>;
      if (isLate) this.services.endLeasesLater();
      await pause(pauseMs);
      tookMs.push(activeMs);
      spentMs += activeMs + pauseMs;
      pauseMs = Math.min(pauseMs * 2, MOST_RETRY_MS);
    }
    throw new Error(`${operation.name} was not answered; its attempts took ${tookMs.join(', ')} ms`);
  }

  private keep(operation: string, answer: Record<string, unknown>, by: Principal): void {
    this.promised.push({ operation, answer: answer as unknown as Promised['answer'] });
    if (operation === createPayment.name) this.payments.push(answer.id as string);
    if (operation !== updateSession.name || by !== this.family) return;
    const { booking_id: bookingId, price_cents: cents } = answer as unknown as Session;
    if (bookingId) this.consents.noteAddition(bookingId, cents);
  }

  private async creditAt(index: number): Promise<string | null> {
    const { accountId } = this.family;
    const page = await this.insist(listCredits, { account_id: accountId }, this.family);
    return at(page.items as Credit[], index)?.id ?? null;
  }

  cardOf(token: string): Promise<string> {
    const input = { account_id: this.family.accountId, processor_payment_method_id: token, is_default: false };
    const known =
      this.cards.get(token) ??
      this.request({ operation: addPaymentMethod, input }, this.family).then((method) => method!.id as string);
    this.cards.set(token, known);
    return known;
  }
}
