import { Injectable } from '@nestjs/common';
import {
  bookingOfEnrollment,
  createBooking,
  createEnrollment,
  type DescribedClass,
  describeClass,
  describeParticipants,
  type Enrollment,
  endEnrollment,
  getEnrollment,
  listClassEnrollments,
  listEnrollments,
  type Page,
  type ParsedOf,
  suggestClasses,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { WhenDue } from '@swim/mongo';
import { AppError, accountTime, Clock, invalidState, type RequestContext } from '@swim/platform';
import { Temporal } from 'temporal-polyfill';
import type { StoredEnrollment } from '../drafts/draft.schema.js';
import { BookingCancellation } from '../ending/booking-cancellation.service.js';
import { BookingsService } from '../making/bookings.service.js';
import type { BookingDocument } from '../storage/booking.schema.js';
import { givesCredits } from '../storage/booking-cancellation.rules.js';
import { BookingsRepository } from '../storage/bookings.repository.js';
import { enrollmentOf, statusOfEnrollment, toEnrollment } from '../storage/enrollment.mapper.js';

type Requested = ParsedOf<typeof createEnrollment>;
type Ending = ParsedOf<typeof endEnrollment>;

/** Enrollments in classes: each is one booking of lessons, which decides its status. */
@Injectable()
export class EnrollmentsService {
  constructor(
    readonly bookings: BookingsRepository,
    private readonly making: BookingsService,
    private readonly cancellation: BookingCancellation,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  @Serve(createEnrollment)
  async create(input: Requested, context: RequestContext): Promise<Enrollment> {
    const id = context.newId('bkg');
    try {
      // The lessons of the class have the member by now.
      const made = context.resumed ? await this.making.resume(id, context) : null;
      return made ? toEnrollment(made) : await this.enroll(input, context);
    } catch (error) {
      throw await this.rejectionOf(error, input, context);
    }
  }

  @Serve(getEnrollment)
  async get({ enrollment_id: id }: ParsedOf<typeof getEnrollment>, context: RequestContext): Promise<Enrollment> {
    return toEnrollment(await this.getVisible(id, context));
  }

  @Serve(listEnrollments)
  async list(query: ParsedOf<typeof listEnrollments>, context: RequestContext): Promise<Page<Enrollment>> {
    const { items, pagination } = await this.bookings.listEnrollments(context, query);
    return { items: items.map(toEnrollment), pagination };
  }

  @Serve(listClassEnrollments)
  listOfClass(query: ParsedOf<typeof listClassEnrollments>, context: RequestContext): Promise<Page<Enrollment>> {
    return this.list(query, context);
  }

  @Serve(endEnrollment)
  async end(input: Ending, context: RequestContext): Promise<Enrollment> {
    const found = await this.getVisible(input.enrollment_id, context);
    // A cancellation in progress ends first.
    const booking = found.cancelling && !context.dryRun ? await this.cancellation.finish(found, context) : found;
    if (input.refund_as === 'credit' && !givesCredits(booking))
      throw new AppError('credits_not_offered', { field: 'refund_as' });
    const isDone = (await this.bookings.findAnswer(booking, context)) !== undefined;
    if (!isDone && booking.enrollment!.endsOn === input.ends_on && !booking.cancelling) return toEnrollment(booking);
    const { endsOn, endsAt, isOver, at } = this.endOf(booking, input, context);
    if (!isDone && statusOfEnrollment(booking) === 'ended')
      throw invalidState('Only an enrollment that has not ended can be ended', 'ended');
    if (context.dryRun)
      return toEnrollment({
        ...booking,
        enrollment: { ...booking.enrollment!, endsOn, ...(isOver ? { isOver } : {}) },
      });
    const cancelling = {
      ...{ by: context.principal.accountId, at, from: endsAt.toISOString() },
      ...{ notifyParticipants: input.notify_participants, reason: input.reason ?? null, refundAs: input.refund_as },
    };
    const marked = await this.bookings.markEnding(context, booking._id, { endsOn, endsAt, isOver, cancelling });
    return toEnrollment(await this.cancellation.finish(marked, context));
  }

  /** Ends an enrollment whose last date is over. */
  @WhenDue(({ bookings }: EnrollmentsService) => bookings.endingEnrollments)
  async endDue(booking: BookingDocument): Promise<void> {
    await this.bookings.markEnrollmentOver(booking);
  }

  private async enroll(input: Requested, context: RequestContext): Promise<Enrollment> {
    const { class_id: classId, member_id: memberId, hold_id: holdId, starts_on } = input;
    const { on_conflict, notify_participants } = input;
    const { described, lessons } = await this.describe(input, context);
    if (described.status !== 'open') throw invalidState('Members enroll only in an open class', described.status);
    const [first] = lessons;
    if (!first)
      throw new AppError('no_dates', {
        field: 'starts_on',
        message: 'The class has no lesson to come from then on. Choose an earlier starts_on.',
      });
    const lacking = lackedOf(lessons);
    if (lacking.length === 0) throw alreadyEnrolled();
    const { timezone } = described;
    const enrollment: StoredEnrollment = {
      ...{ classId, timezone, startsOn: starts_on ?? dateIn(timezone, first.date), endsOn: null },
    };
    const { payment_method_id, makeup_credit_id } = input;
    const requested = createBooking.input.parse({
      ...{ member_ids: [memberId], lesson_ids: lacking, on_conflict, notify_participants },
      ...{ payment_method_id, makeup_credit_id, hold_id: holdId },
    });
    return enrollmentOf(await this.making.create(requested, context, enrollment), enrollment);
  }

  private async describe(
    { class_id: classId, member_id: memberId, hold_id: holdId, starts_on }: Requested,
    context: RequestContext,
  ) {
    const described = await this.rpc.call(describeClass, { classId, memberId, holdId }, context);
    return { described, lessons: lessonsFrom(described, starts_on) };
  }

  private async getVisible(id: string, context: RequestContext): Promise<BookingDocument> {
    const booking = await this.bookings.getVisible(context, bookingOfEnrollment(id));
    if (!booking.enrollment) throw new AppError('resource_not_found');
    return booking;
  }

  private endOf({ enrollment, clockOffsetMs }: BookingDocument, { ends_on: endsOn }: Ending, context: RequestContext) {
    const now = accountTime(this.clock, context.principal.env, clockOffsetMs);
    const next = Temporal.PlainDate.from(endsOn).add({ days: 1 });
    const endsAt = new Date(next.toZonedDateTime(enrollment!.timezone).epochMilliseconds);
    return { endsOn, endsAt, isOver: endsAt <= now, at: now.toISOString() };
  }

  /** The error of a booking of lessons as one of the enrollment. */
  private async rejectionOf(error: unknown, input: Requested, context: RequestContext): Promise<unknown> {
    if (!(error instanceof AppError) || error.code === 'SERVER_ERROR') return error;
    const {
      reason,
      field,
      errors: _,
      conflicts,
      ...details
    } = error.details as Record<string, unknown> & {
      conflicts?: { reason: string }[];
    };
    const isFull = reason === 'lesson_full' || conflicts?.some((each) => each.reason === 'lesson_full');
    if (isFull)
      return new AppError('class_full', {
        field: 'class_id',
        details: { suggestions: await this.suggest(input, context), conflicts },
      });
    // Another request may have enrolled the member meanwhile.
    if (reason === 'member_busy' && lackedOf((await this.describe(input, context)).lessons).length === 0)
      return alreadyEnrolled();
    const named = FIELDS.find(([prefix]) => String(field ?? '').startsWith(prefix));
    if (!named) return error;
    return new AppError(error.reason, {
      ...{ field: named[1], message: error.message },
      details: { ...details, ...(conflicts ? { conflicts } : {}) },
    });
  }

  private async suggest({ class_id: classId, member_id: memberId }: Requested, context: RequestContext) {
    const who = { instructorId: null, memberIds: [memberId], withAges: true };
    const [member] = (await this.rpc.call(describeParticipants, who, context)).members;
    if (!member?.dateOfBirth) return [];
    const { id, level, dateOfBirth } = member;
    return (await this.rpc.call(suggestClasses, { classId, member: { id, level, dateOfBirth } }, context)).suggestions;
  }
}

const FIELDS = [
  ['member_ids', 'member_id'],
  ['lesson_ids', 'class_id'],
] as const;

const alreadyEnrolled = () => new AppError('already_enrolled', { field: 'member_id' });

/** The lessons in which the member has no place. */
const lackedOf = (lessons: DescribedClass['lessons']): string[] =>
  lessons.filter(({ isTaken }) => !isTaken).map(({ id }) => id);

const dateIn = (timezone: string, instant: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(timezone).toPlainDate().toString();

/** The lessons from a date on; without one all that can still be booked, or all, so that they are rejected, where none can. */
function lessonsFrom({ lessons, timezone }: DescribedClass, startsOn: string | undefined): DescribedClass['lessons'] {
  if (startsOn !== undefined) return lessons.filter(({ date }) => dateIn(timezone, date) >= startsOn);
  const open = lessons.filter(({ canBeBooked }) => canBeBooked);
  return open.length > 0 ? open : lessons;
}
