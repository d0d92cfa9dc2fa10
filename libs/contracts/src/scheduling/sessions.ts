import { z } from 'zod';
import { id, idText, instantOrDate, instantText, orRequired, patch, text, timestamp } from '../formats/formats.js';
import { changingFilters, listQuery, metadataFilter, several } from '../formats/list-query.js';
import { metadata, metadataAnswer, metadataPatch } from '../formats/metadata.js';
import { apiObject } from '../formats/object-kinds.js';
import { timezone } from '../formats/time-zones.js';
import { event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';
import { availabilitySchedule } from '../people/schedule.js';
import { setPrice } from './set-prices.js';

export const SESSION_STATUSES = ['scheduled', 'completed', 'cancelled'] as const;
export const ATTENDANCES = ['pending', 'attended', 'no_show', 'excused'] as const;

/** Where a lesson takes place; a pool is named by its id. */
export const location = z
  .strictObject({ type: z.enum(['pool', 'home', 'open_water']), pool_id: id('pool').nullish() })
  .refine((place) => place.type !== 'pool' || typeof place.pool_id === 'string', {
    error: 'required',
    path: ['pool_id'],
  })
  .refine((place) => place.type === 'pool' || !place.pool_id, {
    error: 'mutually_exclusive',
    path: ['pool_id'],
    params: { expected: 'left out where the type is not pool' },
  })
  .transform((place) => ({ type: place.type, pool_id: place.pool_id ?? null }));
export type Location = z.output<typeof location>;

/** Length of a session in whole minutes, 15 to 240. */
export const durationMinutes = z.int(orRequired).min(15, { error: 'too_small' }).max(240, { error: 'too_large' });

const LAST_INSTANT_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a lesson that ends then, in epoch ms, ends in the years that a timestamp can name: 0000 to 9999. */
const endsInTime = (endMs: number): boolean => endMs <= LAST_INSTANT_MS;

/** Whether a requested lesson ends before the year 10000. */
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
  cancelled_at: instantText,
  cancelled_by: idText('acct'),
  participants_notified: z.boolean(),
  late: z.boolean(),
  fee_cents: z.int(),
  refund_id: idText('rfd').nullable(),
  makeup_credit: idText('crd').nullable(),
});

/** A session as every operation returns it. */
export const session = apiObject('session', {
  id: idText('ses'),
  account_id: idText('acct'),
  booking_id: idText('bkg').nullable(),
  lesson_id: idText('lsn'),
  instructor_id: idText('ins'),
  member_id: idText('mem'),
  date: instantText,
  end_date: instantText,
  duration_minutes: z.int(),
  location: z.object({ type: z.string(), pool_id: idText('pool').nullable() }).nullable(),
  notes: z.string().nullable(),
  status: z.enum(SESSION_STATUSES),
  attendance: z.enum(ATTENDANCES),
  cancellation: cancellation.nullable(),
  price_cents: z.int(),
  price_reason: z.string().nullable(),
  currency: z.string(),
  metadata: metadataAnswer,
  version: z.int(),
  created_at: instantText,
  updated_at: instantText,
});
export type Session = z.output<typeof session>;

/** The object in a session's events: everything but its notes, its metadata, and the reasons of its price and its cancellation. */
export const sessionObject = session
  .omit({ notes: true, metadata: true, price_reason: true })
  .extend({ cancellation: cancellation.omit({ reason: true }).nullable() });
export type SessionObject = z.output<typeof sessionObject>;

const CLAIM_ERRORS = [
  'instructor_busy',
  'member_busy',
  'pool_full',
  'closed',
  'outside_availability',
  'busy_retry',
] as const;

/** What a new session is made from. */
export const newSession = z
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
    notify_participants: z.boolean().default(true),
  })
  .refine(isInTime, ENDS_IN_TIME)
  .refine(endsAfterItsDuration, {
    error: 'invalid_value',
    path: ['end_date'],
    params: { expected: 'the end of the session, `duration_minutes` after its date' },
  });

/** Why a new session is rejected. */
export const NEW_SESSION_ERRORS = [
  ...CLAIM_ERRORS,
  'prepayment_required',
  'in_past',
  'too_far_ahead',
  'not_found',
  'inactive_instructor',
  'connection_ended',
  'school_only',
] as const;

/** Makes a session outside a booking: booking passes on the requests of the instructor's school. */
export const makeSession = rpc('scheduling.makeSession', {
  kind: 'write',
  callers: ['booking'],
  input: newSession,
  output: session,
  errors: NEW_SESSION_ERRORS,
});

export const getSession = rpc('scheduling.getSession', {
  summary: 'Get a session',
  description: 'A lesson with its status, attendance and cancellation.',
  kind: 'read',
  callers: ['gateway', 'people', 'booking'],
  input: z.strictObject({ session_id: id('ses') }),
  output: session,
  errors: ['resource_not_found'],
});

export const listSessions = rpc('scheduling.listSessions', {
  summary: 'List sessions',
  description: 'The lessons that the account may see, by date, earliest first.',
  kind: 'list',
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

const MOST_YEARS_AHEAD = 10;

/** Why no lesson can be booked at a time: it has passed, or is more than 10 years ahead; null where one can. */
export function timeReason(startMs: number, nowMs: number): 'in_past' | 'too_far_ahead' | null {
  if (startMs <= nowMs) return 'in_past';
  const now = new Date(nowMs);
  return startMs > now.setUTCFullYear(now.getUTCFullYear() + MOST_YEARS_AHEAD) ? 'too_far_ahead' : null;
}

const sessionChanges = {
  lesson_id: id('lsn').meta({
    description:
      'Another lesson of the same school with a place, into which the session moves; not with another time, instructor or place',
  }),
  date: timestamp,
  duration_minutes: durationMinutes,
  location,
  notes: text(2000).nullable(),
  instructor_id: id('ins'),
  metadata: metadataPatch,
  price_cents: setPrice.price_cents,
  price_reason: setPrice.price_reason.nullable(),
  notify_participants: z.boolean(),
};

export const updateSession = rpc('scheduling.updateSession', {
  summary: 'Update or reschedule a session',
  description:
    'Changes the fields that are sent; a new time is checked for conflicts, and the id stays. With `version`, only if the session is still at that version.',
  kind: 'write',
  reads: getSession,
  input: z.strictObject({ session_id: id('ses'), changes: patch({ ...sessionChanges, version: z.int().min(1) }) }),
  output: session,
  errors: [
    ...CLAIM_ERRORS,
    'resource_not_found',
    'invalid_state',
    'already_started',
    'stale_version',
    'change_in_progress',
    'in_past',
    'too_far_ahead',
    'not_found',
    'inactive_instructor',
    'currency_mismatch',
    'too_long',
    'shared_lesson',
    'lesson_full',
    'not_eligible',
    'mutually_exclusive',
    'school_only',
    'not_representable',
    'connection_ended',
  ],
});

export const completeSession = rpc('scheduling.completeSession', {
  summary: 'Complete a session',
  description:
    'Marks a lesson that has started as given. Otherwise this happens 15 minutes after its end. Only the school may.',
  kind: 'write',
  input: z.strictObject({ session_id: id('ses') }),
  output: session,
  errors: ['resource_not_found', 'school_only', 'invalid_state', 'not_started', 'change_in_progress'],
});

/**
 * Notes who came, by the instructor's school, from the start of a session on. Once a refund or a credit followed from it, another
 * attendance is `invalid_state`.
 */
export const recordAttendance = rpc('scheduling.recordAttendance', {
  summary: 'Record attendance',
  description:
    'Whether the member came. A no-show may cost a fee; an excused one gives a makeup credit where it was paid. Only the school may. Once `attended` or `no_show` is recorded, only the school can move or cancel the session.',
  kind: 'write',
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

/** The lessons to come of an instructor that these hours do not contain: how many, and the first 20. An inactive one has no hours. */
export const findLessonsOutside = rpc('scheduling.findLessonsOutside', {
  kind: 'read',
  callers: ['people'],
  input: z.strictObject({
    instructorId: id('ins'),
    timezone,
    schedule: availabilitySchedule,
    isActive: z.boolean(),
  }),
  output: z.object({ count: z.int(), lessonIds: z.array(z.string()) }),
});
