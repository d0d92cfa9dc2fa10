import { z } from 'zod';
import { hasOneOf, id, idText, instantOrDate, instantText, patch, text } from '../formats/formats.js';
import { changingFilters, flag, listQuery, metadataFilter, several } from '../formats/list-query.js';
import { metadata, metadataAnswer, metadataPatch } from '../formats/metadata.js';
import { apiObject } from '../formats/object-kinds.js';
import { event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';
import { groupOfMembers, pricedTimes, requestedLessons } from '../scheduling/group.js';
import { pricedRecurrence } from '../scheduling/recurrence/recurrence.js';
import { cancellationFields, cancellationQuote } from '../scheduling/session-cancellations.js';
import { location, NEW_SESSION_ERRORS, newSession, SESSION_STATUSES, session } from '../scheduling/sessions.js';

export const BOOKING_STATUSES = ['pending', 'confirmed', 'completed', 'cancelled', 'expired'] as const;
export const PAYMENT_STATUSES = [
  'unpaid',
  'authorized',
  'partially_paid',
  'paid',
  'partially_refunded',
  'refunded',
  'failed',
] as const;

const bookedSession = z.object({
  id: idText('ses'),
  lesson_id: idText('lsn'),
  instructor_id: idText('ins'),
  member_id: idText('mem'),
  date: instantText,
  end_date: instantText,
  duration_minutes: z.int(),
  status: z.enum(SESSION_STATUSES),
  version: z.int(),
});

/** A booking as every operation returns it. */
export const booking = apiObject('booking', {
  id: idText('bkg'),
  account_id: idText('acct'),
  instructor_id: idText('ins'),
  member_ids: z.array(idText('mem')),
  session_ids: z.array(idText('ses')),
  sessions: z.array(bookedSession),
  payment_method_id: idText('pm').nullable(),
  makeup_credit_id: idText('crd').nullable(),
  notes: z.string().nullable(),
  metadata: metadataAnswer,
  status: z.enum(BOOKING_STATUSES),
  payment_status: z.enum(PAYMENT_STATUSES),
  amount_cents: z.int(),
  amount_paid_cents: z.int(),
  amount_credited_cents: z.int(),
  amount_due_cents: z.int(),
  amount_to_return_cents: z.int(),
  currency: z.string(),
  skipped: z.array(z.object({ lesson_id: idText('lsn').optional(), date: instantText, reason: z.string() })).optional(),
  expires_at: instantText.nullable(),
  version: z.int(),
  created_at: instantText,
  updated_at: instantText,
});
export type Booking = z.output<typeof booking>;

/** The object in a booking's events: everything but its notes and its metadata. */
const bookingObject = booking.omit({ notes: true, metadata: true });
export type BookingObject = z.output<typeof bookingObject>;

export const createBooking = rpc('booking.create', {
  summary: 'Create a booking',
  description:
    'Books all sessions or none, for one to ten members of one account. A rejection names each date that is not free, with times nearby that are. It charges nothing: pay with `POST /payments`.',
  kind: 'write',
  input: z
    .strictObject({
      instructor_id: id('ins')
        .optional()
        .meta({ description: 'The instructor; required without `lesson_ids`, whose first lesson has it' }),
      member_ids: groupOfMembers,
      lesson_ids: requestedLessons
        .optional()
        .meta({ description: 'Lessons in which each member gets a place, in place of `sessions`' }),
      sessions: pricedTimes.optional(),
      recurrence: pricedRecurrence.optional(),
      payment_method_id: id('pm').nullish(),
      notes: text(2000).nullish(),
      metadata: metadata.optional(),
      hold_id: id('hold').nullish(),
      makeup_credit_id: id('crd').nullish(),
      location: location.optional(),
      on_conflict: z.enum(['fail', 'skip']).default('fail'),
      notify_participants: z.boolean().default(true),
    })
    .refine((input) => input.sessions || input.recurrence || input.lesson_ids, {
      error: 'required',
      path: ['sessions'],
    })
    .refine((input) => input.instructor_id || input.lesson_ids, { error: 'required', path: ['instructor_id'] })
    .refine((input) => !(input.sessions && input.recurrence), {
      error: 'mutually_exclusive',
      path: ['recurrence'],
      params: { excludes: 'sessions' },
    })
    .refine((input) => !(input.lesson_ids && (input.sessions || input.recurrence || input.location)), {
      error: 'mutually_exclusive',
      path: ['lesson_ids'],
      params: { excludes: 'sessions, recurrence and location' },
    })
    .meta(hasOneOf('sessions', 'recurrence', 'lesson_ids')),
  output: booking,
  errors: [
    'conflicting_dates',
    'busy_retry',
    'group_too_large',
    'not_found',
    'in_past',
    'too_far_ahead',
    'inactive_instructor',
    'connection_ended',
    'members_of_several_accounts',
    'school_only',
    'hold_mismatch',
    'invalid_state',
    'too_large',
    'too_long',
    'range_reversed',
    'out_of_range',
    'overlapping_sessions',
    'invalid_value',
    'currency_mismatch',
    'credit_of_other_school',
    'change_in_progress',
    'lesson_full',
    'not_eligible',
    'member_busy',
    'outside_availability',
    'closed',
    'lessons_of_several_schools',
    'not_representable',
  ],
});

export const createSession = rpc('booking.createSession', {
  summary: 'Create a session',
  description:
    'Books one lesson at once. It makes a booking of this lesson, named by `booking_id`; one that the school of its instructor makes has none and is not billed. A time that is not free is rejected with up to three times nearby that are.',
  kind: 'write',
  input: newSession,
  output: session,
  errors: NEW_SESSION_ERRORS,
});

export const getBooking = rpc('booking.get', {
  summary: 'Get a booking',
  description: 'A booking with its sessions and its money as they are now.',
  kind: 'read',
  input: z.strictObject({ booking_id: id('bkg') }),
  output: booking,
  errors: ['resource_not_found'],
});

export const updateBooking = rpc('booking.update', {
  summary: 'Update a booking',
  description:
    'Changes notes and metadata, and the payment method by which the family consents to be charged for the booking. Times change by `PATCH /sessions/{session_id}`.',
  kind: 'write',
  reads: getBooking,
  input: z.strictObject({
    booking_id: id('bkg'),
    changes: patch({
      notes: text(2000).nullable(),
      metadata: metadataPatch,
      payment_method_id: id('pm').nullable().meta({
        description:
          'By the family: consents to charges of what the booking costs now, of later additions and fees; null ends that',
      }),
    }),
  }),
  output: booking,
  errors: ['resource_not_found', 'change_in_progress', 'too_long', 'not_found', 'read_only'],
});

/** By `date_from` and `date_to` it lists the bookings of which at least one session starts in the range. */
const bookingFilters = {
  status: several(BOOKING_STATUSES).optional(),
  instructor_id: id('ins').optional(),
  member_id: id('mem').optional(),
  date_from: instantOrDate.optional(),
  date_to: instantOrDate.optional(),
  due: flag.optional().meta({ description: 'Only bookings on which something is due: `amount_due_cents` above 0' }),
  ...changingFilters('bkg'),
  ...metadataFilter,
};

/** Bookings the account may see: an account its own, a school all with it. `account_id` can only name the caller. */
export const listBookings = rpc('booking.list', {
  summary: 'List bookings',
  description: 'The bookings that the account may see, newest first; a school sees those of its instructors.',
  kind: 'list',
  input: listQuery({ ...bookingFilters, account_id: id('acct').optional() }),
  output: booking,
  errors: ['foreign_account'],
});

/**
 * What cancelling a booking would do now, were the caller to do it: it cancels all sessions that have not begun. `fee_cents` is
 * kept of what is paid, `refund_cents` is given back, of recorded payments by the school, and `credit_returned_cents` goes back to the makeup credit; free until
 * `free_until` (UTC), when the first of them becomes late.
 */
const bookingCancellationQuote = z.object({
  booking_id: idText('bkg'),
  free_until: instantText,
  fee_cents: z.int(),
  refund_cents: z.int(),
  credit_returned_cents: z.int(),
  makeup_credit: z.boolean(),
  currency: z.string(),
  sessions: z.array(cancellationQuote),
});
export type BookingCancellationQuote = z.output<typeof bookingCancellationQuote>;

/** `invalid_state` for a booking that has ended, or has no session to come. */
export const quoteBookingCancellation = rpc('booking.quoteCancellation', {
  summary: 'Quote the cancellation of a booking',
  description: 'What a cancellation of all its future sessions would cost and give back now. It changes nothing.',
  kind: 'read',
  input: z.strictObject({ booking_id: id('bkg') }),
  output: bookingCancellationQuote,
  errors: ['resource_not_found', 'invalid_state', 'already_started'],
});

/**
 * Cancels all sessions of a booking that have not begun. Cancelling a cancelled booking changes nothing. While a payment is in
 * progress its outcome is awaited for 2 seconds; later the booking is returned as it is, takes no payments, and is cancelled once
 * the outcome is known.
 */
export const cancelBooking = rpc('booking.cancel', {
  summary: 'Cancel a booking',
  description:
    'Cancels all future sessions of the booking. What was paid beyond fees is refunded, or becomes a makeup credit. Cancelling again answers the same.',
  kind: 'write',
  input: z.strictObject({
    booking_id: id('bkg'),
    ...cancellationFields,
  }),
  output: booking,
  errors: ['resource_not_found', 'invalid_state', 'already_started', 'change_in_progress', 'credits_not_offered'],
});

export const bookingCreated = event('booking', 'booking.created', bookingObject);
export const bookingConfirmed = event('booking', 'booking.confirmed', bookingObject);
/** A pending booking whose prepayment did not come in time; its sessions are cancelled. */
export const bookingExpired = event('booking', 'booking.expired', bookingObject);
/** A booking whose sessions are all cancelled. */
export const bookingCancelled = event('booking', 'booking.cancelled', bookingObject);
/** A booking whose sessions are over: completed, except those that were cancelled. */
export const bookingCompleted = event('booking', 'booking.completed', bookingObject);
