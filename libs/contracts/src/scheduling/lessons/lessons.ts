import { z } from 'zod';
import { currency, distinct, id, idText, instantOrDate, instantText, timestamp } from '../../formats/formats.js';
import { boundedInteger, changingFilters, flag, listQuery } from '../../formats/list-query.js';
import { apiObject } from '../../formats/object-kinds.js';
import { SWIMMING_LEVELS, swimmingLevel } from '../../formats/person.js';
import { event } from '../../operations/event.js';
import { rpc } from '../../operations/operation.js';
import { ATTENDANCES, durationMinutes, ENDS_IN_TIME, isInTime, location, SESSION_STATUSES } from '../sessions.js';

const MOST_PLACES = 30;
export const OLDEST_YEARS = 120;

const lessonSession = z.object({
  id: idText('ses'),
  member_id: idText('mem'),
  account_id: idText('acct'),
  status: z.enum(SESSION_STATUSES),
  attendance: z.enum(ATTENDANCES),
});

/**
 * The id of the private lesson that these sessions of one time make. It depends on the sessions alone, so that everyone who plans them
 * knows it.
 */
export function privateLessonId(sessionIds: readonly string[]): string {
  const first = sessionIds.reduce((a, b) => (a < b ? a : b));
  return `lsn${first.slice(first.indexOf('_'))}`;
}

/** What an instructor teaches at one time. A session is one member's place in it. */
export const lesson = apiObject('lesson', {
  id: idText('lsn'),
  account_id: idText('acct'),
  class_id: idText('cls').nullable(),
  instructor_id: idText('ins'),
  location: z.object({ type: z.string(), pool_id: idText('pool').nullable() }).nullable(),
  date: instantText,
  end_date: instantText,
  duration_minutes: z.int(),
  capacity: z.int(),
  places_left: z.int(),
  bookable: z.boolean(),
  levels: z.array(swimmingLevel),
  min_age_years: z.int().nullable(),
  max_age_years: z.int().nullable(),
  price_cents: z.int(),
  currency: z.string(),
  status: z.enum(SESSION_STATUSES),
  sessions: z.array(lessonSession),
  version: z.int(),
  created_at: instantText,
  updated_at: instantText,
});
export type Lesson = z.output<typeof lesson>;

/** The object in a lesson's events: everything but its sessions. */
export const lessonObject = lesson.omit({ sessions: true });
export type LessonObject = z.output<typeof lessonObject>;

const age = z.int().min(0).max(OLDEST_YEARS);

/** The fields of a lesson that its school decides. */
export const lessonFields = {
  instructor_id: id('ins'),
  date: timestamp,
  duration_minutes: durationMinutes,
  location,
  capacity: z.int().min(1).max(MOST_PLACES),
  levels: distinct(z.array(swimmingLevel).max(SWIMMING_LEVELS.length, { abort: true })),
  min_age_years: age.nullable(),
  max_age_years: age.nullable(),
  price_cents: z.int().min(0).max(100_000_000),
  bookable: z.boolean(),
};

export const outsideHours = z
  .boolean()
  .meta({ description: 'Whether the lesson may take place outside the published hours of the instructor' });

export const hasAgesInOrder = ({
  min_age_years,
  max_age_years,
}: {
  min_age_years?: unknown;
  max_age_years?: unknown;
}) => typeof min_age_years !== 'number' || typeof max_age_years !== 'number' || min_age_years <= max_age_years;

/** The error of a lesson that no age fits. */
export const AGES_IN_ORDER = {
  error: 'range_reversed',
  path: ['max_age_years'],
  params: { expected: 'not below min_age_years' },
};

export const createLesson = rpc('scheduling.createLesson', {
  summary: 'Create a lesson',
  description:
    'Adds a lesson with places that families can book. Its instructor, and a lane of its pool, are taken for it at once. Only the school may.',
  kind: 'write',
  input: z
    .strictObject({
      ...lessonFields,
      location: location.optional(),
      levels: lessonFields.levels.default([]),
      min_age_years: lessonFields.min_age_years.optional(),
      max_age_years: lessonFields.max_age_years.optional(),
      bookable: lessonFields.bookable.default(true),
      outside_hours: outsideHours.default(false),
    })
    .refine(isInTime, ENDS_IN_TIME)
    .refine(hasAgesInOrder, AGES_IN_ORDER),
  output: lesson,
  errors: [
    'instructor_busy',
    'pool_full',
    'closed',
    'outside_availability',
    'busy_retry',
    'in_past',
    'too_far_ahead',
    'not_found',
    'inactive_instructor',
    'school_only',
    'not_representable',
    'range_reversed',
  ],
});

export const getLesson = rpc('scheduling.getLesson', {
  summary: 'Get a lesson',
  description:
    'A lesson with its places. The school sees all sessions, any other account only its own: of others it learns how many places are left.',
  kind: 'read',
  input: z.strictObject({ lesson_id: id('lsn') }),
  output: lesson,
  errors: ['resource_not_found'],
});

export const listLessons = rpc('scheduling.listLessons', {
  summary: 'List lessons',
  description:
    'Bookable lessons of every school, and those with members of the account, by date, earliest first; a school sees all of its own.',
  kind: 'list',
  input: listQuery({
    date_from: instantOrDate.optional(),
    date_to: instantOrDate.optional(),
    instructor_id: id('ins').optional(),
    account_id: id('acct').optional(),
    class_id: id('cls').optional(),
    pool_id: id('pool').optional(),
    level: swimmingLevel.optional(),
    age_years: boundedInteger(0, OLDEST_YEARS)
      .meta({ type: 'integer', minimum: 0, maximum: OLDEST_YEARS, description: 'Only lessons for this age' })
      .optional(),
    bookable: flag.meta({ description: 'Only lessons that are bookable, or not' }).optional(),
    has_places: flag.meta({ description: 'Only lessons with a free place, or without' }).optional(),
    ...changingFilters('lsn'),
  }),
  output: lesson,
});

/**
 * Lessons of a school in which a family may book a place for this member of its own, in a currency and a range of time, the soonest
 * first.
 */
export const listBookableLessons = rpc('scheduling.listBookableLessons', {
  kind: 'list',
  callers: ['booking'],
  input: listQuery({
    school_id: id('acct'),
    account_id: id('acct'),
    member_id: id('mem'),
    currency,
    date_from: instantOrDate.optional(),
    date_to: instantOrDate,
  }),
  output: lesson,
  errors: ['not_found'],
  isIsolated: true,
});

export const lessonCreated = event('scheduling', 'lesson.created', lessonObject);
