import { Inject, Injectable } from '@nestjs/common';
import {
  bookingConfirmed,
  bookingCreated,
  bookingExpired,
  type Environment,
  type ErrorBody,
  type Page,
  type Session,
} from '@swim/contracts';
import {
  AggregateRepository,
  asSystem,
  Databases,
  DataMigrations,
  type Decision,
  type Filter,
  FreeTexts,
  isSealed,
  type MigratedBatch,
  type NewEvent,
  OutboxRelay,
  type TextPlace,
} from '@swim/mongo';
import { AppError, CONFIG, CursorCodec, type RequestContext } from '@swim/platform';
import type { Config } from '../config.js';
import { toBooked, toBookingObject } from './booking.mapper.js';
import { termsOf } from './booking.rules.js';
import { type BookingDocument, bookingSchema, type NewBooking } from './booking.schema.js';
import { hasNoMoney } from './ledger.rules.js';

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

/** The sessions that scheduling has made of a booking's claim, and the skipped dates. */
export interface Claimed {
  sessions: Session[];
  skipped?: { date: string; reason: string }[] | undefined;
}

// More than any member has, and the maximum of one query.
const MOST_OF_MEMBER = 60_000;

// Notes may mention any of the members: they are removed with the first of them that is erased, and with the account.
const placeOfNotes = ({ _id, accountId }: BookingDocument): TextPlace => ({
  owner: { id: accountId, accountId },
  field: 'notes',
  documentId: _id,
});

const saga = (env: Environment) => asSystem(env, 'the saga works on bookings without readers');

/** Failed without a rejection: it may still be made. */
const hasFailedOpenly = ({ status, refusal: rejection }: BookingDocument): boolean =>
  status === 'failed' && rejection === null;

const isOpen = (booking: BookingDocument): boolean => booking.status === 'claiming' || hasFailedOpenly(booking);

/** Storage of bookings; each step of the saga is one conditional update. */
@Injectable()
export class BookingsRepository extends AggregateRepository<BookingDocument> {
  @Inject(CONFIG) private readonly config!: Config;

  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
    private readonly texts: FreeTexts,
    migrations: DataMigrations,
  ) {
    super(databases.collection('bookings', bookingSchema), relay);
    migrations.register({
      name: '0001-bookings-with-encrypted-notes',
      migrate: (env, after) => this.sealNotes(env, after),
    });
  }

  protected override opened(env: Environment, stored: BookingDocument[]): Promise<BookingDocument[]> {
    return Promise.all(stored.map((booking) => this.openNotes(env, booking)));
  }

  protected override async sealed<F extends Partial<BookingDocument>>(
    env: Environment,
    fields: F,
    of: BookingDocument,
  ): Promise<F> {
    if (typeof fields.notes !== 'string') return fields;
    return { ...fields, notes: await this.texts.seal(env, fields.notes, placeOfNotes(of)) };
  }

  /** Throws `resource_not_found` when the account sees no such booking. */
  async getVisible(context: RequestContext, id: string): Promise<BookingDocument> {
    const booking = await this.lookUp(context.principal, id);
    if (!booking) throw new AppError('resource_not_found');
    return booking;
  }

  listVisible(
    context: RequestContext,
    list: string,
    { limit, offset, cursor, ...filters }: BookingQuery,
  ): Promise<Page<BookingDocument>> {
    const { accountId, env } = context.principal;
    const bound = { list, accountId, env, filters: { ...filters } };
    return this.page(context.principal, toFilter(filters), {
      order: 'newest',
      request: { limit, offset, cursor },
      cursors: this.cursors,
      bound,
    });
  }

  /** A booking in any state, also one without readers. */
  findAny(env: Environment, id: string): Promise<BookingDocument | null> {
    return this.lookUp(saga(env), id);
  }

  /**
   * Stores a booking as `claiming`. One that failed without a rejection starts over; any other of this id is returned
   * unchanged.
   */
  async insertClaiming(context: RequestContext, fresh: NewBooking): Promise<BookingDocument> {
    const stored = await this.create(context, { ...fresh, nextAt: this.leaseEnd() });
    if (!hasFailedOpenly(stored)) return stored;
    return this.change(context, stored._id, (now) => {
      if (!hasFailedOpenly(now)) return null;
      const { _id, ...restarted } = fresh;
      return { set: { ...restarted, attempt: now.attempt + 1, nextAt: this.leaseEnd() } };
    });
  }

  /**
   * claiming → confirmed, or pending when it requires prepayment, with its event in the same write. A confirmed claim is
   * decisive: it makes also a booking that failed meanwhile without a rejection.
   */
  async markBooked(context: RequestContext, booking: BookingDocument, claimed: Claimed): Promise<BookingDocument> {
    const made = isOpen(booking) ? await this.commit(booking, this.booked(booking, claimed), context) : null;
    // The document has changed since it was read.
    return made ?? this.change(context, booking._id, (now) => (isOpen(now) ? this.booked(now, claimed) : null));
  }

  /**
   * claiming → failed, unless another process has taken it over since `booking` was read. `rejection` null: without a
   * rejection.
   */
  markFailed(context: RequestContext, booking: BookingDocument, rejection: ErrorBody | null): Promise<BookingDocument> {
    return this.change(context, booking._id, (now) => {
      if (now.status !== 'claiming' || now.attempt !== booking.attempt) return null;
      const storedRejection = rejection && JSON.stringify(rejection);
      return {
        set: { status: 'failed', refusal: storedRejection, failedAt: this.databases.clock.now(), nextAt: null },
      };
    });
  }

  /** Closes a pending booking to payments, if none was made and none is in progress. */
  markFreeing(context: RequestContext, id: string): Promise<BookingDocument> {
    return this.change(context, id, (now) => {
      const open = now.status === 'pending' && now.expiresAt !== null && !now.freeing;
      return open && hasNoMoney(now) ? { set: { freeing: true }, unseen: true } : null;
    });
  }

  /** pending → expired, once its sessions are cancelled. */
  markExpired(context: RequestContext, id: string, sessions: Session[]): Promise<BookingDocument> {
    return this.change(context, id, (now) => {
      if (now.status !== 'pending' || !now.freeing) return null;
      const set = { status: 'expired', freeing: false, nextAt: null, version: now.version + 1 } as const;
      return { set, events: [{ type: bookingExpired, object: (after) => toBookingObject(after, sessions) }] };
    });
  }

  /** Changes the payments of a booking; `decide` may throw. Null when there is no such visible booking. */
  async changeMoney(
    context: RequestContext,
    id: string,
    decide: (now: BookingDocument) => Change['set'] | null,
  ): Promise<BookingDocument | null> {
    const scope = asSystem(context.principal.env, 'the ledger checks account and payment');
    const changed = await this.mutate(
      scope,
      id,
      context,
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

  /** Removes the notes of a booking. Publishes nothing. */
  async clearNotes(context: RequestContext, id: string): Promise<void> {
    await this.change(context, id, ({ notes }) => (notes === null ? null : { set: { notes: null }, unseen: true }));
  }

  /** Due bookings, the most overdue first. */
  findDue(env: Environment, limit: number): Promise<BookingDocument[]> {
    return this.findMany(saga(env), { nextAt: { $lt: this.databases.clock.now() } }, { nextAt: 1 }, limit);
  }

  /** Takes over an overdue booking; null when another process did, or it is no longer due. */
  async takeOver(env: Environment, booking: BookingDocument): Promise<BookingDocument | null> {
    const { _id, nextAt } = booking;
    const attempt = booking.attempt + 1;
    const lease = { attempt, nextAt: { $add: ['$$NOW', this.config.SAGA_LEASE_MS] } };
    const asFound = { _id, nextAt, attempt: booking.attempt };
    return (await this.updateOncePast(saga(env), asFound, 'nextAt', lease)) ? { ...booking, attempt } : null;
  }

  /** Encrypts notes that a former release stored in clear, one batch. */
  sealNotes(env: Environment, after: string): Promise<MigratedBatch> {
    return this.sealStored(env, after);
  }

  private async openNotes(env: Environment, stored: BookingDocument): Promise<BookingDocument> {
    if (!isSealed(stored.notes)) return stored;
    return { ...stored, notes: await this.texts.open(env, stored.notes, placeOfNotes(stored)) };
  }

  private booked(now: BookingDocument, { sessions, skipped = [] }: Claimed): Change {
    const payUntil = this.databases.clock.inMs(this.config.PREPAYMENT_MINUTES * 60_000);
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
        skipped: now.asked?.onConflict === 'skip' ? skipped : null,
        asked: null,
        // Only a resumed run needed the key; it also decrypts stored answers, so it must not stay.
        cause: { ...now.cause, idempotencyKey: null },
        nextAt: terms.expiresAt,
        failedAt: null,
      },
      events: terms.status === 'confirmed' ? [created, confirmed] : [created],
    };
  }

  // A booking is never removed while a process works on it, so it is always found.
  private async change(
    context: RequestContext,
    id: string,
    decide: (now: BookingDocument) => Change | null,
  ): Promise<BookingDocument> {
    const changed = await this.mutate(saga(context.principal.env), id, context, decide);
    if (!changed) throw new AppError('resource_not_found');
    return changed.document;
  }

  private leaseEnd(): Date {
    return this.databases.clock.inMs(this.config.SAGA_LEASE_MS);
  }
}

function toFilter({ status, instructor_id, member_id }: BookingFilters): Filter {
  return {
    ...(status ? { status } : {}),
    ...(instructor_id ? { instructorId: instructor_id } : {}),
    ...(member_id ? { memberIds: member_id } : {}),
  };
}
