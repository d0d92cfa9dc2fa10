import { Injectable } from '@nestjs/common';
import {
  claimBooking,
  confirmBooking,
  type ErrorBody,
  releaseBooking,
  type Session,
  type TeachingRules,
} from '@swim/contracts';
import { type Call, RpcClient } from '@swim/messaging';
import { AppError, isServerFault } from '@swim/platform';
import { notesOfSessions } from './booking.rules.js';
import type { AskedTimes, BookingDocument } from './booking.schema.js';
import { BookingsRepository } from './bookings.repository.js';

type Claimant = Pick<BookingDocument, '_id' | 'accountId' | 'currency' | 'notes'>;

/** A booking that was made, with its sessions as scheduling answered them. */
export interface Made {
  booking: BookingDocument;
  sessions: Session[];
}

type Skipped = NonNullable<BookingDocument['skipped']>;

/** What scheduling is asked to claim for a booking, beside the rules by which it judges. */
export function claimOf(booking: Claimant, { slots, onConflict, location, holdId }: AskedTimes) {
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

// Which dates were skipped, and why, is only told by the answer to the claim: where it was lost, nothing was promised.
const mayConfirm = ({ asked, skipped }: BookingDocument): boolean => asked?.onConflict !== 'skip' || skipped !== null;

/**
 * Makes a stored booking real: claim, confirm, record. Each step is idempotent, and a booking under way can be finished
 * by anyone at any time: whether its claim was confirmed is the truth, and what is not known is asked, never guessed.
 */
@Injectable()
export class BookingSaga {
  constructor(
    private readonly bookings: BookingsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Runs the saga of a booking just stored `claiming`. A refusal by scheduling ends it; a failure leaves it to the
   * recoverer, or to the same request made again.
   */
  async run(booking: BookingDocument, rules: TeachingRules, call: Call): Promise<Made> {
    const skipped = await this.claim(booking, rules, call);
    if (booking.asked!.onConflict === 'skip') await this.bookings.markSkipped(call, booking._id, skipped);
    const sessions = await this.confirm(booking, call);
    if (!sessions) throw new AppError('unavailable', { retryAfterSeconds: 1 });
    return { booking: await this.bookings.markBooked(call, booking._id, sessions), sessions };
  }

  /** Brings a booking under way to its end: forward when its claim holds, otherwise it fails without a verdict. */
  async settle(booking: BookingDocument, call: Call): Promise<BookingDocument> {
    const sessions = mayConfirm(booking) ? await this.confirm(booking, call) : null;
    if (sessions) return this.bookings.markBooked(call, booking._id, sessions);
    const { state } = await this.rpc.call(releaseBooking, { bookingId: booking._id }, call);
    if (state === 'released') return this.bookings.markFailed(call, booking, null);
    const confirmed = await this.rpc.call(confirmBooking, { bookingId: booking._id }, call);
    return this.bookings.markBooked(call, booking._id, confirmed.sessions);
  }

  /**
   * What became of the booking that an earlier run of this request began: the booking when it was made, null when
   * nothing came of it. Throws the refusal by which it failed.
   */
  async resume(bookingId: string, call: Call): Promise<BookingDocument | null> {
    const found = await this.bookings.findAny(call.principal.env, bookingId);
    const booking = found?.status === 'claiming' ? await this.settle(found, call) : found;
    // Somebody else has taken it over in this very moment, and will end it.
    if (booking?.status === 'claiming') throw new AppError('unavailable', { retryAfterSeconds: 1 });
    if (booking?.refusal) throw AppError.fromBody(JSON.parse(booking.refusal) as ErrorBody);
    return booking?.status === 'failed' ? null : booking;
  }

  private async claim(booking: BookingDocument, rules: TeachingRules, call: Call): Promise<Skipped> {
    try {
      return (await this.rpc.call(claimBooking, { ...claimOf(booking, booking.asked!), rules, dryRun: false }, call))
        .skipped;
    } catch (error) {
      if (!isServerFault(error)) await this.bookings.markFailed(call, booking, (error as AppError).toBody());
      throw error;
    }
  }

  /** The sessions of the claim, made final; null when it no longer holds, or never did. */
  private async confirm({ _id }: BookingDocument, call: Call): Promise<Session[] | null> {
    try {
      return (await this.rpc.call(confirmBooking, { bookingId: _id }, call)).sessions;
    } catch (error) {
      if (error instanceof AppError && error.reason === 'invalid_state') return null;
      throw error;
    }
  }
}
