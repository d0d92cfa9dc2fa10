import { z } from 'zod';
import { event } from './event.js';
import { currency, dateOrInstant, id, instantOrDate, listQuery, patch, text, timestamp, timezone } from './formats.js';
import { rpc } from './operation.js';
import { availabilitySchedule } from './schedule.js';

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

/** A session as every operation answers it. */
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
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Session = z.output<typeof session>;

/** What subscribers see of a session: everything but its notes. */
const sessionObject = session.omit({ notes: true });
export type SessionObject = z.output<typeof sessionObject>;

const CLAIM_REFUSALS = ['instructor_busy', 'member_busy', 'pool_full', 'outside_availability', 'busy_retry'] as const;

export const createSession = rpc('scheduling.createSession', {
  kind: 'write',
  input: z.strictObject({
    instructor_id: id('ins'),
    member_id: id('mem'),
    date: timestamp,
    duration_minutes: durationMinutes,
    location: location.optional(),
    notes: text(2000).nullish(),
  }),
  output: session,
  errors: [...CLAIM_REFUSALS, 'prepayment_required', 'in_past', 'not_found', 'inactive_instructor'],
});

export const getSession = rpc('scheduling.getSession', {
  kind: 'read',
  input: z.strictObject({ session_id: id('ses') }),
  output: session,
  errors: ['resource_not_found'],
});

export const listSessions = rpc('scheduling.listSessions', {
  kind: 'list',
  input: listQuery({
    instructor_id: id('ins').optional(),
    member_id: id('mem').optional(),
    status: z.enum(SESSION_STATUSES).optional(),
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
};

export const updateSession = rpc('scheduling.updateSession', {
  kind: 'write',
  input: z.strictObject({ session_id: id('ses'), changes: patch({ ...sessionChanges, version: z.int().min(1) }) }),
  output: session,
  errors: [
    ...CLAIM_REFUSALS,
    'resource_not_found',
    'invalid_state',
    'stale_version',
    'change_in_progress',
    'in_past',
    'not_found',
    'inactive_instructor',
  ],
});

export const cancelSession = rpc('scheduling.cancelSession', {
  kind: 'write',
  input: z.strictObject({
    session_id: id('ses'),
    reason: text(500).nullish(),
    notify_participants: z.boolean().default(true),
  }),
  output: session,
  errors: ['resource_not_found', 'invalid_state', 'change_in_progress'],
});

/** Ends a session that has begun, by the instructor's school. */
export const completeSession = rpc('scheduling.completeSession', {
  kind: 'write',
  input: z.strictObject({ session_id: id('ses') }),
  output: session,
  errors: ['resource_not_found', 'school_only', 'invalid_state', 'not_started', 'change_in_progress'],
});

/** Notes who came, by the instructor's school, from the start of a session on. */
export const recordAttendance = rpc('scheduling.recordAttendance', {
  kind: 'write',
  input: z.strictObject({ session_id: id('ses'), attendance: z.enum(ATTENDANCES) }),
  output: session,
  errors: ['resource_not_found', 'school_only', 'invalid_state', 'not_started'],
});

export const getAvailability = rpc('scheduling.getAvailability', {
  kind: 'read',
  input: z.strictObject({
    instructor_id: id('ins'),
    date_from: dateOrInstant.optional(),
    date_to: dateOrInstant.optional(),
    timezone: timezone.default('UTC'),
    duration_minutes: z
      .union([
        durationMinutes,
        z
          .string()
          .regex(/^\d{1,4}$/, { error: 'invalid_type' })
          .transform(Number)
          .pipe(durationMinutes),
      ])
      .default(30),
  }),
  output: z.object({
    instructor_id: z.string(),
    timezone: z.string(),
    schedule: availabilitySchedule,
    slots: z.array(z.object({ start: z.string(), end: z.string(), duration_minutes: z.int() })),
  }),
  errors: ['resource_not_found', 'range_reversed', 'range_too_long'],
});

/** A place with lanes; `lanes` bounds how many groups may swim in it at once. */
export const pool = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  address: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  timezone: z.string(),
  lanes: z.int().nullable(),
  created_at: z.string(),
});
export type Pool = z.output<typeof pool>;

export const createPool = rpc('scheduling.createPool', {
  kind: 'write',
  input: z.strictObject({
    name: text(200, 1),
    address: text(500, 1),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    timezone,
    lanes: z.int().min(1).max(100).nullish(),
  }),
  output: pool,
  errors: ['school_only'],
});

export const getPool = rpc('scheduling.getPool', {
  kind: 'read',
  input: z.strictObject({ pool_id: id('pool') }),
  output: pool,
  errors: ['resource_not_found'],
});

export const listPools = rpc('scheduling.listPools', { kind: 'list', input: listQuery({}), output: pool });

/** The rules by which scheduling judges a claim; people owns them, the caller sends them with the claim. */
export const teachingRules = z.strictObject({
  instructorId: id('ins'),
  schoolId: id('acct'),
  timezone,
  schedule: availabilitySchedule,
  enforceAvailability: z.boolean(),
  defaultPoolId: id('pool').nullable(),
});
export type TeachingRules = z.output<typeof teachingRules>;

const slotReason = z.enum(['instructor_busy', 'member_busy', 'outside_availability', 'pool_full']);
export const suggestion = z.object({ start: z.string(), end: z.string() });

/** One date that could not be claimed, and up to three times that could. */
export const dateConflict = z.object({ date: z.string(), reason: slotReason, suggestions: z.array(suggestion) });
export type DateConflict = z.output<typeof dateConflict>;

/**
 * Takes all times of a booking, or (skip) those that are free, and holds them until `untilUtc`. Idempotent per booking:
 * asked again, it answers what it already holds. With `dryRun` it only says what it would do.
 */
export const claimBooking = rpc('scheduling.claim', {
  kind: 'write',
  input: z.strictObject({
    bookingId: id('bkg'),
    accountId: id('acct'),
    rules: teachingRules,
    currency,
    location: location.nullable(),
    notes: text(2000).nullable(),
    slots: z
      .array(
        z.strictObject({
          date: timestamp,
          durationMinutes,
          priceCents: z.int(),
          sessions: z
            .array(z.strictObject({ id: id('ses'), memberId: id('mem') }))
            .min(1)
            .max(10),
        }),
      )
      .min(1)
      .max(52),
    onConflict: z.enum(['fail', 'skip']),
    dryRun: z.boolean(),
  }),
  output: z.object({
    sessionIds: z.array(z.string()),
    skipped: z.array(z.object({ date: z.string(), reason: slotReason })),
  }),
  errors: ['conflicting_dates', 'busy_retry', 'not_found'],
});

/** Makes a held claim final and its sessions visible. Idempotent; `invalid_state` when the hold has lapsed. */
export const confirmBooking = rpc('scheduling.confirm', {
  kind: 'write',
  input: z.strictObject({ bookingId: id('bkg') }),
  output: z.object({ sessions: z.array(session) }),
  errors: ['invalid_state'],
});

/** Gives up whatever is held for a booking. Idempotent, also when nothing is held; a confirmed claim stays. */
export const releaseBooking = rpc('scheduling.release', {
  kind: 'write',
  input: z.strictObject({ bookingId: id('bkg') }),
  output: z.object({ state: z.enum(['released', 'confirmed']) }),
});

/** Sessions of bookings the caller may see, for answering a booking whole. */
export const sessionsOfBookings = rpc('scheduling.sessionsOfBookings', {
  kind: 'read',
  input: z.strictObject({ bookingIds: z.array(id('bkg')).max(100) }),
  output: z.array(session),
});

export const sessionCreated = event('scheduling', 'session.created', sessionObject);
export const sessionUpdated = event('scheduling', 'session.updated', sessionObject);
export const sessionRescheduled = event('scheduling', 'session.rescheduled', sessionObject);
export const sessionCompleted = event('scheduling', 'session.completed', sessionObject);
export const sessionAttendanceRecorded = event('scheduling', 'session.attendance_recorded', sessionObject);
export const sessionCancelled = event('scheduling', 'session.cancelled', sessionObject);
