import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import {
  claimBooking,
  confirmBooking,
  type ErrorBody,
  type InputOf,
  type PlacedMember,
  releaseBooking,
  type Session,
  type TeachingRules,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { AppError, isServerFault, LOGGER, type Logger, type RequestContext, systemContext } from '@swim/platform';
import { CreditsService } from '../../credits/credits.service.js';
import type { DraftDocument, NewDraft, OpenDraft, RequestedTimes } from '../drafts/draft.schema.js';
import { DraftsRepository, isOpen } from '../drafts/drafts.repository.js';
import { BookingRequests } from '../following/booking-requests.service.js';
import { notesOfSessions } from '../request/booking.rules.js';
import type { BookingDocument } from '../storage/booking.schema.js';
import { BookingsRepository, type Claimed } from '../storage/bookings.repository.js';

// A run that is superseded each time is not the one that makes the booking.
const MOST_RUNS = 5;

/** A booking that was made, with its sessions from scheduling. */
export interface Made {
  booking: BookingDocument;
  sessions: Session[];
}

/** The facts by which scheduling decides a claim, beside the draft: they are read for each request and not stored. */
export interface ClaimTerms {
  rules: TeachingRules;
  /** Present where places in lessons are booked. */
  members?: PlacedMember[];
  /** Why the school has set prices, by the requested dates. */
  priceReasons?: ReadonlyMap<string, string>;
  /** Present where one session was requested by itself. */
  single?: InputOf<typeof claimBooking>['single'];
}

/** The input of scheduling's claim for a booking. */
export function claimOf(
  { _id: bookingId, accountId, booking, times }: NewDraft,
  { priceReasons, ...decided }: ClaimTerms,
) {
  const { slots, onConflict, location, holdId } = times;
  const sessionCount = slots.reduce((count, { sessions }) => count + sessions.length, 0);
  return {
    bookingId,
    accountId,
    ...(booking.enrollment ? { classId: booking.enrollment.classId } : {}),
    terms: booking.terms,
    currency: booking.currency,
    location,
    notes: notesOfSessions(booking.notes, sessionCount),
    slots: slots.map(({ instructorId: _, ...slot }) => ({ ...slot, priceReason: priceReasons?.get(slot.date) })),
    onConflict,
    holdId,
    ...decided,
  };
}

/**
 * Makes the booking of a stored draft: claims its times, stores the booking, publishes its first events, ends the draft. Each step is
 * idempotent, and any process may finish a draft in progress: it requests from scheduling whether the claim was confirmed, and never
 * assumes it.
 */
@Injectable()
export class BookingSaga implements BeforeApplicationShutdown {
  @Inject(LOGGER) private readonly logger!: Logger;
  /** Bookings whose first events this process is publishing. */
  private readonly publishing = new Map<string, Promise<void>>();

  constructor(
    private readonly drafts: DraftsRepository,
    private readonly bookings: BookingsRepository,
    private readonly rpc: RpcClient,
    private readonly credits: CreditsService,
    private readonly requests: BookingRequests,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.publishing.values());
    await this.drafts.flush();
  }

  /**
   * Runs the saga of a draft just stored as `claiming`. A rejection by scheduling ends it; after a failure the recoverer, or the
   * repeated request, finishes it.
   */
  async run(draft: OpenDraft, terms: ClaimTerms, context: RequestContext): Promise<Made> {
    await this.requireCredit(draft, context);
    const claimed = await this.claim(draft, terms, context);
    return { booking: await this.book(draft, claimed, context), sessions: claimed.sessions };
  }

  /**
   * The result of an earlier run of this request: the booking when it was made, null when there is none. Throws the error by
   * which it failed.
   */
  async resume(bookingId: string, context: RequestContext): Promise<BookingDocument | null> {
    const made = await this.bookings.findAny(bookingId);
    if (made) return made;
    const found = await this.drafts.find(bookingId);
    if (!found) return null;
    if (found.state === 'claiming' && isOpen(found)) {
      const booking = await this.resolve(found, context);
      if (booking) return booking;
    }
    return this.endOf(bookingId);
  }

  /** Recovers a draft that was taken over: one whose booking is made is published and ended. */
  async recover(draft: OpenDraft, context: RequestContext): Promise<void> {
    if (this.publishing.has(draft._id)) return;
    const booking = await this.bookings.findAny(draft._id);
    if (!booking) return void (await this.resolve(draft, context));
    const made = await this.findOpen(draft);
    if (made) await this.finish(made, booking, this.bookings.publishMade(context, made, booking));
  }

  /**
   * Ends a draft in progress: makes its booking when its claim was confirmed; otherwise it fails without a rejection, its claim can no
   * longer be confirmed, and there is no booking.
   */
  private async resolve(draft: OpenDraft, context: RequestContext): Promise<BookingDocument | null> {
    const claimed = (await this.findClaimed(draft, context)) ?? (await this.release(draft, context));
    if (claimed) {
      const confirmed = await this.findOpen(draft);
      return confirmed && this.book(confirmed, claimed, context);
    }
    await this.fail(draft, null, context);
    return null;
  }

  /**
   * A draft as it is now that its claim is confirmed; null when it has ended. Its request, repeated, may have started it over with other
   * content since this run has read it, but before it sent that claim.
   */
  private async findOpen({ _id }: DraftDocument): Promise<OpenDraft | null> {
    const now = await this.drafts.find(_id);
    return now && isOpen(now) ? now : null;
  }

  /** How a draft has ended, once it has; as `resume`. */
  private async endOf(bookingId: string): Promise<BookingDocument | null> {
    const draft = await this.drafts.find(bookingId);
    if (draft?.rejection) throw AppError.fromBody(JSON.parse(draft.rejection) as ErrorBody);
    if (!draft || draft.state === 'failed') return null;
    const booking = await this.bookings.findAny(bookingId);
    if (booking) return booking;
    // Another process has just taken it over, and will end it.
    throw new AppError('unavailable', { retryAfterSeconds: 1 });
  }

  /** Reserves the credit before the claim, which decides: a booking whose credit is spent fails. */
  private async requireCredit(draft: OpenDraft, context: RequestContext): Promise<void> {
    const { creditId } = draft.booking;
    // Lessons that cost nothing use nothing of it.
    if (!creditId || priceOf(draft) === 0 || (await this.reserve(draft, context)) > 0) return;
    try {
      await this.credits.requireLeft(creditId, context);
    } catch (error) {
      await this.fail(draft, isFinal(error) ? error.toBody() : null, context);
      throw error;
    }
  }

  private reserve(draft: OpenDraft, context: RequestContext): Promise<number> {
    const { _id: bookingId, attempt, booking } = draft;
    const requestedCents = priceOf(draft);
    if (!booking.creditId || requestedCents === 0) return Promise.resolve(0);
    return this.credits.reserve(booking.creditId, { bookingId, attempt, requestedCents }, context);
  }

  /** Makes the booking of a draft whose claim is confirmed, also when it failed meanwhile without a rejection. */
  private async book(draft: OpenDraft, claimed: Claimed, context: RequestContext): Promise<BookingDocument> {
    const decided = draft.booking.creditId ? await this.withCredit(draft, context) : draft;
    const { creditedCents = 0 } = decided;
    const { booking, published } = await this.bookings.insertMade(context, decided, claimed, creditedCents);
    return this.finish(decided, booking, published);
  }

  /** The draft with what its makeup credit pays: the reservation of the latest run decides, once. */
  private async withCredit(draft: OpenDraft, context: RequestContext): Promise<OpenDraft> {
    let now = draft;
    for (let run = 0; run < MOST_RUNS; run++) {
      if (now.creditedCents !== undefined) return now;
      // The reservation of a draft that has failed may be released already.
      const reservedCents = now.state === 'claiming' ? await this.reserve(now, context) : 0;
      const decided = await this.drafts.decideCredit(now, reservedCents);
      // Another run has made the booking.
      if (!decided || !isOpen(decided)) break;
      now = decided;
    }
    throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
  }

  /** What follows once a booking is stored. Recovery repeats what fails, since the draft does not end then. */
  private async finish(draft: OpenDraft, booking: BookingDocument, published: Promise<void>): Promise<BookingDocument> {
    const cleared = this.clearErased(draft);
    this.endOnce(Promise.all([published, cleared]), draft._id);
    this.requests.sendSoon(booking);
    // The booking is made, whatever becomes of its texts.
    const isCleared = await cleared.catch(() => false);
    return (isCleared && (await this.bookings.findAny(booking._id))) || booking;
  }

  /** Removes the texts of a booking that its draft has lost to an erasure; whether it had lost them. */
  private async clearErased(draft: OpenDraft): Promise<boolean> {
    if (!(await this.drafts.areTextsErased(draft))) return false;
    await this.bookings.clearNotes(systemContext(draft.accountId), draft._id);
    return true;
  }

  private endOnce(done: Promise<unknown>, bookingId: string): void {
    const ended = done
      .then(() => this.drafts.markMade(bookingId))
      .catch((error) => {
        this.drafts.noteFailing();
        this.logger.warn({ err: error, bookingId }, 'draft not ended yet');
      })
      .finally(() => this.publishing.delete(bookingId));
    this.publishing.set(bookingId, ended);
  }

  /** Ends a draft whose booking was not made, and what it has reserved; the credit's recoverer does the latter after a crash. */
  private async fail(draft: OpenDraft, rejection: ErrorBody | null, context: RequestContext): Promise<void> {
    const { creditId } = draft.booking;
    const failed = await this.drafts.markFailed(draft, rejection);
    if (creditId && failed.state === 'failed')
      await this.credits.release(creditId, failed._id, failed.attempt, context);
  }

  private async claim(
    draft: OpenDraft,
    terms: ClaimTerms,
    context: RequestContext,
  ): Promise<Claimed & { sessions: Session[] }> {
    const { attempt } = draft;
    try {
      const input = { ...claimOf(draft, terms), attempt, dryRun: false };
      const { sessions, skipped } = await this.rpc.call(claimBooking, input, context);
      if (!sessions) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      return { sessions, skipped };
    } catch (error) {
      if (isFinal(error)) await this.fail(draft, error.toBody(), context);
      throw error;
    }
  }

  /** Releases the claim, which can then no longer be confirmed: null. The sessions when it was confirmed meanwhile. */
  private async release({ _id: bookingId, attempt }: DraftDocument, context: RequestContext): Promise<Claimed | null> {
    const { state } = await this.rpc.call(releaseBooking, { bookingId, attempt }, context);
    return state === 'released' ? null : this.rpc.call(confirmBooking, { bookingId }, context);
  }

  /** The sessions of the claim; null when it was not confirmed. */
  private async findClaimed({ _id }: DraftDocument, context: RequestContext): Promise<Claimed | null> {
    try {
      return await this.rpc.call(confirmBooking, { bookingId: _id }, context);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'invalid_state') return null;
      throw error;
    }
  }
}

/**
 * Whether a repetition of the request is rejected as well. `change_in_progress` asks for one: scheduling may also throw it after it has
 * confirmed a claim.
 */
const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && !isServerFault(error) && error.reason !== 'change_in_progress';

/** The prices of the requested lessons. */
const priceOf = ({ times }: { times: RequestedTimes }): number =>
  times.slots.reduce((sum, { priceCents, sessions }) => sum + priceCents * sessions.length, 0);
