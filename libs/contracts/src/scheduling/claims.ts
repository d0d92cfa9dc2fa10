import { z } from 'zod';
import { clockOffsetMs, currency, dateText, id, idText, instantText, text, timestamp } from '../formats/formats.js';
import { metadata } from '../formats/metadata.js';
import { swimmingLevel } from '../formats/person.js';
import { timezone } from '../formats/time-zones.js';
import { rpc } from '../operations/operation.js';
import { availabilitySchedule } from '../people/schedule.js';
import { durationMinutes, location, session } from './sessions.js';
import { setPrice } from './set-prices.js';

/** The rules by which scheduling evaluates a claim; people owns them, the caller sends them with the claim. */
export const teachingRules = z.strictObject({
  instructorId: id('ins'),
  schoolId: id('acct'),
  timezone,
  schedule: availabilitySchedule,
  enforceAvailability: z.boolean(),
  defaultPoolId: id('pool').nullable(),
  /** The generation of the connection of account and school by which it is planned, and whether that names all of the members. */
  connection: z.strictObject({ generation: z.int(), names: z.boolean() }).optional(),
  clockOffsetMs: clockOffsetMs.optional(),
});
export type TeachingRules = z.output<typeof teachingRules>;

const slotReason = z.enum([
  'instructor_busy',
  'member_busy',
  'outside_availability',
  'pool_full',
  'lesson_full',
  'not_eligible',
  'closed',
]);

/** A free time; `date` is its `start`, as a session has it. */
export const suggestion = z.object({
  start: instantText,
  end: instantText,
  date: instantText,
  duration_minutes: z.int(),
});

/** The rule of an instructor's schedule that a requested time breaks (contract, HTTP). */
export const AVAILABILITY_RULES = ['hours', 'notice', 'days_ahead'] as const;

/** Details of a time outside the published hours. */
export const outsideAvailability = {
  rule: z.enum(AVAILABILITY_RULES).meta({
    description: '`hours`: outside the published hours. `notice`: too soon. `days_ahead`: too far in the future',
  }),
  opens_at: instantText.optional().meta({
    format: 'date-time',
    description:
      'The first instant at which it could be booked: with `notice` the earliest start that can be booked now, with `days_ahead` when this time can be booked',
  }),
};

/** Details of closed time. */
export const closedTime = {
  closure_reason: z.string().meta({ description: 'Why the school has closed this time' }),
  closed_until: instantText.meta({ format: 'date-time', description: 'The first instant that no closure covers' }),
};

/**
 * One date that could not be claimed, and up to three times that could. `index` is its position among the requested dates;
 * `member_id`, only with `member_busy`, the first member who is busy; `rule` and `opens_at`, only with `outside_availability`.
 */
export const dateConflict = z.object({
  index: z.int(),
  date: instantText,
  member_id: idText('mem').optional(),
  rule: outsideAvailability.rule.optional(),
  opens_at: outsideAvailability.opens_at,
  closure_reason: closedTime.closure_reason.optional(),
  closed_until: closedTime.closed_until.optional(),
  reason: slotReason,
  suggestions: z.array(suggestion),
});
export type DateConflict = z.output<typeof dateConflict>;

/** Dates of a booking that were left out because they were not free. */
const skippedDates = z.array(z.object({ lesson_id: idText('lsn').optional(), date: instantText, reason: slotReason }));

/** A member who is to take a place of a lesson. */
export const placedMember = z.strictObject({ id: id('mem'), level: swimmingLevel, dateOfBirth: dateText });
export type PlacedMember = z.output<typeof placedMember>;

/** The rule of a lesson that a member does not fit. */
export const ELIGIBILITY_RULES = ['level', 'min_age', 'max_age'] as const;

/** A lesson of a request in which no place could be taken. `index` is its position among `lesson_ids`. */
export const lessonConflict = z.object({
  index: z.int(),
  lesson_id: idText('lsn'),
  member_id: idText('mem').optional(),
  reason: slotReason,
});
export type LessonConflict = z.output<typeof lessonConflict>;

/** The run of the booking's saga that claims: a later one fences the earlier ones. */
const attempt = z.int().min(1).default(1);

/** The instructor's rate and the school's policies when a booking was made: they hold for its sessions (contract, Payments). */
const bookingTerms = z.strictObject({
  hourlyRateCents: z.int(),
  freeCancellationHours: z.int(),
  lateFeePercent: z.int(),
  noShowFeePercent: z.int(),
  makeupCredits: z.boolean(),
});
export type BookingTerms = z.output<typeof bookingTerms>;

/**
 * Takes all times of a booking, or (skip) those that are free, and makes its sessions. Idempotent per booking: a repetition
 * returns the same sessions. With a hold it takes over the hold's time, with the ids of its sessions. With `dryRun` it
 * only returns what it would do.
 */
export const claimBooking = rpc('scheduling.claim', {
  kind: 'write',
  callers: ['booking'],
  input: z.strictObject({
    bookingId: id('bkg'),
    attempt,
    /** The hold whose time the booking takes over; absent: the time is claimed anew. */
    holdId: id('hold').nullish(),
    accountId: id('acct'),
    /** The class of an enrollment, which the account sees from then on. */
    classId: id('cls').optional(),
    rules: teachingRules,
    terms: bookingTerms,
    currency,
    location: location.nullable(),
    notes: text(2000).nullable(),
    slots: z
      .array(
        z.strictObject({
          date: timestamp,
          durationMinutes,
          priceCents: z.int(),
          /** Whether the school has set the price, and why. */
          priceIsSet: z.boolean().optional(),
          priceReason: setPrice.price_reason.optional(),
          /** The lesson in which the sessions take places; absent where they make one. */
          lessonId: id('lsn').optional(),
          sessions: z
            .array(z.strictObject({ id: id('ses'), memberId: id('mem') }))
            .min(1)
            .max(10),
        }),
      )
      .min(1)
      .max(52),
    /** The facts that decide whether the members fit lessons; present where places are claimed. They are not stored. */
    members: z.array(placedMember).optional(),
    /** With one session that was requested by itself: it is rejected like one, and has this metadata. */
    single: z.strictObject({ metadata: metadata.optional() }).optional(),
    onConflict: z.enum(['fail', 'skip']),
    dryRun: z.boolean(),
  }),
  output: z.object({
    sessionIds: z.array(z.string()),
    skipped: skippedDates,
    /** The sessions that were made; in a dry run only a single one, as it would be. */
    sessions: z.array(session).optional(),
  }),
  errors: [
    'conflicting_dates',
    'busy_retry',
    'not_found',
    'hold_mismatch',
    'invalid_state',
    'lesson_full',
    'not_eligible',
    'instructor_busy',
    'member_busy',
    'pool_full',
    'outside_availability',
    'closed',
  ],
});

/** What a booking's claim has made, for who lost its answer. Idempotent; `invalid_state` when it has made nothing. */
export const confirmBooking = rpc('scheduling.confirm', {
  kind: 'write',
  callers: ['booking'],
  input: z.strictObject({ bookingId: id('bkg') }),
  output: z.object({ sessions: z.array(session), skipped: skippedDates.optional() }),
  errors: ['invalid_state'],
});

/**
 * Releases whatever is being taken or held for a booking, also what this attempt and those before it have yet to take.
 * Idempotent, also when nothing is held; a confirmed claim stays.
 */
export const releaseBooking = rpc('scheduling.release', {
  kind: 'write',
  callers: ['booking'],
  input: z.strictObject({ bookingId: id('bkg'), attempt }),
  output: z.object({ state: z.enum(['released', 'confirmed']) }),
});

/** Sessions of bookings the account may see, for answering a booking whole. */
export const sessionsOfBookings = rpc('scheduling.sessionsOfBookings', {
  kind: 'read',
  callers: ['booking'],
  input: z.strictObject({ bookingIds: z.array(id('bkg')).max(100) }),
  output: z.array(session),
});

/** The lessons of this request that the account may book or has held by this hold, in its order; null for any other. */
export const describeLessons = rpc('scheduling.describeLessons', {
  kind: 'read',
  callers: ['booking'],
  input: z.strictObject({ lessonIds: z.array(id('lsn')).min(1).max(52), holdId: id('hold').nullish() }),
  output: z.array(
    z
      .object({
        id: z.string(),
        schoolId: z.string(),
        instructorId: z.string(),
        date: instantText,
        durationMinutes: z.int(),
        priceCents: z.int(),
        currency,
      })
      .nullable(),
  ),
});
export type DescribedLesson = NonNullable<z.output<typeof describeLessons.output>[number]>;
