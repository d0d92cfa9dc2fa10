import type { Booking, BusEvent, createBooking, InputOf, Principal } from '@swim/contracts';
import { type RunningService, startService } from '@swim/messaging';
import { aPrincipal, inDays, type Parts, startParts, until } from '@swim/testing';
import { CalendarStandIn } from './calendar-stand-in.js';
import { PeopleStandIn } from './people-stand-in.js';

/** A stored document as the database has it. */
export type StoredBooking = Record<string, unknown> & { _id: string };

export type WantedBooking = InputOf<typeof createBooking>;

/** How long, in ms, a booking under way belongs to its maker in these tests. */
export const LEASE_MS = 700;

/** The booking service on real parts, with stand-ins at the bus for the two services that it calls. */
export interface World {
  readonly parts: Parts;
  readonly calendar: CalendarStandIn;
  readonly people: PeopleStandIn;
  readonly school: Principal;
  readonly family: Principal;
  /** A booking of one new member of the family with a new instructor of the school, tomorrow at ten for an hour. */
  wanted(changes?: Partial<WantedBooking>): WantedBooking;
  /** Events of a booking as they were published so far, each once, in order. */
  eventsOf(bookingId: string): BusEvent<Booking>[];
  /** The same, once there are as many. */
  events(bookingId: string, count: number): Promise<BusEvent<Booking>[]>;
  /** The stored document, whoever may see it. */
  stored(bookingId: string): Promise<StoredBooking | null>;
  /** All stored documents. */
  allStored(): Promise<StoredBooking[]>;
  stop(): Promise<void>;
}

/** Dates `days` from now at this hour, each an hour long. */
export const times = (...days: number[]): WantedBooking['sessions'] =>
  days.map((day) => ({ date: inDays(day), duration_minutes: 60 }));

function hear(parts: Parts): Map<string, BusEvent<Booking>> {
  const heard = new Map<string, BusEvent<Booking>>();
  parts.connection.subscribe('event.test.booking.>', {
    callback: (_, message) => {
      const event = message.json<BusEvent<Booking>>();
      heard.set(event.id, event);
    },
  });
  return heard;
}

/** Starts the parts and the stand-ins; the service itself too, unless a test runs it as a process. */
export async function startWorld(inProcess = true): Promise<World> {
  const parts = await startParts();
  Object.assign(parts.env, { SAGA_LEASE_MS: String(LEASE_MS), PREPAYMENT_MINUTES: '0.02' });
  Object.assign(process.env, parts.env);
  const calendar = new CalendarStandIn(parts);
  const people = new PeopleStandIn(parts);
  const heard = hear(parts);
  await parts.connection.flush();
  const service = inProcess ? await startBooking() : null;
  const [school, family] = [aPrincipal({ kind: 'school' }), aPrincipal()];
  const eventsOf = (bookingId: string) =>
    [...heard.values()].filter(({ objectId }) => objectId === bookingId).sort((a, b) => a.n - b.n);
  const bookings = parts.database('booking_test').collection<StoredBooking>('bookings');
  return {
    parts,
    calendar,
    people,
    school,
    family,
    wanted: (changes = {}) => ({
      instructor_id: people.anInstructor(school.accountId),
      member_ids: [people.aMember(family.accountId, [school.accountId])],
      sessions: times(1),
      ...changes,
    }),
    eventsOf,
    async events(bookingId, count) {
      await until(() => eventsOf(bookingId).length >= count, `${count} events are published`);
      return eventsOf(bookingId);
    },
    stored: (bookingId) => bookings.findOne({ _id: bookingId }),
    allStored: () => bookings.find().toArray(),
    async stop() {
      await service?.stop();
      await parts.stop();
    },
  };
}

async function startBooking(): Promise<RunningService> {
  const { AppModule } = await import('../src/app.module.js');
  const { config } = await import('../src/config.js');
  return startService('booking', AppModule, config);
}
