import {
  type Booking,
  type BusEvent,
  createBooking,
  eraseTextsOfBookings,
  type InputOf,
  listBookings,
  listPaymentMethods,
  type ParsedOf,
  type Principal,
  refundForBooking,
  voidForBooking,
} from '@swim/contracts';
import { eventsIn, type RunningService, startService } from '@swim/messaging';
import { type Answered, AppError, newId } from '@swim/platform';
import {
  aPrincipal,
  inDays,
  type RequestOptions,
  startHarness,
  type TestHarness,
  until,
  updateAll,
} from '@swim/testing';
import { FakeCalendar } from './fake-calendar.js';
import { FakePeople } from './fake-people.js';

/** A stored document as the database has it. */
export type StoredBooking = Record<string, unknown> & { _id: string };

/** A stored draft as the database has it. */
export type StoredDraft = Record<string, unknown> & { _id: string; state: string; booking?: { memberIds: string[] } };

export type BookingInput = InputOf<typeof createBooking>;

// As in production: with the short leases of the crash tests, a busy machine would supersede live work.
const LEASES = { SAGA_LEASE_MS: '12000', IDEMPOTENCY_LEASE_MS: '15000' };
const PAST = new Date(0);

/** The booking service on a real database and NATS, with fakes of the services that it calls. */
export interface BookingFixture {
  readonly harness: TestHarness;
  readonly service: RunningService;
  readonly calendar: FakeCalendar;
  readonly people: FakePeople;
  readonly school: Principal;
  readonly family: Principal;
  /** The one payment method of every wallet. */
  readonly method: string;
  /** A booking of one new member of the family with a new instructor of the school, tomorrow at ten for an hour. */
  bookingInput(changes?: Partial<BookingInput>): BookingInput;
  readonly recorder: EventRecorder;
  /** A fake of payment: the requests of bookings that it has accepted, in order. While `isDown` it accepts none. */
  readonly payment: {
    isDown: boolean;
    refunds: ParsedOf<typeof refundForBooking>[];
    voids: ParsedOf<typeof voidForBooking>[];
    erasures: ParsedOf<typeof eraseTextsOfBookings>[];
    /** How many erasures are not done yet. */
    unfinishedErasures: number;
  };
  /** The stored document, regardless of its readers. */
  stored(bookingId: string): Promise<StoredBooking | null>;
  /** All stored documents. */
  allStored(): Promise<StoredBooking[]>;
  /** All drafts, also those that have ended. */
  allDrafts(): Promise<StoredDraft[]>;
  /** Ends the time to pay, or the lease, of these bookings: they are due for recovery. */
  letLapse(which: Partial<StoredBooking>): Promise<void>;
  /** Makes the requests of a booking to payment due for repetition. */
  letRequestsLapse(bookingId: string): Promise<void>;
  /** Ends the leases of all runs under an Idempotency-Key. */
  letRunsLapse(): Promise<void>;
  stop(): Promise<void>;
}

/** Dates `days` from now at this hour, each an hour long. */
export const times = (...days: number[]): NonNullable<BookingInput['sessions']> =>
  days.map((day) => ({ date: inDays(day), duration_minutes: 60 }));

/** A gate that a step waits at until the test opens it. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const passed = () => {
    reached.resolve();
    return promise;
  };
  return { passed, reached: reached.promise, open: resolve };
}

/** Events that the booking service publishes from now on: all, and those of one booking, each once, in order. */
export class EventRecorder {
  private readonly received = new Map<string, BusEvent<Booking>>();

  constructor(harness: TestHarness) {
    harness.connection.subscribe('event.test.booking.>', {
      callback: (_, message) => {
        for (const event of eventsIn(message.json())) this.received.set(event.id, event as BusEvent<Booking>);
      },
    });
  }

  of(bookingId: string): BusEvent<Booking>[] {
    return [...this.received.values()].filter(({ objectId }) => objectId === bookingId).sort((a, b) => a.n - b.n);
  }

  /** As `of`, once there are this many. */
  async atLeast(count: number, bookingId: string): Promise<BusEvent<Booking>[]> {
    await until(() => this.of(bookingId).length >= count, `${count} events are published`);
    return this.of(bookingId);
  }
}

/** Starts the engines, the fakes and, within this process, the service with these settings. */
export async function startFixture(env: Record<string, string> = {}): Promise<BookingFixture> {
  const harness = await startHarness();
  Object.assign(harness.env, LEASES, env);
  Object.assign(process.env, harness.env);
  const calendar = new FakeCalendar(harness);
  const people = new FakePeople(harness);
  const method = newId('pm');
  harness.serve(listPaymentMethods, () => walletOf(method));
  const payment = fakePayment(harness);
  const recorder = new EventRecorder(harness);
  await harness.connection.flush();
  const service = await startBooking();
  const [school, family] = [aPrincipal({ kind: 'school' }), aPrincipal()];
  const database = harness.database('booking_test');
  const bookings = database.collection<StoredBooking>('bookings');
  const drafts = database.collection<StoredDraft>('drafts');
  return {
    harness,
    service,
    calendar,
    people,
    school,
    family,
    method,
    payment,
    bookingInput: (changes = {}) => ({
      instructor_id: people.anInstructor(school.accountId),
      member_ids: [people.aMember(family.accountId, [school.accountId])],
      sessions: times(1),
      ...changes,
    }),
    recorder,
    stored: (bookingId) => bookings.findOne({ _id: bookingId }),
    allStored: () => bookings.find().toArray(),
    allDrafts: () => drafts.find().toArray(),
    letLapse: async ({ memberIds, ...which }) => {
      const ofMembers = memberIds ? { memberIds } : {};
      const open = { $or: [{ status: 'pending' }, { cancelling: { $type: 'object' } }] };
      await updateAll(bookings, { $and: [{ ...which, ...ofMembers }, open] }, { nextAt: PAST });
      const drafted = memberIds ? { 'booking.memberIds': memberIds } : {};
      await updateAll(drafts, { ...which, ...drafted, state: 'claiming' }, { nextAt: PAST });
    },
    letRequestsLapse: async (bookingId) => {
      await bookings.updateOne({ _id: bookingId, requestsAt: { $type: 'date' } } as object, {
        $set: { requestsAt: PAST },
      });
    },
    letRunsLapse: async () => {
      await updateAll(database.collection('idempotency'), { state: 'running' }, { leaseUntil: PAST });
    },
    async stop() {
      await service.stop();
      await harness.stop();
    },
  };
}

function fakePayment(harness: TestHarness): BookingFixture['payment'] {
  const payment: BookingFixture['payment'] = {
    isDown: false,
    refunds: [],
    voids: [],
    erasures: [],
    unfinishedErasures: 0,
  };
  const accept = <T>(list: T[], request: T): { accepted: true } => {
    if (payment.isDown) throw new AppError('unavailable');
    list.push(request);
    return { accepted: true };
  };
  harness.serve(refundForBooking, (request) => accept(payment.refunds, request));
  harness.serve(voidForBooking, (request) => accept(payment.voids, request));
  harness.serve(eraseTextsOfBookings, (request) => {
    payment.erasures.push(request);
    return { done: payment.unfinishedErasures-- <= 0 };
  });
  return payment;
}

const walletOf = (id: string): Answered<typeof listPaymentMethods> => ({
  items: [
    {
      id,
      processor: 'simulator',
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: 2031,
      is_default: true,
      created_at: new Date(0).toISOString(),
      updated_at: new Date(0).toISOString(),
    },
  ],
  pagination: { has_more: false, next_cursor: null, total: 1 },
});

async function startBooking(): Promise<RunningService> {
  const { AppModule } = await import('../src/app.module.js');
  const { config } = await import('../src/config.js');
  return startService('booking', AppModule, config);
}

/** The family's operations on bookings, and the stored documents of its requests. */
export const familyIn = (fixture: () => BookingFixture) => ({
  create: (input: BookingInput, options: RequestOptions = {}): Promise<Booking> =>
    fixture().harness.call(createBooking, input, { principal: fixture().family, ...options }),
  listed: async ({ member_ids }: BookingInput): Promise<Booking[]> =>
    (await fixture().harness.call(listBookings, { member_id: member_ids[0]! }, { principal: fixture().family })).items,
  storedFor: async ({ member_ids }: BookingInput): Promise<StoredBooking[]> =>
    (await fixture().allStored()).filter((each) => (each.memberIds as string[]).includes(member_ids[0]!)),
  /** The drafts of a request, which have neither ended with a booking nor with a rejection. */
  draftsFor: async ({ member_ids }: BookingInput): Promise<StoredDraft[]> =>
    (await fixture().allDrafts()).filter(({ booking }) => booking?.memberIds.includes(member_ids[0]!)),
});
