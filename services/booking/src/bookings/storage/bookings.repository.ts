import { Injectable } from '@nestjs/common';
import {
  bookingConfirmed,
  bookingCreated,
  bookingExpired,
  bookingOfEnrollment,
  enrollmentCreated,
  enrollmentIdOf,
  type listEnrollments,
  type Page,
  type ParsedOf,
  type Session,
} from '@swim/contracts';
import { type AccountClock, asSystem, type NewEvent } from '@swim/mongo';
import { AppError, formerValues, invalidState, type RequestContext, systemContext, timeOfId } from '@swim/platform';
import mongoose from 'mongoose';
import { isPaying } from '../../money/ledger.rules.js';
import { withSessions } from '../../money/session-billing.rules.js';
import type { OpenDraft } from '../drafts/draft.schema.js';
import { requestOf } from '../drafts/drafts.repository.js';
import { toBookingObject } from './booking.mapper.js';
import type { BookingDocument, Cancelling, FirstBooking } from './booking.schema.js';
import { isCancellable, isSameCancellation } from './booking-cancellation.rules.js';
import { enrollmentsOf } from './booking-filters.js';
import { BookingStorage, type Change, eventsOf, MOST_OF_MEMBER, REASON, saga } from './booking-storage.repository.js';
import { withConsequences } from './consequences.rules.js';
import { type Booked, firstBookingOf, sessionsOf } from './drafted-booking.rules.js';
import { endOfEnrollment, toEnrollment } from './enrollment.mapper.js';

/** The sessions that scheduling has made of a draft's claim, and the skipped dates. */
export interface Claimed {
  sessions: Session[];
  skipped?: { lesson_id?: string | undefined; date: string; reason: string }[] | undefined;
}

/** A booking as it is now, and the publication of its first events, which may fail. */
export interface MadeBooking {
  booking: BookingDocument;
  published: Promise<void>;
}

/** Stores that a request joins a cancellation; one that cannot be retried stores nothing. */
const joining = ({ opId }: RequestContext): Change | null =>
  opId === null ? null : { set: {}, unseen: true, answer: () => null };

/** The end of an enrollment, and the cancellation of what is after it. */
interface EnrollmentEnd {
  endsOn: string;
  /** When its last date is over, by the account's clock. */
  endsAt: Date;
  isOver: boolean;
  cancelling: Omit<Cancelling, 'sessions'> & { reason: string | null };
}

/** Storage of bookings; each step of a cancellation or an expiry is one conditional update. */
@Injectable()
export class BookingsRepository extends BookingStorage {
  /** Bookings that are being cancelled, and those whose time to pay has ended. */
  readonly unfinished = this.work({
    name: 'bookings',
    due: 'nextAt',
    reason: REASON,
    leaseMs: () => this.config.SAGA_LEASE_MS,
    counts: ['attempt'],
    atOnce: 50,
  });

  /** Bookings that are enrollments with a last date. */
  readonly endingEnrollments = this.work({ name: 'ends of enrollments', due: 'enrollmentDueAt', reason: REASON });

  /**
   * Stores the booking of a draft whose claim is confirmed, of which its makeup credit pays `creditedCents`; an existing one stays. Its
   * first events are published from the draft, which has to stay until then. It has the sessions as they were booked: one that has
   * changed since has an event, which is delivered again until the booking is stored (see `SessionsFollower`).
   */
  async insertMade(
    context: RequestContext,
    draft: OpenDraft,
    { sessions, skipped = [] }: Claimed,
    creditedCents: number,
  ): Promise<MadeBooking> {
    const first = this.firstOf(draft, {
      sessions: sessionsOf(
        draft,
        sessions.map(({ id }) => id),
      ),
      skipped,
      creditedCents,
    });
    const request = requestOf(draft, context.deadline);
    const { documents, published } = await this.createAll(request, [first], firstEventsOf(first), (existing) =>
      this.firstAs(draft, existing),
    );
    return { booking: documents[0]!, published };
  }

  /** Publishes the first events of the booking of a draft once more. */
  publishMade({ deadline }: RequestContext, draft: OpenDraft, booking: BookingDocument): Promise<void> {
    const first = this.firstAs(draft, booking);
    return this.publishCreated(requestOf(draft, deadline), [first], firstEventsOf(first));
  }

  /** Closes a pending booking to payments, if none is in progress. */
  markFreeing(context: RequestContext, id: string): Promise<BookingDocument> {
    return this.change(context, id, (now) => {
      const open = now.status === 'pending' && now.expiresAt !== null && !now.freeing && !now.cancelling;
      return open && !isPaying(now) ? { set: { freeing: true }, unseen: true } : null;
    });
  }

  /** The bookings of a member that were paid for, or for which a payment was tried. */
  async findIdsWithPayments(memberId: string): Promise<string[]> {
    const scope = asSystem('an erasure reaches every booking of the member');
    const some = mongoose.trusted({ $exists: true });
    const paid = { memberIds: memberId, $or: [{ 'payments.0': some }, { failedCount: mongoose.trusted({ $gt: 0 }) }] };
    return (await this.findPicked(scope, paid, [], { limit: MOST_OF_MEMBER })).map(({ _id }) => _id);
  }

  /**
   * Closes a booking to payments and begins its cancellation; joins the one in progress; returns the booking unchanged when it is
   * cancelled already, or when an earlier run of this request has begun it. Throws `invalid_state` when it can no longer be cancelled.
   */
  markCancelling(
    context: RequestContext,
    id: string,
    { reason, ...cancelling }: Omit<Cancelling, 'sessions'> & { reason: string | null },
  ): Promise<BookingDocument> {
    return this.change(context, id, (now) => {
      if (now.status === 'cancelled') return null;
      if (now.cancelling) return joining(context);
      if (!isCancellable(now)) throw notCancellable(now.status);
      const set = { cancelling: { ...cancelling, sessions: null }, cancelReason: reason, nextAt: this.leaseEnd() };
      // Without content: a resumed run returns the booking as it is then.
      return { set, unseen: true, answer: () => null };
    });
  }

  /** Gives an enrollment its last date, and begins to cancel what is after it. Returns the booking unchanged when an earlier run has. */
  markEnding(
    context: RequestContext,
    id: string,
    { endsOn, endsAt, isOver, cancelling: { reason, ...cancelling } }: EnrollmentEnd,
  ): Promise<BookingDocument> {
    return this.change(context, id, (now) => {
      if (now.cancelling) throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      if (!isCancellable(now)) throw notCancellable(now.status);
      const enrollment = { ...now.enrollment!, endsOn, ...(isOver ? { isOver } : {}) };
      const dueAt = new Date(endsAt.getTime() - (now.clockOffsetMs ?? 0));
      const set = {
        ...{ enrollment, enrollmentDueAt: isOver ? null : dueAt, cancelReason: reason, nextAt: this.leaseEnd() },
        cancelling: { ...cancelling, sessions: null },
      };
      return { set, events: endOfEnrollment(now, { ...now, ...set }), answer: () => null };
    });
  }

  /** Ends an enrollment whose last date is over. */
  async markEnrollmentOver({ _id, accountId }: BookingDocument): Promise<void> {
    await this.change(systemContext(accountId), _id, (now) => {
      const { enrollment, enrollmentDueAt } = now;
      if (!enrollment || !enrollmentDueAt || enrollmentDueAt > this.databases.clock.now()) return null;
      const set = { enrollment: { ...enrollment, isOver: true as const }, enrollmentDueAt: null };
      return { set, events: endOfEnrollment(now, { ...now, ...set }) };
    });
  }

  /** The enrollments that an account sees, newest first, as their bookings. */
  listEnrollments(
    { principal }: RequestContext,
    { ids, class_id, member_id, status, ...query }: ParsedOf<typeof listEnrollments>,
  ): Promise<Page<BookingDocument>> {
    const filter = enrollmentsOf({ class_id, member_id, status });
    const of = { ...query, ...(ids ? { ids: ids.map(bookingOfEnrollment) } : {}) };
    const bound = {
      name: `enrollments ${JSON.stringify([class_id, member_id, status])}`,
      filter,
      cursors: this.cursors,
    };
    return this.listPage(principal, of, bound);
  }

  /**
   * Joins the cancellation that this request has found in progress, so that its retry is answered in the same way once that has ended.
   * Returns the booking as it is now.
   */
  joinCancelling(context: RequestContext, id: string): Promise<BookingDocument> {
    return this.change(context, id, () => joining(context));
  }

  /** Stores the sessions that a cancellation in progress cancels, with their fees, unless they are stored already. */
  planCancellation(
    context: RequestContext,
    booking: BookingDocument,
    sessions: NonNullable<Cancelling['sessions']>,
  ): Promise<BookingDocument> {
    return this.change(context, booking._id, (now) => {
      const isPlanned = now.cancelling?.sessions || !isSameCancellation(now, booking);
      return isPlanned ? null : { set: { cancelling: { ...now.cancelling!, sessions } }, unseen: true };
    });
  }

  /**
   * Ends the time to pay of a booking, once its sessions to come are cancelled: pending → expired, and what was paid becomes an
   * excess. With a lesson that had begun by then it does not expire: that stays due, and is all that is left of it.
   */
  markTimeToPayEnded(context: RequestContext, id: string, sessions: Session[]): Promise<BookingDocument> {
    return this.change(context, id, (now) => {
      if (now.status !== 'pending' || !now.freeing) return null;
      const ended = { sessions: withSessions(now, sessions), freeing: false, expiresAt: null, nextAt: null };
      const isExpired = ended.sessions.every(({ status }) => status === 'cancelled');
      const set = withConsequences(now, isExpired ? { ...ended, status: 'expired' } : ended, this.facts(now));
      const object = (after: BookingDocument) => toBookingObject(after, sessions);
      const previous = formerValues(toBookingObject(now), object({ ...now, ...set }));
      const expired = { type: bookingExpired, object, previous };
      return {
        set,
        events: isExpired ? [expired, ...endOfEnrollment(now, { ...now, ...set })] : eventsOf(now, { ...now, ...set }),
      };
    });
  }

  /**
   * Bookings whose sessions may still change, in the order of their ids: pending and confirmed ones, and completed ones that have
   * changed since, as the attendance of a lesson that was given may be recorded later.
   */
  findChanging(after: string, completedSince: Date, limit: number): Promise<BookingDocument[]> {
    const open = { status: mongoose.trusted({ $in: ['pending', 'confirmed'] }) };
    const completed = { status: 'completed', updatedAt: mongoose.trusted({ $gte: completedSince }) };
    return this.findMany(saga, { _id: { $gt: after }, $or: [open, completed] }, { _id: 1 }, limit);
  }

  /** Bookings of an account that wait for their prepayment. */
  findUnpaidOf(accountId: string): Promise<BookingDocument[]> {
    const unpaid = { readers: accountId, status: 'pending', expiresAt: { $type: 'date' } };
    return this.findMany(saga, unpaid, { expiresAt: 1 });
  }

  /** Bookings of a test account, made before an instant, that its sessions may still change, in the order of their ids. */
  findUnsettledOf(accountId: string, before: Date, after: string, limit: number): Promise<BookingDocument[]> {
    const made = {
      readers: accountId,
      createdAt: mongoose.trusted({ $lt: before }),
      _id: mongoose.trusted({ $gt: after }),
    };
    const open = { status: mongoose.trusted({ $in: ['pending', 'confirmed'] }) };
    return this.findMany(saga, { ...made, ...open }, { _id: 1 }, limit);
  }

  /** Whether a booking of a test account, made before an instant, is being cancelled. */
  async isCancellingOf(accountId: string, before: Date): Promise<boolean> {
    const cancelling = mongoose.trusted({ $ne: null });
    const made = { readers: accountId, createdAt: mongoose.trusted({ $lt: before }) };
    return (await this.findOne(saga, { ...made, cancelling })) !== null;
  }

  /** Applies the clock of a test account to its bookings: also those whose time to pay is over have dates to come. */
  async applyClock(clock: AccountClock): Promise<void> {
    const waiting = { status: 'pending', freeing: false, cancelling: null };
    await this.applyClockTo({ filter: waiting, dates: ['expiresAt', 'nextAt'] }, clock);
    // Their `nextAt` is a lease, or null.
    await this.applyClockTo({ filter: {}, dates: ['expiresAt', 'enrollmentDueAt'] }, clock);
  }

  private firstOf(draft: OpenDraft, booked: Pick<Booked, 'sessions' | 'skipped' | 'creditedCents'>): FirstBooking {
    const { at, requestsAt, payUntil } = this.facts(draft.booking);
    return firstBookingOf(draft, { ...booked, at, requestedAt: timeOfId(draft._id), requestsAt, payUntil });
  }

  /** A stored booking as it was first stored, as far as its first events have it. */
  private firstAs(draft: OpenDraft, stored: BookingDocument): FirstBooking {
    const sessions = sessionsOf(
      draft,
      stored.sessions.map(({ id }) => id),
    );
    const { creditedCents = 0 } = draft;
    const first = this.firstOf(draft, { sessions, skipped: stored.skipped ?? [], creditedCents });
    return stored.payUntil ? { ...first, expiresAt: stored.payUntil } : first;
  }

  private leaseEnd(): Date {
    return this.databases.clock.inMs(this.config.SAGA_LEASE_MS);
  }
}

/** The events of a booking as it is first stored. */
function firstEventsOf({ _id, status, enrollment }: FirstBooking): NewEvent<BookingDocument>[] {
  const types = status === 'confirmed' ? [bookingCreated, bookingConfirmed] : [bookingCreated];
  const about = { id: enrollmentIdOf(_id), n: 1 };
  const enrolled = enrollment ? [{ type: enrollmentCreated, object: toEnrollment, about }] : [];
  return [...types.map((type) => ({ type, object: toBookingObject })), ...enrolled];
}

/** The error of a booking that can no longer be cancelled. */
export const notCancellable = (status: BookingDocument['status']): AppError =>
  invalidState('Only a pending or confirmed booking can be cancelled', status);
