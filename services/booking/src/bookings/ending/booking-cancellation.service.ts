import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  type Booking,
  type BookingCancellationQuote,
  type CancellationQuote,
  cancelBooking,
  cancelSessions,
  type ParsedOf,
  quoteBookingCancellation,
  quoteCancellations,
  type Session,
  sessionsOfBookings,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, CONFIG, newId, type RequestContext, systemContext } from '@swim/platform';
import type { Config } from '../../config.js';
import { heldCents } from '../../money/balance.rules.js';
import { isPaying } from '../../money/ledger.rules.js';
import { type BookedSession, missedFeesOf, owesFees, withSessions } from '../../money/session-billing.rules.js';
import { BookingRequests } from '../following/booking-requests.service.js';
import { toBooking } from '../storage/booking.mapper.js';
import type { BookingDocument, Cancelling } from '../storage/booking.schema.js';
import {
  afterCancellation,
  givesCredits,
  isCancellable,
  isSameCancellation,
  planOf,
  toBookingQuote,
} from '../storage/booking-cancellation.rules.js';
import { BookingsRepository, notCancellable } from '../storage/bookings.repository.js';

const PATIENCE_MS = 2_000;
const POLL_MS = 50;
// The most sessions that one request to scheduling takes.
const CANCELLED_AT_ONCE = 100;

interface QuotedBooking {
  booking: BookingDocument;
  quotes: CancellationQuote[];
}

/** Throws `invalid_state` for a booking that has ended, or has no session to come. */
function requireSome(booking: BookingDocument, quotes: CancellationQuote[]): void {
  if (!isCancellable(booking)) throw notCancellable(booking.status);
  if (quotes.length > 0) return;
  throw new AppError('already_started', {
    message: 'All sessions of the booking that were not cancelled have started, so that it has none to cancel.',
  });
}

/** Whether a session that may have changed is among these. */
const isKnown = ({ id, status }: BookedSession, sessions: Session[]): boolean =>
  status !== 'scheduled' || sessions.some((session) => session.id === id);

/**
 * Cancels bookings: closes the booking to payments, waits for the outcome of one in progress, stores the fee of each session,
 * cancels the sessions, then the booking. Each step is stored and idempotent; the recoverer finishes what a process left.
 */
@Injectable()
export class BookingCancellation {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly requests: BookingRequests,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The effect of `cancel` now. */
  @Serve(quoteBookingCancellation)
  async quote(
    { booking_id: id }: ParsedOf<typeof quoteBookingCancellation>,
    context: RequestContext,
  ): Promise<BookingCancellationQuote> {
    const { booking, quotes } = await this.quoted(id, context);
    requireSome(booking, quotes);
    return toBookingQuote(booking, quotes);
  }

  /** Idempotent; a booking that has ended otherwise, or has no session to come, is `invalid_state`. */
  @Serve(cancelBooking)
  async cancel(input: ParsedOf<typeof cancelBooking>, context: RequestContext): Promise<Booking> {
    const { booking, quotes } = await this.quoted(input.booking_id, context);
    if (booking.status === 'cancelled') return this.answer(booking, context);
    if (input.refund_as === 'credit' && !givesCredits(booking))
      throw new AppError('credits_not_offered', { field: 'refund_as' });
    if (context.dryRun) return this.preview(booking, quotes, context);
    if (booking.cancelling?.from) {
      // A cancellation of a part of the booking ends before one of the whole.
      const ended = await this.finish(booking, context);
      if (ended.cancelling) throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      return this.cancel(input, context);
    }
    const isBegun = booking.cancelling || (await this.bookings.findAnswer(booking, context)) !== undefined;
    if (isBegun) {
      const joined = await this.bookings.joinCancelling(context, booking._id);
      return this.answer(await this.finish(joined, context), context);
    }
    requireSome(booking, quotes);
    const at = accountTime(this.clock, context.principal.env, booking.clockOffsetMs).toISOString();
    const marked = await this.bookings.markCancelling(context, booking._id, {
      by: context.principal.accountId,
      at,
      notifyParticipants: input.notify_participants,
      reason: input.reason ?? null,
      refundAs: input.refund_as,
    });
    return this.answer(await this.finish(marked, context), context);
  }

  /** Finishes the cancellation of a booking whose process has stopped. */
  async resume(booking: BookingDocument): Promise<void> {
    if (isPaying(booking)) return;
    await this.finish(booking, systemContext(booking.cancelling!.by, this.config.SAGA_LEASE_MS));
  }

  /** Works in the name of the account that began the cancellation, which decides the fees, also when another requests it. */
  async finish(booking: BookingDocument, request: RequestContext): Promise<BookingDocument> {
    const ready = await this.paymentsEnded(booking);
    if (!ready.cancelling || isPaying(ready)) return ready;
    // The op of the request is stored by then, and would end each of these changes.
    const principal = { ...request.principal, accountId: ready.cancelling.by };
    const context = { ...request, opId: null, principal };
    const planned = ready.cancelling.sessions ? ready : await this.plan(ready, ready.cancelling, context);
    if (!planned.cancelling?.sessions || !isSameCancellation(planned, ready)) return planned;
    const requested = await this.cancelSessions(planned.cancelling.sessions, planned, context);
    const isWhole = planned.sessions.every((each) => isKnown(each, requested));
    const sessions = isWhole ? requested : await this.sessionsOf(planned, context);
    const cancelled = await this.bookings.follow(context, planned._id, (now) => {
      const over = isSameCancellation(now, planned) ? { cancelling: null, cancelReason: null } : null;
      return over && { sessions: withSessions(now, sessions), ...over };
    });
    if (!cancelled) throw new AppError('resource_not_found');
    this.requests.sendSoon(cancelled);
    return cancelled;
  }

  /** The booking once no payment is in progress, or after 2 seconds. */
  private async paymentsEnded(booking: BookingDocument): Promise<BookingDocument> {
    const endsAtMs = performance.now() + PATIENCE_MS;
    let now = booking;
    while (now.cancelling && isPaying(now) && performance.now() < endsAtMs) {
      await pause(POLL_MS);
      now = (await this.bookings.findAny(booking._id)) ?? now;
    }
    return now;
  }

  /** Stores the fees, so that a later run charges the same. */
  private async plan(
    booking: BookingDocument,
    { at, refundAs, from }: Cancelling,
    context: RequestContext,
  ): Promise<BookingDocument> {
    const quoted = await this.requestQuotes(booking, context, at);
    const isAfter = new Set(booking.sessions.flatMap(({ id, date }) => (from === undefined || date >= from ? id : [])));
    const quotes = quoted.filter(({ session_id }) => isAfter.has(session_id));
    const asCredit = refundAs === 'credit';
    const sessions = planOf(booking, quotes, asCredit ? () => newId('crd') : undefined);
    return this.bookings.planCancellation(context, booking, sessions);
  }

  private async cancelSessions(
    sessions: NonNullable<NonNullable<BookingDocument['cancelling']>['sessions']>,
    { cancelling, cancelReason }: BookingDocument,
    context: RequestContext,
  ): Promise<Session[]> {
    const cancelled: Session[] = [];
    for (let from = 0; from < sessions.length; from += CANCELLED_AT_ONCE) {
      const some = sessions.slice(from, from + CANCELLED_AT_ONCE);
      const { notifyParticipants } = cancelling!;
      const request = { sessions: some, reason: cancelReason ?? null, notifyParticipants };
      cancelled.push(...(await this.rpc.call(cancelSessions, request, context)));
    }
    return cancelled;
  }

  /**
   * A booking with the effect of its cancellation now, unless that is in progress. One that has no session to cancel may have lost
   * the last a moment ago, before the event of that came: it is answered as it is then.
   */
  private async quoted(id: string, context: RequestContext): Promise<QuotedBooking> {
    const booking = await this.bookings.getVisible(context, id);
    if (!isCancellable(booking) || (booking.cancelling && !context.dryRun)) return { booking, quotes: [] };
    const quotes = await this.requestQuotes(booking, context);
    if (quotes.length > 0 || context.dryRun) return { booking, quotes };
    const sessions = await this.sessionsOf(booking, context);
    const followed = await this.bookings.follow(context, id, (now) => {
      const known = withSessions(now, sessions);
      return known === now.sessions ? null : { sessions: known };
    });
    if (followed) this.requests.sendSoon(followed);
    return { booking: followed ?? booking, quotes };
  }

  private requestQuotes(booking: BookingDocument, context: RequestContext, at?: string): Promise<CancellationQuote[]> {
    const { freeCancellationHours } = booking.terms;
    const lateFeePercent = owesFees(booking) ? booking.terms.lateFeePercent : 0;
    const [paidCents, missedFees] = [heldCents(booking), missedFeesOf(booking.sessions)];
    const terms = { freeCancellationHours, lateFeePercent, paidCents, missedFees };
    return this.rpc.call(quoteCancellations, { bookingId: booking._id, terms, ...(at ? { at } : {}) }, context);
  }

  private async answer(booking: BookingDocument, context: RequestContext): Promise<Booking> {
    return toBooking(booking, await this.sessionsOf(booking, context));
  }

  private sessionsOf({ _id }: BookingDocument, context: RequestContext): Promise<Session[]> {
    return this.rpc.call(sessionsOfBookings, { bookingIds: [_id] }, context);
  }

  private async preview(
    stored: BookingDocument,
    quotes: CancellationQuote[],
    context: RequestContext,
  ): Promise<Booking> {
    const sessions = await this.sessionsOf(stored, context);
    const booking = { ...stored, sessions: withSessions(stored, sessions) };
    if (booking.sessions.some(({ status }) => status !== 'cancelled')) requireSome(booking, quotes);
    const cancelled = new Set(quotes.map(({ session_id }) => session_id));
    return toBooking(
      afterCancellation(booking, planOf(booking, quotes)),
      sessions.map((each) => (cancelled.has(each.id) ? { ...each, status: 'cancelled' } : each)),
    );
  }
}
