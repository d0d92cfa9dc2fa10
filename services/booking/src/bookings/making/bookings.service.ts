import { Inject, Injectable } from '@nestjs/common';
import {
  type Booking,
  claimBooking,
  createBooking,
  type DescribedLesson,
  describeLessons,
  describeParticipants,
  expand,
  getBooking,
  lessonsRejection,
  listBookings,
  listPaymentMethods,
  type Page,
  type ParsedOf,
  type Participants,
  type Session,
  sessionsOfBookings,
  teachingRulesOf,
  teachingWarnings,
  updateBooking,
} from '@swim/contracts';
import { ownerContext, RpcClient, Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, CONFIG, type RequestContext } from '@swim/platform';
import type { Config } from '../../config.js';
import { CreditsService } from '../../credits/credits.service.js';
import type { NewDraft, StoredEnrollment } from '../drafts/draft.schema.js';
import { DraftsRepository, isOpen } from '../drafts/drafts.repository.js';
import { newDraft } from '../drafts/new-draft.js';
import { ErasureService } from '../following/erasure.service.js';
import { type BookingInput, batchesOf, findRejection } from '../request/booking.rules.js';
import { throwRejection } from '../request/rejection.js';
import { toBooking, toDryRunResult } from '../storage/booking.mapper.js';
import type { BookingDocument } from '../storage/booking.schema.js';
import { changeOf } from '../storage/booking-storage.repository.js';
import { BookingsRepository } from '../storage/bookings.repository.js';
import { firstBookingOf, sessionsOf } from '../storage/drafted-booking.rules.js';
import { type MovementsRange, MovementsRepository, type SummedMovements } from '../storage/movements.repository.js';
import { BookingSaga, type ClaimTerms, claimOf, type Made } from './booking-saga.service.js';

// A wallet has at most half as many.
const MOST_METHODS = 100;

/** Use cases of bookings. */
@Injectable()
export class BookingsService {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(CONFIG) private readonly config!: Config;
  @Inject(MovementsRepository) private readonly movements!: MovementsRepository;
  @Inject(DraftsRepository) private readonly drafts!: DraftsRepository;

  constructor(
    private readonly bookings: BookingsRepository,
    private readonly saga: BookingSaga,
    private readonly rpc: RpcClient,
    private readonly erasure: ErasureService,
    private readonly credits: CreditsService,
  ) {}

  /** Books all dates or none; with `on_conflict: skip` the free ones. */
  @Serve(createBooking)
  async create(
    requested: ParsedOf<typeof createBooking>,
    request: RequestContext,
    enrollment?: StoredEnrollment,
  ): Promise<Booking> {
    const context = { ...request, isQuiet: !requested.notify_participants };
    const id = context.newId('bkg');
    // The lessons of the booking may have been cancelled since.
    const made = requested.lesson_ids && context.resumed ? await this.saga.resume(id, context) : null;
    if (made) return this.answer(made, context);
    const input = requested.lesson_ids
      ? await this.withLessons(requested, requested.lesson_ids, context)
      : withTimes(requested, context);
    const participants = await this.rpc.call(
      describeParticipants,
      {
        instructorId: input.instructor_id,
        memberIds: input.member_ids,
        ...(input.lessons ? { withAges: true } : {}),
      },
      context,
    );
    const dates = input.sessions.map(({ date }) => date);
    context.warnings.push(...teachingWarnings(participants, dates));
    const earlier = context.resumed ? await this.saga.resume(id, context) : null;
    if (earlier) return this.answer(earlier, context);
    const rejection = findRejection({
      input,
      participants,
      makerId: context.principal.accountId,
      now: accountTime(this.clock, context.principal.env, participants.clockOffsetMs),
    });
    if (rejection) throwRejection(rejection);
    await this.requireOwnMethod(input.payment_method_id, participants.members[0]!.accountId, context);
    const terms = termsOfClaim(input, participants);
    const fresh = newDraft(id, { ...input, enrollment }, participants, context);
    const { creditId } = fresh.booking;
    const spendableCents = creditId ? await this.credits.spendableCents(creditId, purposeOf(fresh), context) : 0;
    if (context.dryRun) return this.validateOnly({ fresh, terms, spendableCents }, context);
    const { booking, sessions } = await this.make(fresh, terms, context);
    return toBooking(booking, sessions);
  }

  /** Makes the booking of a valid request. */
  async make(fresh: NewDraft, terms: ClaimTerms, context: RequestContext): Promise<Made> {
    const draft = await this.drafts.begin(context, fresh);
    // Another process has finished this booking meanwhile: the repeated request returns the result.
    if (draft.state !== 'claiming' || !isOpen(draft)) throw new AppError('unavailable', { retryAfterSeconds: 1 });
    await this.erasure.rejectErased(draft, context);
    return this.saga.run(draft, terms, context);
  }

  /** The booking that an earlier run of this request has made; null when there is none. Throws the error by which it failed. */
  resume(id: string, context: RequestContext): Promise<BookingDocument | null> {
    return this.saga.resume(id, context);
  }

  private async withLessons(
    requested: ParsedOf<typeof createBooking>,
    lessonIds: string[],
    context: RequestContext,
  ): Promise<BookingInput> {
    const lessons = await this.rpc.call(describeLessons, { lessonIds, holdId: requested.hold_id }, context);
    const rejection = lessonsRejection(lessons, requested);
    if (rejection) throwRejection(rejection);
    const known = lessons as DescribedLesson[];
    const sessions = known.map(({ date, durationMinutes }) => ({ date, duration_minutes: durationMinutes }));
    return { ...requested, instructor_id: known[0]!.instructorId, sessions, lessons: known };
  }

  /**
   * Rejects a payment method that is not in the wallet of the booking's account, which alone sets one; sends a request to payment only
   * when one is given.
   */
  private async requireOwnMethod(
    methodId: string | null | undefined,
    payerId: string,
    context: RequestContext,
  ): Promise<void> {
    if (!methodId) return;
    const wallet = { account_id: payerId, limit: MOST_METHODS };
    const payer = await ownerContext(this.rpc, payerId, context);
    const { items } = payer ? await this.rpc.call(listPaymentMethods, wallet, payer) : { items: [] };
    if (!items.some(({ id }) => id === methodId)) throw new AppError('not_found', { field: 'payment_method_id' });
  }

  @Serve(getBooking)
  async get({ booking_id: id }: ParsedOf<typeof getBooking>, context: RequestContext): Promise<Booking> {
    return this.answer(await this.bookings.getVisible(context, id), context);
  }

  /** Changes notes and metadata, and the family's consent. */
  @Serve(updateBooking)
  async update(
    { booking_id: id, changes }: ParsedOf<typeof updateBooking>,
    requesting: RequestContext,
  ): Promise<Booking> {
    const now = await this.bookings.getVisible(requesting, id);
    const { payment_method_id: methodId = now.paymentMethodId } = changes;
    const isConsent = methodId !== now.paymentMethodId;
    const context = isConsent ? await ownerContext(this.rpc, now.accountId, requesting) : requesting;
    if (!context) throw new AppError('read_only', { field: 'payment_method_id' });
    if (isConsent) await this.requireOwnMethod(methodId, now.accountId, context);
    if (context.dryRun) return this.answer({ ...now, ...changeOf(now, changes, this.clock.now()) }, context);
    // Nothing is stored about a member that is erased already; the check after the write finds one that was erased meanwhile.
    if (await this.erasure.clearLate(now, context)) return this.get({ booking_id: id }, context);
    const changed = await this.bookings.changeOwn(context, now, changes);
    const isCleared = await this.erasure.clearLate(changed, context);
    return isCleared ? this.get({ booking_id: id }, context) : this.answer(changed, context);
  }

  @Serve(listBookings)
  async list(query: ParsedOf<typeof listBookings>, context: RequestContext): Promise<Page<Booking>> {
    const { accountId } = context.principal;
    if ((query.account_id ?? accountId) !== accountId) throw new AppError('foreign_account');
    const { items, pagination } = await this.bookings.listVisible(context, listBookings.name, query);
    const sessions = Map.groupBy(await this.sessionsOf(items, context), (session) => session.booking_id);
    return { items: items.map((booking) => toBooking(booking, sessions.get(booking._id) ?? [])), pagination };
  }

  /** The movements of money in a range of time, of the bookings in a currency with the account's school. */
  sumMovements(range: MovementsRange, context: RequestContext): Promise<SummedMovements[]> {
    return this.movements.sum(context, range);
  }

  private async answer(booking: BookingDocument, context: RequestContext): Promise<Booking> {
    return toBooking(booking, await this.sessionsOf([booking], context));
  }

  private async validateOnly({ fresh, terms, spendableCents }: Validated, context: RequestContext): Promise<Booking> {
    const claim = await this.rpc.call(claimBooking, { ...claimOf(fresh, terms), dryRun: true }, context);
    const now = this.clock.now();
    const first = firstBookingOf(fresh, {
      sessions: sessionsOf(fresh, claim.sessionIds),
      skipped: claim.skipped,
      creditedCents: spendableCents,
      payUntil: new Date(now.getTime() + this.config.PREPAYMENT_MINUTES * 60_000),
      at: now.toISOString(),
      requestedAt: now,
      requestsAt: now,
    });
    return toDryRunResult(first, now);
  }

  private async sessionsOf(bookings: BookingDocument[], context: RequestContext): Promise<Session[]> {
    const batches = batchesOf(bookings).map((batch) => batch.map(({ _id }) => _id));
    const found = await Promise.all(
      batches.map((bookingIds) => this.rpc.call(sessionsOfBookings, { bookingIds }, context)),
    );
    return found.flat();
  }
}

/** A valid request that is not to be stored. */
interface Validated {
  fresh: NewDraft;
  terms: ClaimTerms;
  /** The amount that its makeup credit can pay. */
  spendableCents: number;
}

/** The request with the times of its recurrence; warns the client of those that a change of the clocks concerns. */
function withTimes(requested: ParsedOf<typeof createBooking>, context: RequestContext): BookingInput {
  const { sessions, recurrence } = requested;
  const instructor_id = requested.instructor_id!;
  if (!recurrence) return { ...requested, instructor_id, sessions: sessions! };
  const expanded = expand(recurrence);
  if ('reason' in expanded) return throwRejection(expanded);
  context.warnings.push(...expanded.warnings);
  const { price_cents, price_reason } = recurrence;
  return {
    ...requested,
    instructor_id,
    sessions: expanded.sessions.map((session) => ({ ...session, price_cents, price_reason })),
  };
}

/** The facts by which scheduling decides the claim. */
function termsOfClaim({ lessons, sessions }: BookingInput, participants: Participants): ClaimTerms {
  const rules = teachingRulesOf(participants.instructor!, participants);
  const reasons = sessions.flatMap(({ date, price_reason: reason }) => (reason ? [[date, reason] as const] : []));
  if (!lessons) return { rules, priceReasons: new Map(reasons) };
  const members = participants.members.map((member) => {
    const { id, level, dateOfBirth } = member!;
    return { id, level, dateOfBirth: dateOfBirth! };
  });
  return { rules, members };
}

const purposeOf = ({ accountId, booking: { schoolId, currency } }: NewDraft) => ({ accountId, schoolId, currency });
