import { Injectable } from '@nestjs/common';
import {
  bookingConfirmed,
  bookingCreated,
  bookingExpired,
  type Environment,
  type ErrorBody,
  type Page,
  type Session,
} from '@swim/contracts';
import type { Call } from '@swim/messaging';
import {
  AggregateRepository,
  asSystem,
  Databases,
  type Decision,
  type Filter,
  type NewEvent,
  OutboxRelay,
} from '@swim/mongo';
import { AppError, CursorCodec } from '@swim/platform';
import { config } from '../config.js';
import { toBooked, toBookingObject } from './booking.mapper.js';
import { termsOf } from './booking.rules.js';
import { type BookingDocument, bookingSchema, type NewBooking } from './booking.schema.js';

interface BookingFilters {
  status?: string | undefined;
  instructor_id?: string | undefined;
  member_id?: string | undefined;
}

interface BookingQuery extends BookingFilters {
  account_id?: string | undefined;
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
}

type Change = Decision<BookingDocument>;

// More than anybody has; as much as one query answers.
const MOST_OF_MEMBER = 60_000;

const saga = (env: Environment) => asSystem(env, 'the saga works on bookings that nobody may see yet');

/** Given up, but nobody was told a verdict: it may still be made. */
const hasFailedOpenly = ({ status, refusal }: BookingDocument): boolean => status === 'failed' && refusal === null;

const isOpen = (booking: BookingDocument): boolean => booking.status === 'claiming' || hasFailedOpenly(booking);

/** Memory of bookings; each step of their making is one conditional update. */
@Injectable()
export class BookingsRepository extends AggregateRepository<BookingDocument> {
  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('bookings', bookingSchema), relay);
  }

  /** Throws `resource_not_found` when the caller sees no such booking. */
  async getVisible(call: Call, id: string): Promise<BookingDocument> {
    const booking = await this.lookUp(call.principal, id);
    if (!booking) throw new AppError('resource_not_found');
    return booking;
  }

  listVisible(
    call: Call,
    list: string,
    { limit, offset, cursor, ...filters }: BookingQuery,
  ): Promise<Page<BookingDocument>> {
    const { accountId, env } = call.principal;
    const bound = { list, accountId, env, filters: { ...filters } };
    return this.page(call.principal, toFilter(filters), {
      order: 'newest',
      asked: { limit, offset, cursor },
      cursors: this.cursors,
      bound,
    });
  }

  /** A booking in any state, also one that nobody sees. */
  findAny(env: Environment, id: string): Promise<BookingDocument | null> {
    return this.lookUp(saga(env), id);
  }

  /** Stores a booking `claiming`. One that had failed without a verdict starts anew; any other of this id is answered as it is. */
  async insertClaiming(call: Call, fresh: NewBooking): Promise<BookingDocument> {
    const stored = await this.create(call, { ...fresh, nextAt: this.leaseEnd() });
    if (!hasFailedOpenly(stored)) return stored;
    return this.change(call, stored._id, (now) => {
      if (!hasFailedOpenly(now)) return null;
      const { _id, ...restarted } = fresh;
      return { set: { ...restarted, attempt: now.attempt + 1, nextAt: this.leaseEnd() } };
    });
  }

  /** Keeps what scheduling left out, before the claim is confirmed. */
  markSkipped(call: Call, id: string, skipped: BookingDocument['skipped']): Promise<BookingDocument> {
    return this.change(call, id, (now) => (isOpen(now) ? { set: { skipped }, unseen: true } : null));
  }

  /**
   * claiming → confirmed, or pending when it waits for its money; tells of it in the same write. A claim that was
   * confirmed is the truth: also a booking given up meanwhile, without a verdict told to anyone, is made by it.
   */
  markBooked(call: Call, id: string, sessions: Session[]): Promise<BookingDocument> {
    return this.change(call, id, (now) => (isOpen(now) ? this.booked(now, sessions) : null));
  }

  /** claiming → failed, unless someone has taken it over since `booking` was read. `refusal` null: nothing was decided. */
  markFailed(call: Call, booking: BookingDocument, refusal: ErrorBody | null): Promise<BookingDocument> {
    return this.change(call, booking._id, (now) => {
      if (now.status !== 'claiming' || now.attempt !== booking.attempt) return null;
      const told = refusal && JSON.stringify(refusal);
      return { set: { status: 'failed', refusal: told, failedAt: this.databases.clock.now(), nextAt: null } };
    });
  }

  /** Closes a pending booking to money, if none came and none is on its way. */
  markFreeing(call: Call, id: string): Promise<BookingDocument> {
    return this.change(call, id, (now) => {
      const open = now.status === 'pending' && now.expiresAt !== null && !now.freeing;
      return open && now.payments.every(({ state }) => state === 'failed')
        ? { set: { freeing: true }, unseen: true }
        : null;
    });
  }

  /** pending → expired, once its sessions are given back. */
  markExpired(call: Call, id: string, sessions: Session[]): Promise<BookingDocument> {
    return this.change(call, id, (now) => {
      if (now.status !== 'pending' || !now.freeing) return null;
      const set = { status: 'expired', freeing: false, nextAt: null, version: now.version + 1 } as const;
      return { set, events: [{ type: bookingExpired, object: (after) => toBookingObject(after, sessions) }] };
    });
  }

  /** Decides on the money of a booking; `decide` may throw. Null when there is no such booking that anyone sees. */
  async changeMoney(
    call: Call,
    id: string,
    decide: (now: BookingDocument) => Change['set'] | null,
  ): Promise<BookingDocument | null> {
    const scope = asSystem(call.principal.env, 'the ledger tells by account and payment whose money it is');
    const changed = await this.mutate(
      scope,
      id,
      call,
      (now) => {
        const set = decide(now);
        if (!set) return null;
        const events = set.status === 'confirmed' ? [{ type: bookingConfirmed, object: toBookingObject }] : [];
        return { set, events, unseen: (set.version ?? now.version) === now.version };
      },
      { status: { $nin: ['claiming', 'failed'] } },
    );
    return changed?.document ?? null;
  }

  /** Bookings of a member, in any state, that have notes. */
  async findIdsWithNotes(env: Environment, memberId: string): Promise<string[]> {
    const noted = { memberIds: memberId, notes: { $ne: null } };
    return (await this.findPicked(saga(env), noted, [], { limit: MOST_OF_MEMBER })).map(({ _id }) => _id);
  }

  /** Takes the notes out of a booking. Nobody is told. */
  async clearNotes(call: Call, id: string): Promise<void> {
    await this.change(call, id, ({ notes }) => (notes === null ? null : { set: { notes: null }, unseen: true }));
  }

  /** Bookings whose time has come, the most overdue first. */
  findDue(env: Environment, limit: number): Promise<BookingDocument[]> {
    return this.findMany(saga(env), { nextAt: { $lt: this.databases.clock.now() } }, { nextAt: 1 }, limit);
  }

  /** Takes an overdue booking over; null when somebody else did, or it is no longer due. */
  async takeOver(env: Environment, booking: BookingDocument): Promise<BookingDocument | null> {
    const { _id, nextAt } = booking;
    const attempt = booking.attempt + 1;
    const lease = { attempt, nextAt: { $add: ['$$NOW', config.SAGA_LEASE_MS] } };
    const asFound = { _id, nextAt, attempt: booking.attempt };
    return (await this.updateOncePast(saga(env), asFound, 'nextAt', lease)) ? { ...booking, attempt } : null;
  }

  private booked(now: BookingDocument, sessions: Session[]): Change {
    const payUntil = this.databases.clock.inMs(config.PREPAYMENT_MINUTES * 60_000);
    const terms = termsOf(
      sessions.map((session) => session.price_cents),
      now.prepay,
      payUntil,
    );
    const created: NewEvent<BookingDocument> = { type: bookingCreated, object: toBookingObject };
    const confirmed: NewEvent<BookingDocument> = { type: bookingConfirmed, object: toBookingObject };
    return {
      set: {
        ...terms,
        readers: [...new Set([now.accountId, now.schoolId])],
        sessions: sessions.map(toBooked),
        asked: null,
        nextAt: terms.expiresAt,
        failedAt: null,
      },
      events: terms.status === 'confirmed' ? [created, confirmed] : [created],
    };
  }

  // A booking is never removed while anybody works on it, so that it is always found.
  private async change(
    call: Call,
    id: string,
    decide: (now: BookingDocument) => Change | null,
  ): Promise<BookingDocument> {
    const changed = await this.mutate(saga(call.principal.env), id, call, decide);
    if (!changed) throw new AppError('resource_not_found');
    return changed.document;
  }

  private leaseEnd(): Date {
    return this.databases.clock.inMs(config.SAGA_LEASE_MS);
  }
}

function toFilter({ status, instructor_id, member_id }: BookingFilters): Filter {
  return {
    ...(status ? { status } : {}),
    ...(instructor_id ? { instructorId: instructor_id } : {}),
    ...(member_id ? { memberIds: member_id } : {}),
  };
}
