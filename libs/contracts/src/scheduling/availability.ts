import { z } from 'zod';
import {
  addsReasons,
  calendarDate,
  clockOffsetMs,
  dateOrInstant,
  id,
  idText,
  instantText,
  orRequired,
} from '../formats/formats.js';
import { listQuery, MOST_IDS, severalIds } from '../formats/list-query.js';
import { timezone } from '../formats/time-zones.js';
import { rpc } from '../operations/operation.js';
import { coordinates, PLACE_REASONS, searchFilters, wholePlace } from '../people/instructor-search.js';
import { MOST_POOLS } from '../people/instructors.js';
import { availabilitySchedule } from '../people/schedule.js';
import { durationMinutes } from './sessions.js';

/** The minutes that an instructor must be free for `available_date`; the default duration of slots. */
export const FREE_MINUTES = 30;

/** The range of free times: by default 7 days from now, at most 31 days. A bare date is midnight in `timezone`. */
const slotQuery = {
  date_from: dateOrInstant.optional(),
  date_to: dateOrInstant.optional(),
  timezone: timezone.default('UTC'),
  duration_minutes: z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^-?\d{1,4}$/)
          .transform(Number),
      ],
      orRequired,
    )
    .pipe(durationMinutes)
    .default(FREE_MINUTES)
    .meta({
      type: 'integer',
      minimum: 15,
      maximum: 240,
      default: FREE_MINUTES,
      description: 'Length of each slot in minutes',
    }),
};

/** Free times of one instructor, with the offsets of `timezone`. `date` of a slot is its `start`, as a session has it. */
export const getAvailability = rpc('scheduling.getAvailability', {
  summary: 'List free times of an instructor',
  description: 'Slots that can be booked as they stand, by default of the next 7 days, at most of 31.',
  kind: 'read',
  input: z.strictObject({ instructor_id: id('ins'), ...slotQuery }),
  output: z.object({
    instructor_id: idText('ins'),
    timezone: z.string(),
    schedule: availabilitySchedule
      .extend({ timezone: z.string().meta({ description: 'IANA time zone in which the schedule is written' }) })
      .meta({ title: 'PublishedSchedule' }),
    slots: z.array(z.object({ start: instantText, end: instantText, date: instantText, duration_minutes: z.int() })),
  }),
  errors: ['resource_not_found', 'range_reversed', 'range_too_long', 'too_far_ahead'],
});

/** Maximum number of `instructor_ids` in one request of `listAvailability`. */
const MOST_NAMED = 50;

const firstOnly = z
  .union([z.boolean(), z.enum(['true', 'false'], { error: 'invalid_value' }).transform((text) => text === 'true')], {
    error: 'invalid_value',
  })
  .default(false)
  .meta({ type: 'boolean', default: false, description: 'Only the first slot of each instructor' });

/** A free time of an instructor; with `member_id` it is the body of `POST /sessions`. */
export const availableSlot = z.object({
  instructor_id: idText('ins'),
  date: instantText,
  end_date: instantText,
  duration_minutes: z.int(),
});
export type AvailableSlot = z.output<typeof availableSlot>;

/**
 * Free times of many instructors, soonest first, with the offsets of `timezone`: of those in `instructor_ids`, of those whom the
 * search finds, or of those in both. They are the slots that `getAvailability` returns for each of them.
 */
export const listAvailability = rpc('scheduling.listAvailability', {
  summary: 'List free times of many instructors',
  description:
    'Slots of all instructors that match, soonest first; with `first_only` the first slot of each. A slot with `member_id` is the body of `POST /sessions`.',
  kind: 'list',
  input: listQuery({
    instructor_ids: severalIds('ins', MOST_NAMED).optional(),
    ...searchFilters,
    ...slotQuery,
    first_only: firstOnly,
  })
    .superRefine(wholePlace)
    .meta(addsReasons(...PLACE_REASONS)),
  output: availableSlot,
  errors: ['range_reversed', 'range_too_long', 'too_far_ahead', 'not_found', 'too_many_matches'],
  isIsolated: true,
});

/** Maximum number of instructors whose free times one request lists. */
export const MOST_MATCHES = 1_000;
/** Maximum number of instructors in one request of `findFreeInstructors`, and in one answer of `findTeachingHours`. */
export const MOST_IN_BATCH = 500;

const teachingHours = z.strictObject({
  id: id('ins'),
  timezone,
  schedule: availabilitySchedule,
  /** The later clock of the caller and the school. */
  clockOffsetMs: clockOffsetMs.optional(),
  /** The school; absent without pools. */
  schoolId: id('acct').optional(),
  /** The instructor's pools in their order, whether or not they exist; absent when `schoolId` is. */
  poolIds: z.array(id('pool')).max(MOST_POOLS).optional(),
});
export type InstructorHours = z.output<typeof teachingHours>;

// 31 days, one more on either side for the zone, three around `available_date`, and some to spare.
const MOST_DATES = 40;

/**
 * Active instructors that match a search and publish hours on any of these dates, by id, with the rules of these dates. `next`
 * is where the rest begins, if it does not fit in one answer.
 */
export const findTeachingHours = rpc('people.findTeachingHours', {
  kind: 'read',
  callers: ['scheduling'],
  input: z.strictObject({
    /** Only these; one that the caller cannot see is `not_found`. */
    instructorIds: z.array(id('ins')).max(MOST_NAMED).optional(),
    /** Only those of these schools. */
    accountIds: z.array(id('acct')).max(MOST_IDS).optional(),
    search: searchFilters.search,
    certification: searchFilters.certification,
    place: coordinates.optional(),
    /** The day to whose end a certification must be valid, if that is later than today. */
    heldOn: calendarDate,
    dates: z.array(calendarDate).max(MOST_DATES),
    /** The last instructor of the answer before. */
    after: id('ins').optional(),
  }),
  output: z.object({ instructors: z.array(teachingHours), next: z.string().nullable() }),
  errors: ['not_found', 'too_many_matches'],
});

/**
 * Which of these instructors are free: on a date of their own zone in any slot, or from an instant on. The request
 * contains the rules, as a claim does; of a schedule only the part for that time is needed. Without windows the instructor is
 * not free.
 */
export const findFreeInstructors = rpc('scheduling.findFreeInstructors', {
  kind: 'read',
  callers: ['people'],
  input: z.strictObject({
    at: dateOrInstant,
    durationMinutes,
    instructors: z.array(teachingHours).max(MOST_IN_BATCH),
  }),
  output: z.object({ free: z.array(z.string()) }),
});
