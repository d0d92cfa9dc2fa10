import { expect } from '@jest/globals';
import {
  cancelBooking,
  capturePayment,
  createBooking,
  createPayment,
  createRefund,
  voidPayment,
} from '@swim/contracts';
import { inEnvironment } from '@swim/platform';
import type { Audit } from '../../src/audit/audit.service.js';
import type { Difference } from '../../src/audit/audited-money.rules.js';
import type { ConsentedPayment, StoredMovement } from './consent-history.js';
import type { History, Promised } from './history.js';
import { expectLessonsWhole, type Placed, type StoredClosure, type StoredLesson } from './lesson-checks.js';
import type { Services } from './services.js';

interface StoredPayment extends ConsentedPayment {
  _id: string;
  eventCount: number;
}

interface StoredRefund {
  _id: string;
  paymentId: string;
  status: string;
}

interface Charge {
  _id: string;
  state: string;
  amountCents: number;
  refunds?: { amountCents: number; state: string }[];
}

interface SessionState {
  status: string;
  attendance: string;
  priceCents: number;
  version: number;
}

type StoredSession = SessionState & Placed & { bookingId: string };

interface StoredBooking {
  _id: string;
  status: string;
  prepay: boolean;
  expiresAt: Date | null;
  eventCount: number;
  sessions: (SessionState & { id: string })[];
  movements?: StoredMovement[];
}

const CHARGED = ['succeeded', 'partially_refunded', 'refunded'];

/** Documents of some histories, by their ids. */
interface Documents {
  bookings: Map<string, StoredBooking>;
  sessions: StoredSession[];
  payments: Map<string, StoredPayment>;
  refunds: Map<string, StoredRefund>;
  charges: Map<string, Charge>;
  lessons: Map<string, StoredLesson>;
  closures: Map<string, StoredClosure>;
}

/** What the services and the processor have stored of some histories, and what an audit of their bookings has found. */
export class Outcome {
  private constructor(
    private readonly services: Services,
    private readonly differences: Difference[],
    private readonly stored: Documents,
  ) {}

  /** Reads all at once: each query is about the bookings of all histories. */
  static async read(services: Services, histories: History[], audit: Audit): Promise<Outcome> {
    const ids = histories.flatMap(({ bookings }) => bookings.map(({ id }) => id));
    const differences: Difference[] = [];
    await inEnvironment('test', () => audit.runOn(ids, (difference) => differences.push(difference)));
    const find = <D extends { _id: string }>(service: 'booking' | 'scheduling' | 'payment', name: string, by: object) =>
      services
        .stored<D>(service, name)
        .find(by as object)
        .toArray() as Promise<D[]>;
    const lessonIds = histories.flatMap(({ lessons }) => [...lessons.known.keys()]);
    const closureIds = histories.flatMap(({ lessons }) => lessons.closures.map(({ id }) => id));
    const [bookings, sessions, payments, lessons, closures] = await Promise.all([
      find<StoredBooking>('booking', 'bookings', { _id: { $in: ids } }),
      find<StoredSession>('scheduling', 'sessions', { bookingId: { $in: ids } }),
      find<StoredPayment>('payment', 'payments', { bookingId: { $in: ids } }),
      find<StoredLesson>('scheduling', 'lessons', { _id: { $in: lessonIds } }),
      find<StoredClosure>('scheduling', 'closures', { _id: { $in: closureIds } }),
    ]);
    const paymentIds = payments.map(({ _id }) => _id);
    const [refunds, charges] = await Promise.all([
      find<StoredRefund>('payment', 'refunds', { paymentId: { $in: paymentIds } }),
      find<Charge>('payment', 'processor_charges', { _id: { $in: paymentIds } }),
    ]);
    const byIds = {
      bookings: byId(bookings),
      payments: byId(payments),
      refunds: byId(refunds),
      charges: byId(charges),
      lessons: byId(lessons),
      closures: byId(closures),
    };
    return new Outcome(services, differences, { ...byIds, sessions });
  }

  /** Expects of a history that has come to rest that no money was lost or made, and that all agree on what happened. */
  expectWhole(history: History): void {
    const ids = new Set(history.bookings.map(({ id }) => id));
    expect(this.differences.filter(({ bookingId }) => ids.has(bookingId))).toEqual([]);
    // Also a payment that no booking has.
    for (const payment of this.stored.payments.values()) if (ids.has(payment.bookingId)) this.expectCharged(payment);
    for (const id of ids) this.expectBookingWhole(id);
    for (const id of ids) this.expectConsented(id, history);
    expectLessonsWhole(history.lessons, this.stored);
    for (const id of history.lessons.known.keys())
      this.expectEachEventOnce(id, this.stored.lessons.get(id)!.eventCount);
    for (const promised of history.promised) this.expectKept(promised);
  }

  /** What the processor took and gave back is what the payment says. */
  private expectCharged({ _id, status, amountCents, refundedCents, eventCount }: StoredPayment): void {
    const charge = this.stored.charges.get(_id);
    const takenCents = charge?.state === 'succeeded' ? charge.amountCents : 0;
    const back = (charge?.refunds ?? []).filter(({ state }) => state === 'succeeded');
    const backCents = back.reduce((sum, each) => sum + each.amountCents, 0);
    const said = { takenCents: CHARGED.includes(status) ? amountCents : 0, backCents: refundedCents };
    expect({ _id, takenCents, backCents }).toEqual({ _id, ...said });
    this.expectEachEventOnce(_id, eventCount);
  }

  private expectConsented(id: string, { consents }: History): void {
    const payments = [...this.stored.payments.values()].filter(({ bookingId }) => bookingId === id);
    consents.expectWithin(id, payments, this.stored.bookings.get(id)!.movements ?? []);
  }

  private expectEachEventOnce(id: string, count: number): void {
    const numbers = this.services.traffic.eventsOf(id).map(({ n }) => n);
    const all = Array.from({ length: count }, (_, index) => index + 1);
    expect([id, ...numbers.sort((a, b) => a - b)]).toEqual([id, ...all]);
  }

  /** A booking has the newest state of each of its sessions, and the status that follows. */
  private expectBookingWhole(id: string): void {
    const booking = this.stored.bookings.get(id)!;
    const newest = this.stored.sessions.filter(({ bookingId }) => bookingId === id);
    const known = booking.sessions.map(({ id: _id, ...state }) => ({ _id, ...state }));
    expect(statesOf(known)).toEqual(statesOf(newest));
    expect(this.statusesOf(booking, newest)).toContain(booking.status);
    this.expectEachEventOnce(id, booking.eventCount);
  }

  /** The statuses that a booking with these sessions may have. */
  private statusesOf({ prepay, expiresAt }: StoredBooking, sessions: StoredSession[]): string[] {
    const open = sessions.filter(({ status }) => status === 'scheduled');
    if (open.length > 0) {
      // Without its prepayment it keeps lessons to come until its time to pay ends, and then those that had begun.
      const isKept = expiresAt !== null || open.every(({ start }) => start <= new Date());
      return prepay && isKept ? ['pending', 'confirmed'] : ['confirmed'];
    }
    if (sessions.some(({ status }) => status === 'completed')) return ['completed'];
    return prepay ? ['cancelled', 'expired'] : ['cancelled'];
  }

  /** What a client was answered stays true. */
  private expectKept({ operation, answer: { id, status } }: Promised): void {
    const paymentStatus = this.stored.payments.get(id)?.status;
    const isKept: Record<string, () => boolean> = {
      [createBooking.name]: () => this.stored.bookings.has(id),
      [cancelBooking.name]: () => status !== 'cancelled' || this.stored.bookings.get(id)?.status === 'cancelled',
      [createPayment.name]: () => isStill(status, paymentStatus),
      [capturePayment.name]: () => isStill(status, paymentStatus),
      [voidPayment.name]: () => isStill(status, paymentStatus),
      [createRefund.name]: () => this.stored.refunds.has(id),
    };
    expect([operation, id, status, isKept[operation]?.() ?? true]).toEqual([operation, id, status, true]);
  }
}

/** Whether a payment that was answered with a status can have another one now. */
function isStill(answered: string, now: string | undefined): boolean {
  if (answered === 'succeeded') return CHARGED.includes(now ?? '');
  return answered === 'voided' ? now === 'voided' : now !== undefined;
}

const byId = <D extends { _id: string }>(documents: D[]): Map<string, D> =>
  new Map(documents.map((document) => [document._id, document]));

const statesOf = (sessions: (SessionState & { _id: string })[]) =>
  sessions
    .map(({ _id, status, attendance, priceCents, version }) => ({ _id, status, attendance, priceCents, version }))
    .sort((a, b) => (a._id < b._id ? -1 : 1));
