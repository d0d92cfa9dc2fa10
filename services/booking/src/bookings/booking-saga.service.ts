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
import { notesOfSessions } from './booking.rules.js';
import type { BookingDocument, RequestedTimes } from './booking.schema.js';
import { BookingsRepository, type Claimed } from './bookings.repository.js';

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
  ) {}

  /**
   * Runs the saga of a booking just stored as `claiming`. A rejection by scheduling ends it; after a failure the recoverer, or
   * the repeated request, finishes it.
   */
  async run(booking: BookingDocument, rules: TeachingRules, context: RequestContext): Promise<Made> {
    const claimed = await this.claim(booking, rules, context);
    return { booking: await this.bookings.markBooked(context, booking, claimed), sessions: claimed.sessions };
  }

  /**
   * Ends a booking in progress: makes it when its claim was confirmed; otherwise it fails without a rejection, and its claim
   * can no longer be confirmed.
   */
  async resolve(booking: BookingDocument, context: RequestContext): Promise<BookingDocument> {
    const { _id: bookingId, attempt } = booking;
    const claimed = await this.findClaimed(booking, context);
    if (claimed) return this.bookings.markBooked(context, booking, claimed);
    const { state } = await this.rpc.call(releaseBooking, { bookingId, attempt }, context);
    if (state === 'released') return this.bookings.markFailed(context, booking, null);
    return this.bookings.markBooked(context, booking, await this.rpc.call(confirmBooking, { bookingId }, context));
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
    if (booking?.refusal) throw AppError.fromBody(JSON.parse(booking.refusal) as ErrorBody);
    return booking?.status === 'failed' ? null : booking;
  }

  private async claim(
    booking: BookingDocument,
    rules: TeachingRules,
    context: RequestContext,
  ): Promise<Claimed & { sessions: Session[] }> {
    const { attempt } = booking;
    try {
      const input = { ...claimOf(booking, booking.asked!), attempt, rules, dryRun: false };
      const { sessions, skipped } = await this.rpc.call(claimBooking, input, context);
      if (!sessions) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      return { sessions, skipped };
    } catch (error) {
      if (!isServerFault(error)) await this.bookings.markFailed(context, booking, (error as AppError).toBody());
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
