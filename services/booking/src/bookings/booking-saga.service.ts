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

type Claimant = Pick<BookingDocument, '_id' | 'accountId' | 'currency' | 'notes'>;

/** A booking that was made, with its sessions as scheduling answered them. */
export interface Made {
  booking: BookingDocument;
  sessions: Session[];
}

/** What scheduling is asked to claim for a booking, beside the rules by which it judges. */
export function claimOf(booking: Claimant, { slots, onConflict, location, holdId }: RequestedTimes) {
  const { _id: bookingId, accountId, currency } = booking;
  const sessionCount = slots.reduce((count, { sessions }) => count + sessions.length, 0);
  return {
    bookingId,
    accountId,
    currency,
    location,
    notes: notesOfSessions(booking.notes, sessionCount),
    slots,
    onConflict,
    holdId: holdId ?? null,
  };
}

/**
 * Makes a stored booking real: claim, record. Each step is idempotent, and a booking under way can be finished by anyone at
 * any time: whether its claim was confirmed is the truth, and what is not known is asked, never guessed.
 */
@Injectable()
export class BookingSaga {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Runs the saga of a booking just stored `claiming`. An error by scheduling ends it; a failure leaves it to the
   * recoverer, or to the same request made again.
   */
  async run(booking: BookingDocument, rules: TeachingRules, context: RequestContext): Promise<Made> {
    const claimed = await this.claim(booking, rules, context);
    return { booking: await this.bookings.markBooked(context, booking, claimed), sessions: claimed.sessions };
  }

  /**
   * Brings a booking under way to its end: forward when its claim was confirmed, otherwise it fails without a verdict, and
   * its claim can't be confirmed any more.
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
   * What became of the booking that an earlier run of this request began: the booking when it was made, null when
   * nothing came of it. Throws the error by which it failed.
   */
  async resume(bookingId: string, context: RequestContext): Promise<BookingDocument | null> {
    const found = await this.bookings.findAny(context.principal.env, bookingId);
    const booking = found?.status === 'claiming' ? await this.resolve(found, context) : found;
    // Somebody else has taken it over in this very moment, and will end it.
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

  /** What the claim has made; null when it was not confirmed. */
  private async findClaimed({ _id }: BookingDocument, context: RequestContext): Promise<Claimed | null> {
    try {
      return await this.rpc.call(confirmBooking, { bookingId: _id }, context);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'invalid_state') return null;
      throw error;
    }
  }
}
