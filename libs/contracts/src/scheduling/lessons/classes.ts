import { z } from 'zod';
import { calendarDate, dateText, id, idText, instantText, notBlank, patch, text } from '../../formats/formats.js';
import { boundedInteger, changingFilters, flag, listQuery } from '../../formats/list-query.js';
import { apiObject } from '../../formats/object-kinds.js';
import { searchText, swimmingLevel } from '../../formats/person.js';
import { event } from '../../operations/event.js';
import { rpc } from '../../operations/operation.js';
import { WEEKDAYS } from '../../people/schedule.js';
import { classRecurrence, classRecurrencePatch } from '../recurrence/recurrence.js';
import { cancellationFields } from '../session-cancellations.js';
import { location } from '../sessions.js';
import { AGES_IN_ORDER, hasAgesInOrder, lesson, lessonFields, OLDEST_YEARS, outsideHours } from './lessons.js';

export const CLASS_STATUSES = ['draft', 'open', 'closed'] as const;

const weekday = z.enum(WEEKDAYS);

/** A course of lessons on weekly dates, which a school opens for children to enroll. */
export const swimClass = apiObject('class', {
  id: idText('cls'),
  account_id: idText('acct'),
  name: z.string(),
  description: z.string().nullable().meta({ description: 'What the school says about it' }),
  instructor_id: idText('ins'),
  location: lesson.shape.location,
  recurrence: z.object({
    start_local: z.string().meta({ description: 'Earliest date and local time of its lessons' }),
    timezone: z.string(),
    weekdays: z.array(weekday),
    count: z.int().optional().meta({ description: 'How many dates, exceptions included; absent with `until`' }),
    until: dateText.optional().meta({ description: 'Last possible local date; absent with `count`' }),
    except: z.array(dateText).meta({ description: 'Local dates that are left out' }),
  }),
  duration_minutes: z.int(),
  capacity: z.int(),
  levels: z.array(swimmingLevel),
  min_age_years: z.int().nullable(),
  max_age_years: z.int().nullable(),
  price_cents: z.int(),
  currency: z.string(),
  status: z.enum(CLASS_STATUSES),
  places_left: z.int().nullable(),
  next_lesson_at: instantText.nullable(),
  version: z.int(),
  created_at: instantText,
  updated_at: instantText,
});
export type SwimClass = z.output<typeof swimClass>;

const classFields = {
  name: notBlank(200),
  description: text(5000).nullable().meta({ description: 'What the school says about it' }),
  instructor_id: lessonFields.instructor_id,
  location: lessonFields.location,
  recurrence: classRecurrence,
  duration_minutes: lessonFields.duration_minutes,
  capacity: lessonFields.capacity,
  levels: lessonFields.levels,
  min_age_years: lessonFields.min_age_years,
  max_age_years: lessonFields.max_age_years,
  price_cents: lessonFields.price_cents,
};

export const createClass = rpc('scheduling.createClass', {
  summary: 'Create a class',
  description:
    'Adds a class as a draft, which has no lessons and which the school alone sees until it is opened. Only the school may.',
  kind: 'write',
  input: z
    .strictObject({
      ...classFields,
      description: classFields.description.optional(),
      location: location.optional(),
      levels: classFields.levels.default([]),
      min_age_years: classFields.min_age_years.optional(),
      max_age_years: classFields.max_age_years.optional(),
    })
    .refine(hasAgesInOrder, AGES_IN_ORDER),
  output: swimClass,
  errors: [
    'school_only',
    'not_found',
    'inactive_instructor',
    'not_representable',
    'range_reversed',
    'too_large',
    'out_of_range',
    'invalid_value',
    'too_long',
    'overlapping_sessions',
  ],
});

export const getClass = rpc('scheduling.getClass', {
  summary: 'Get a class',
  description: 'A class: an open one of any school, or one of the school itself.',
  kind: 'read',
  input: z.strictObject({ class_id: id('cls') }),
  output: swimClass,
  errors: ['resource_not_found'],
});

export const listClasses = rpc('scheduling.listClasses', {
  summary: 'List classes',
  description:
    'Open classes of every school, newest first; a school sees all of its own. A class without levels or ages matches each.',
  kind: 'list',
  input: listQuery({
    account_id: id('acct').optional().meta({ description: 'Only classes of this school' }),
    level: swimmingLevel.optional(),
    age_years: boundedInteger(0, OLDEST_YEARS)
      .meta({
        type: 'integer',
        minimum: 0,
        maximum: OLDEST_YEARS,
        description: 'Only classes for this age',
      })
      .optional(),
    instructor_id: id('ins').optional(),
    pool_id: id('pool').optional(),
    weekday: weekday.meta({ description: 'Only classes with lessons on this day of the week' }).optional(),
    has_places: flag.meta({ description: 'Only classes with a place in all lessons to come, or without' }).optional(),
    search: searchText.optional(),
    ...changingFilters('cls'),
  }),
  output: swimClass,
});

const someLessons = (description: string) => z.array(idText('lsn')).meta({ description });

/** The changes of the lessons to come of a class. */
const lessonChanges = z.object({
  changed: someLessons('Lessons that were changed'),
  added: someLessons('Lessons that were made, which are in no enrollment'),
  cancelled: someLessons('Lessons that were cancelled as by the school'),
  skipped: z
    .array(
      z.object({
        lesson_id: idText('lsn').nullable().meta({ description: 'The lesson; null for a date that has none' }),
        date: instantText,
        reason: z.string().meta({ description: 'Why it is as before, such as `instructor_busy`' }),
      }),
    )
    .meta({ description: 'Lessons that could not be changed, and dates that got no lesson' }),
});
export type LessonChangesOfClass = z.output<typeof lessonChanges>;

const changedClass = swimClass.extend({
  changes: lessonChanges
    .optional()
    .meta({ description: 'What became of its lessons to come; absent where nothing was sent that differs' }),
});
export type ChangedClass = z.output<typeof changedClass>;

export const updateClass = rpc('scheduling.updateClass', {
  summary: 'Update a class',
  description:
    'Changes the fields that are sent; those of `recurrence` that are left out stay. The lessons to come of an open class follow one by one, but for fields that were changed on the lesson itself: the time of day and the length move them; `count`, `until` and `except` add lessons, or cancel them as by the school. Places that are booked keep their prices. Only the school may.',
  kind: 'write',
  reads: getClass,
  input: z.strictObject({
    class_id: id('cls'),
    changes: patch({
      ...classFields,
      location: classFields.location.nullable(),
      recurrence: classRecurrencePatch,
      outside_hours: outsideHours,
      notify_participants: z.boolean(),
      version: z.int().min(1),
    }).refine(hasAgesInOrder, AGES_IN_ORDER),
  }),
  output: changedClass,
  errors: [
    'resource_not_found',
    'school_only',
    'class_open',
    'invalid_state',
    'stale_version',
    'change_in_progress',
    'not_found',
    'inactive_instructor',
    'currency_mismatch',
    'not_representable',
    'range_reversed',
    'too_large',
    'out_of_range',
    'invalid_value',
    'too_long',
    'overlapping_sessions',
  ],
});

export const removeClass = rpc('scheduling.removeClass', {
  summary: 'Remove a class',
  description: 'Removes a draft. Only the school may.',
  kind: 'write',
  input: z.strictObject({ class_id: id('cls') }),
  output: z.object({}),
  errors: ['resource_not_found', 'school_only', 'invalid_state', 'change_in_progress'],
});

export const openClass = rpc('scheduling.openClass', {
  summary: 'Open a class',
  description:
    'Makes the lessons of a draft and shows it to every account. A date that is past, outside the published hours, or on which the instructor, a lane or a closure is in the way is left out: `meta.warnings` names each as `date_left_out`. Opening again answers the same. Only the school may.',
  kind: 'write',
  input: z.strictObject({ class_id: id('cls'), outside_hours: outsideHours.default(false) }),
  output: swimClass,
  errors: ['resource_not_found', 'school_only', 'no_dates', 'not_found', 'inactive_instructor', 'busy_retry'],
});

export const closeClass = rpc('scheduling.closeClass', {
  summary: 'Close a class',
  description:
    'Cancels the lessons to come from a date on, as by the school, and takes no more enrollments. Closing again answers the same. Only the school may.',
  kind: 'write',
  input: z.strictObject({
    class_id: id('cls'),
    from: calendarDate
      .optional()
      .meta({ description: 'The first date without lessons, in the zone of the class; today without it' }),
    ...cancellationFields,
  }),
  output: changedClass,
  errors: ['resource_not_found', 'school_only', 'invalid_state', 'change_in_progress'],
});

/** The object in a class's events: everything but its name and description. */
const classObject = swimClass.omit({ name: true, description: true });
export type ClassObject = z.output<typeof classObject>;

export const classCreated = event('scheduling', 'class.created', classObject);
export const classClosed = event('scheduling', 'class.closed', classObject);
export const classOpened = event('scheduling', 'class.opened', classObject);
export const classUpdated = event('scheduling', 'class.updated', classObject);
