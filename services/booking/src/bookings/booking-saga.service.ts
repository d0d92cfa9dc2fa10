import { Injectable } from '@nestjs/common';
import {
  claimBooking,
  confirmBooking,
  type ErrorBody,
  releaseBooking,
  type Session,
  type TeachingRules,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { AppError, isServerFault, type RequestContext } from '@swim/platform';
import { CreditsService } from '../credits/credits.service.js';
import { notesOfSessions } from './booking.rules.js';
import type { BookingDocument, RequestedTimes } from './booking.schema.js';
import { BookingRequests } from './booking-requests.service.js';
import { BookingsRepository, type Claimed } from './bookings.repository.js';

// A run that is superseded each time is not the one that makes the booking.
const MOST_RUNS = 5;

type Claimant = Pick<BookingDocument, '_id' | 'accountId' | 'currency' | 'notes' | 'terms'>;

/** A booking that was made, with its sessions from scheduling. */
export interface Made {
  booking: BookingDocument;
  sessions: Session[];
}

/** The input of scheduling's claim for a booking, beside the rules. */
export function claimOf(booking: Claimant, { slots, onConflict, location, holdId }: RequestedTimes) {
  const { _id: bookingId, accountId, currency } = booking;
  const sessionCount = slots.reduce((count, { sessions }) => count + sessions.length, 0);
  return {
    bookingId,
    accountId,
    ...(booking.terms ? { terms: booking.terms } : {}),
    currency,
    location,
    notes: notesOfSessions(booking.notes, sessionCount),
    slots,
    onConflict,
    holdId: holdId ?? null,
  };
}

/**
 * Makes a stored booking: claims its times, then records the result. Each step is idempotent, and any process may finish a
 * booking in progress: it requests from scheduling whether the claim was confirmed, and never assumes it.
 */
@Injectable()
export class BookingSaga {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly rpc: RpcClient,
    private readonly credits: CreditsService,
    private readonly requests: BookingRequests,
  ) {}

  /**
   * Runs the saga of a booking just stored as `claiming`. A rejection by scheduling ends it; after a failure the recoverer, or
   * the repeated request, finishes it.
   */
  async run(booking: BookingDocument, rules: TeachingRules, context: RequestContext): Promise<Made> {
    await this.requireCredit(booking, context);
    const claimed = await this.claim(booking, rules, context);
    return { booking: await this.book(booking, claimed, context), sessions: claimed.sessions };
  }

  /** Reserves the credit before the claim, which decides: a booking whose credit is spent fails. */
  private async requireCredit(booking: BookingDocument, context: RequestContext): Promise<void> {
    const { creditId } = booking;
    // Lessons that cost nothing use nothing of it.
    if (!creditId || priceOf(booking) === 0 || (await this.reserve(booking, context)) > 0) return;
    try {
      await this.credits.requireLeft(creditId, context);
    } catch (error) {
      // A retry of `change_in_progress` makes sense.
      const isFinal = error instanceof AppError && error.reason === 'invalid_state';
      await this.fail(booking, isFinal ? error.toBody() : null, context);
      throw error;
    }
  }

  private reserve(booking: BookingDocument, context: RequestContext): Promise<number> {
    const { _id: bookingId, attempt, creditId } = booking;
    const requestedCents = priceOf(booking);
    if (!creditId || requestedCents === 0) return Promise.resolve(0);
    return this.credits.reserve(creditId, { bookingId, attempt, requestedCents }, context);
  }

  /** Makes a booking whose claim is confirmed; what it reserves of a credit counts for the latest run only. */
  private async book(booking: BookingDocument, claimed: Claimed, context: RequestContext): Promise<BookingDocument> {
    let now = booking;
    for (let run = 0; run < MOST_RUNS; run++) {
      now = await this.bookings.markBooked(context, now, claimed, await this.reserve(now, context));
      if (now.status === 'claiming') continue;
      this.requests.sendSoon(context.principal.env, now);
      return now;
    }
    throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
  }

  /** Ends a booking that was not made, and what it has reserved; the credit's recoverer does the latter after a crash. */
  private async fail(
    booking: BookingDocument,
    rejection: ErrorBody | null,
    context: RequestContext,
  ): Promise<BookingDocument> {
    const failed = await this.bookings.markFailed(context, booking, rejection);
    if (failed.creditId && failed.status === 'failed')
      await this.credits.release(failed.creditId, failed._id, failed.attempt, context);
    return failed;
  }

  /**
   * Ends a booking in progress: makes it when its claim was confirmed; otherwise it fails without a rejection, and its claim
   * can no longer be confirmed.
   */
  async resolve(booking: BookingDocument, context: RequestContext): Promise<BookingDocument> {
    const { _id: bookingId, attempt } = booking;
    const claimed = await this.findClaimed(booking, context);
    if (claimed) return this.book(booking, claimed, context);
    const { state } = await this.rpc.call(releaseBooking, { bookingId, attempt }, context);
    if (state === 'released') return this.fail(booking, null, context);
    return this.book(booking, await this.rpc.call(confirmBooking, { bookingId }, context), context);
  }

  /**
   * The result of an earlier run of this request: the booking when it was made, null when there is none. Throws the error by
   * which it failed.
   */
  async resume(bookingId: string, context: RequestContext): Promise<BookingDocument | null> {
    const found = await this.bookings.findAny(context.principal.env, bookingId);
    const booking = found?.status === 'claiming' ? await this.resolve(found, context) : found;
    // Another process has just taken it over, and will end it.
    if (booking?.status === 'claiming') throw new AppError('unavailable', { retryAfterSeconds: 1 });
    if (booking?.rejection) throw AppError.fromBody(JSON.parse(booking.rejection) as ErrorBody);
    return booking?.status === 'failed' ? null : booking;
  }

  private async claim(
    booking: BookingDocument,
    rules: TeachingRules,
    context: RequestContext,
  ): Promise<Claimed & { sessions: Session[] }> {
    const { attempt } = booking;
    try {
      const input = { ...claimOf(booking, booking.requested!), attempt, rules, dryRun: false };
      const { sessions, skipped } = await this.rpc.call(claimBooking, input, context);
      if (!sessions) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      return { sessions, skipped };
    } catch (error) {
      if (!isServerFault(error)) await this.fail(booking, (error as AppError).toBody(), context);
      throw error;
    }
  }

  /** The sessions of the claim; null when it was not confirmed. */
  private async findClaimed({ _id }: BookingDocument, context: RequestContext): Promise<Claimed | null> {
    try {
      return await this.rpc.call(confirmBooking, { bookingId: _id }, context);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'invalid_state') return null;
      throw error;
    }
  }
}

/** What the requested lessons cost; 0 once the booking is made or has failed. */
const priceOf = ({ requested }: BookingDocument): number =>
  (requested?.slots ?? []).reduce((sum, { priceCents, sessions }) => sum + priceCents * sessions.length, 0);
