import {
  type Booking,
  type BusEvent,
  createBooking,
  type InputOf,
  listBookings,
  listPaymentMethods,
  type Principal,
} from '@swim/contracts';
import { type Answered, type RunningService, startService } from '@swim/messaging';
import { newId } from '@swim/platform';
import { aPrincipal, type Caller, inDays, type Parts, startParts, until } from '@swim/testing';
import { CalendarStandIn } from './calendar-stand-in.js';
import { PeopleStandIn } from './people-stand-in.js';

/** A stored document as the database has it. */
export type StoredBooking = Record<string, unknown> & { _id: string };

export type WantedBooking = InputOf<typeof createBooking>;

// As in production: with the short leases that crashes are tested with, a busy machine would lose work that is alive.
const LEASES = { SAGA_LEASE_MS: '12000', IDEMPOTENCY_LEASE_MS: '15000' };
const PAST = new Date(0);

/** The booking service on real parts, with stand-ins at the bus for the services that it calls. */
export interface World {
  readonly parts: Parts;
  readonly calendar: CalendarStandIn;
  readonly people: PeopleStandIn;
  readonly school: Principal;
  readonly family: Principal;
  /** The one payment method of every wallet. */
  readonly method: string;
  /** A booking of one new member of the family with a new instructor of the school, tomorrow at ten for an hour. */
  wanted(changes?: Partial<WantedBooking>): WantedBooking;
  readonly hearing: Hearing;
  /** The stored document, whoever may see it. */
  stored(bookingId: string): Promise<StoredBooking | null>;
  /** All stored documents. */
  allStored(): Promise<StoredBooking[]>;
  /** Lets the time of these bookings be over, to be paid or to be worked on: recovery looks after them at its next turn. */
  letLapse(which: Partial<StoredBooking>): Promise<void>;
  /** Lets the time of all runs under an Idempotency-Key be over. */
  letRunsLapse(): Promise<void>;
  stop(): Promise<void>;
}

/** Dates `days` from now at this hour, each an hour long. */
export const times = (...days: number[]): WantedBooking['sessions'] =>
  days.map((day) => ({ date: inDays(day), duration_minutes: 60 }));

/** A gate that a step waits at until the test opens it. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: () => promise, open: resolve };
}

/** What the booking service publishes from now on: its events, and those of one booking, each once, in order. */
export class Hearing {
  private readonly heard = new Map<string, BusEvent<Booking>>();

  constructor(parts: Parts) {
    parts.connection.subscribe('event.test.booking.>', {
      callback: (_, message) => {
        const event = message.json<BusEvent<Booking>>();
        this.heard.set(event.id, event);
      },
    });
  }

  of(bookingId: string): BusEvent<Booking>[] {
    return [...this.heard.values()].filter(({ objectId }) => objectId === bookingId).sort((a, b) => a.n - b.n);
  }

  /** The same, once there are as many. */
  async atLeast(count: number, bookingId: string): Promise<BusEvent<Booking>[]> {
    await until(() => this.of(bookingId).length >= count, `${count} events are published`);
    return this.of(bookingId);
  }
}

/** Starts the parts, the stand-ins and, within this process, the service. */
export async function startWorld(): Promise<World> {
  const parts = await startParts();
  Object.assign(parts.env, LEASES);
  Object.assign(process.env, parts.env);
  const calendar = new CalendarStandIn(parts);
  const people = new PeopleStandIn(parts);
  const method = newId('pm');
  parts.serve(listPaymentMethods, () => walletOf(method));
  const hearing = new Hearing(parts);
  await parts.connection.flush();
  const service = await startBooking();
  const [school, family] = [aPrincipal({ kind: 'school' }), aPrincipal()];
  const database = parts.database('booking_test');
  const bookings = database.collection<StoredBooking>('bookings');
  return {
    parts,
    calendar,
    people,
    school,
    family,
    method,
    wanted: (changes = {}) => ({
      instructor_id: people.anInstructor(school.accountId),
      member_ids: [people.aMember(family.accountId, [school.accountId])],
      sessions: times(1),
      ...changes,
    }),
    hearing,
    stored: (bookingId) => bookings.findOne({ _id: bookingId }),
    allStored: () => bookings.find().toArray(),
    letLapse: async (which) => {
      const open = { status: { $in: ['claiming', 'pending'] } };
      await bookings.updateMany({ $and: [which, open] } as object, { $set: { nextAt: PAST } });
    },
    letRunsLapse: async () => {
      await database.collection('idempotency').updateMany({ state: 'running' }, { $set: { leaseUntil: PAST } });
    },
    async stop() {
      await service.stop();
      await parts.stop();
    },
  };
}

const walletOf = (id: string): Answered<typeof listPaymentMethods> => ({
  items: [
    { id, processor: 'simulator', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2031, is_default: true },
  ],
  pagination: { has_more: false, next_cursor: null, total: 1 },
});

async function startBooking(): Promise<RunningService> {
  const { AppModule } = await import('../src/app.module.js');
  const { config } = await import('../src/config.js');
  return startService('booking', AppModule, config);
}

/** What the family does with bookings, and what is stored of a wish. */
export const familyIn = (world: () => World) => ({
  create: (wanted: WantedBooking, caller: Caller = {}): Promise<Booking> =>
    world().parts.call(createBooking, wanted, { principal: world().family, ...caller }),
  listed: async ({ member_ids }: WantedBooking): Promise<Booking[]> =>
    (await world().parts.call(listBookings, { member_id: member_ids[0]! }, { principal: world().family })).items,
  storedFor: async ({ member_ids }: WantedBooking): Promise<StoredBooking[]> =>
    (await world().allStored()).filter((each) => (each.memberIds as string[]).includes(member_ids[0]!)),
});
