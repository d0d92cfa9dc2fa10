import { z } from 'zod';
import { event } from './event.js';
import { id, instantOrDate, patch, text, timestamp } from './formats.js';
import { changingFilters, listQuery, metadataFilter, several } from './list-query.js';
import { metadata, metadataAnswer, metadataPatch } from './metadata.js';
import { rpc } from './operation.js';

export const SESSION_STATUSES = ['scheduled', 'completed', 'cancelled'] as const;
export const ATTENDANCES = ['pending', 'attended', 'no_show', 'excused'] as const;

/** Where a lesson takes place; a pool is named by its id. */
export const location = z
  .strictObject({ type: z.enum(['pool', 'home', 'open_water']), pool_id: id('pool').nullish() })
  .refine((place) => place.type !== 'pool' || typeof place.pool_id === 'string', {
    error: 'required',
    path: ['pool_id'],
  })
  .refine((place) => place.type === 'pool' || !place.pool_id, { error: 'mutually_exclusive', path: ['pool_id'] })
  .transform((place) => ({ type: place.type, pool_id: place.pool_id ?? null }));
export type Location = z.output<typeof location>;

/** Length of a session in whole minutes, 15 to 240. */
export const durationMinutes = z
  .int({ error: (issue) => (issue.input === undefined ? 'required' : 'invalid_type') })
  .min(15, { error: 'too_small' })
  .max(240, { error: 'too_large' });

const LAST_INSTANT_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a lesson that ends then, in epoch ms, ends in the years that a timestamp can name: 0000 to 9999. */
export const endsInTime = (endMs: number): boolean => endMs <= LAST_INSTANT_MS;

/** The same for a requested lesson. */
export const isInTime = (requested: { date: string; duration_minutes: number }): boolean =>
  endsInTime(Date.parse(requested.date) + requested.duration_minutes * 60_000);

// A listed slot can be sent as it is.
const endsAfterItsDuration = (requested: { date: string; duration_minutes: number; end_date?: string | undefined }) =>
  requested.end_date === undefined ||
  Date.parse(requested.end_date) === Date.parse(requested.date) + requested.duration_minutes * 60_000;

/** The error of a lesson that `isInTime` rejects. */
export const ENDS_IN_TIME = {
  error: 'out_of_range',
  path: ['date'],
  params: { expected: 'early enough for the lesson to end before the year 10000' },
};

const cancellation = z.object({
  reason: z.string().nullable(),
  cancelled_at: z.string(),
  cancelled_by: z.string(),
  participants_notified: z.boolean(),
  late: z.boolean(),
  fee_cents: z.int(),
  refund_id: z.string().nullable(),
  makeup_credit: z.string().nullable(),
});

/** A session as every operation returns it. */
export const session = z.object({
  id: z.string(),
  account_id: z.string(),
  booking_id: z.string().nullable(),
  instructor_id: z.string(),
  member_id: z.string(),
  date: z.string(),
  end_date: z.string(),
  duration_minutes: z.int(),
  location: z.object({ type: z.string(), pool_id: z.string().nullable() }).nullable(),
  notes: z.string().nullable(),
  status: z.enum(SESSION_STATUSES),
  attendance: z.enum(ATTENDANCES),
  cancellation: cancellation.nullable(),
  price_cents: z.int(),
  currency: z.string(),
  metadata: metadataAnswer,
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Session = z.output<typeof session>;

/** The object in a session's events: everything but its notes, its metadata and the reason of its cancellation. */
export const sessionObject = session
  .omit({ notes: true, metadata: true })
  .extend({ cancellation: cancellation.omit({ reason: true }).nullable() });
export type SessionObject = z.output<typeof sessionObject>;

const CLAIM_ERRORS = ['instructor_busy', 'member_busy', 'pool_full', 'outside_availability', 'busy_retry'] as const;

export const createSession = rpc('scheduling.createSession', {
  kind: 'write',
  callers: ['gateway'],
  input: z
    .strictObject({
      instructor_id: id('ins'),
      member_id: id('mem'),
      date: timestamp,
      duration_minutes: durationMinutes,
      end_date: timestamp
        .meta({ description: 'As listed by `GET /availability`; must be `date` plus `duration_minutes`' })
        .optional(),
      location: location.optional(),
      notes: text(2000).nullish(),
      metadata: metadata.optional(),
    })
    .refine(isInTime, ENDS_IN_TIME)
    .refine(endsAfterItsDuration, {
      error: 'invalid_value',
      path: ['end_date'],
      params: { expected: 'the end of the session, `duration_minutes` after its date' },
    }),
  output: session,
  errors: [...CLAIM_ERRORS, 'prepayment_required', 'in_past', 'not_found', 'inactive_instructor', 'school_only'],
});

export const getSession = rpc('scheduling.getSession', {
  kind: 'read',
  callers: ['gateway', 'people'],
  input: z.strictObject({ session_id: id('ses') }),
  output: session,
  errors: ['resource_not_found'],
});

export const listSessions = rpc('scheduling.listSessions', {
  kind: 'list',
  callers: ['gateway', 'people'],
  input: listQuery({
    instructor_id: id('ins').optional(),
    member_id: id('mem').optional(),
    booking_id: id('bkg').optional(),
    status: several(SESSION_STATUSES).optional(),
    ...changingFilters('ses'),
    ...metadataFilter,
    date_from: instantOrDate.optional(),
    date_to: instantOrDate.optional(),
  }),
  output: session,
});

const sessionChanges = {
  date: timestamp,
  duration_minutes: durationMinutes,
  location,
  notes: text(2000).nullable(),
  instructor_id: id('ins'),
  metadata: metadataPatch,
};

export const updateSession = rpc('scheduling.updateSession', {
  kind: 'write',
  callers: ['gateway'],
  input: z.strictObject({ session_id: id('ses'), changes: patch({ ...sessionChanges, version: z.int().min(1) }) }),
  output: session,
  errors: [
    ...CLAIM_ERRORS,
    'resource_not_found',
    'invalid_state',
    'stale_version',
    'change_in_progress',
    'in_past',
    'out_of_range',
    'not_found',
    'inactive_instructor',
    'currency_mismatch',
    'too_long',
  ],
});

/**
 * How a cancellation gives back what was paid by a payment method: by a refund, or by a makeup credit. What was paid by a credit
 * goes back to that credit in either case.
 */
export const refundAs = z
  .enum(['payment_method', 'credit'])
  .default('payment_method')
  .meta({ description: '`credit`: a makeup credit instead of a refund, where the school gives them' });

export const cancelSession = rpc('scheduling.cancelSession', {
  kind: 'write',
  callers: ['gateway'],
  input: z.strictObject({
    session_id: id('ses'),
    reason: text(500).nullish(),
    notify_participants: z.boolean().default(true),
    refund_as: refundAs,
  }),
  output: session,
  errors: ['resource_not_found', 'invalid_state', 'change_in_progress', 'credits_not_offered'],
});

/**
 * What cancelling a session would do now, were the caller to do it. Free until `free_until` (UTC), `late` from then on.
 * `fee_cents` is kept of what is paid for the session, `refund_cents` is refunded, and `credit_returned_cents` goes back to the
 * makeup credit that it was booked with; a cancellation by the school, and one of a session outside a booking, costs nothing.
 * `makeup_credit`: whether it can give a makeup credit instead of the refund (`refund_as`).
 */
export const cancellationQuote = z.object({
  session_id: z.string(),
  late: z.boolean(),
  free_until: z.string(),
  fee_cents: z.int(),
  refund_cents: z.int(),
  credit_returned_cents: z.int(),
  makeup_credit: z.boolean(),
  currency: z.string(),
});
export type CancellationQuote = z.output<typeof cancellationQuote>;

/** `invalid_state` for a session that is cancelled or completed. */
export const quoteCancellation = rpc('scheduling.quoteCancellation', {
  kind: 'read',
  callers: ['gateway'],
  input: z.strictObject({ session_id: id('ses') }),
  output: cancellationQuote,
  errors: ['resource_not_found', 'invalid_state', 'change_in_progress'],
});

/** The terms by which cancellations of one booking are evaluated: the policies when it was booked, and what is paid. */
const cancellationTermsOfBooking = z.strictObject({
  freeCancellationHours: z.int(),
  lateFeePercent: z.int(),
  /** What is paid, makeup credits included. */
  paidCents: z.int(),
});

/**
 * What cancelling all sessions of a booking that are still to come would do now, were the caller to do it, in order of date.
 * Each fee is kept of the money that covers its session before any of them is cancelled.
 */
export const quoteCancellations = rpc('scheduling.quoteCancellations', {
  kind: 'read',
  callers: ['booking'],
  input: z.strictObject({ bookingId: id('bkg'), terms: cancellationTermsOfBooking }),
  output: z.array(cancellationQuote),
});

/**
 * Cancels sessions of a booking with the fees of an earlier quote. Idempotent; a session that is no longer scheduled stays as it
 * is. Returns all of these sessions as they are then.
 */
export const cancelSessions = rpc('scheduling.cancelSessions', {
  kind: 'write',
  callers: ['booking'],
  input: z.strictObject({
    sessions: z
      .array(
        z.strictObject({
          id: id('ses'),
          late: z.boolean(),
          feeCents: z.int().min(0),
          /** The makeup credit that is given instead of a refund. */
          creditId: id('crd').nullish(),
        }),
      )
      .max(100),
    reason: text(500).nullable(),
    notifyParticipants: z.boolean(),
  }),
  output: z.array(session),
  errors: ['resource_not_found', 'change_in_progress'],
});

/** Ends a session that has begun, by the instructor's school. */
export const completeSession = rpc('scheduling.completeSession', {
  kind: 'write',
  callers: ['gateway'],
  input: z.strictObject({ session_id: id('ses') }),
  output: session,
  errors: ['resource_not_found', 'school_only', 'invalid_state', 'not_started', 'change_in_progress'],
});

/**
 * Notes who came, by the instructor's school, from the start of a session on. Once a refund or a credit followed from it, another
 * attendance is `invalid_state`.
 */
export const recordAttendance = rpc('scheduling.recordAttendance', {
  kind: 'write',
  callers: ['gateway'],
  input: z.strictObject({ session_id: id('ses'), attendance: z.enum(ATTENDANCES) }),
  output: session,
  errors: ['resource_not_found', 'school_only', 'invalid_state', 'not_started', 'change_in_progress'],
});

export const sessionCreated = event('scheduling', 'session.created', sessionObject);
export const sessionUpdated = event('scheduling', 'session.updated', sessionObject);
export const sessionRescheduled = event('scheduling', 'session.rescheduled', sessionObject);
export const sessionCompleted = event('scheduling', 'session.completed', sessionObject);
export const sessionAttendanceRecorded = event('scheduling', 'session.attendance_recorded', sessionObject);
/** 24 hours and 2 hours before a session. */
export const sessionReminder = event('scheduling', 'session.reminder', sessionObject);
export const sessionCancelled = event('scheduling', 'session.cancelled', sessionObject);
