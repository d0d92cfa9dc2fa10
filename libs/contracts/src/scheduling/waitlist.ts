import { z } from 'zod';
import { hasOneOf, id, idText, instantOrDate, instantText } from '../formats/formats.js';
import { changingFilters, listQuery, several } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';
import { durationMinutes } from './sessions.js';

export const WAITLIST_STATUSES = ['waiting', 'offered', 'accepted', 'expired'] as const;

/**
 * A member's place on the waitlist, for an instructor's time, or for a place in a lesson or in all lessons to come of a class, whose time
 * and instructor it has then. `waiting` → `offered` (a hold of 30 minutes, in `offer`) → `accepted` by a booking or an enrollment with that
 * hold, or `expired`; one that waited in vain until `date_to`, or until the last of its lessons began, expires too.
 */
export const waitlistEntry = apiObject('waitlist_entry', {
  id: idText('wl'),
  account_id: idText('acct'),
  lesson_id: idText('lsn').nullable(),
  class_id: idText('cls').nullable(),
  instructor_id: idText('ins'),
  member_id: idText('mem'),
  date_from: instantText,
  date_to: instantText,
  duration_minutes: z.int(),
  status: z.enum(WAITLIST_STATUSES),
  offer: z
    .object({ hold_id: idText('hold'), date: instantText, end_date: instantText, expires_at: instantText })
    .nullable(),
  booking_id: idText('bkg').nullable(),
  created_at: instantText,
  updated_at: instantText,
});
export type WaitlistEntry = z.output<typeof waitlistEntry>;

interface AwaitedTime {
  date_from?: string | undefined;
  date_to?: string | undefined;
  duration_minutes?: number | undefined;
}

const rangeMs = ({ date_from, date_to }: AwaitedTime): number =>
  date_from && date_to ? Date.parse(date_to) - Date.parse(date_from) : Number.POSITIVE_INFINITY;

const holdsLesson = (requested: AwaitedTime): boolean =>
  rangeMs(requested) <= 0 || rangeMs(requested) >= (requested.duration_minutes ?? 0) * 60_000;

/** What an entry without a lesson and a class names. */
const OF_TIME = ['instructor_id', 'date_from', 'date_to', 'duration_minutes'] as const;
type OfTime = (typeof OF_TIME)[number];
type Requested = Partial<Record<OfTime | 'lesson_id' | 'class_id', unknown>>;

/** The rule that a field is required without a lesson and a class. */
const requiredOf = (field: OfTime): [(requested: Requested) => unknown, { error: string; path: string[] }] => [
  (requested) => requested.lesson_id ?? requested.class_id ?? requested[field],
  { error: 'required', path: [field] },
];

const TIME = 'instructor_id, date_from, date_to and duration_minutes';
const namesTime = (requested: Requested): boolean => OF_TIME.some((field) => requested[field] !== undefined);

/**
 * Joins the waitlist for a place in a lesson or in all lessons to come of a class, or for any time of the requested length from
 * `date_from` until `date_to`; at most a year. A bare date is UTC midnight.
 */
export const joinWaitlist = rpc('scheduling.joinWaitlist', {
  summary: 'Join the waitlist',
  description:
    'What becomes free is offered to the first in line whom it fits, as a hold of 30 minutes: time of the instructor, or, with `lesson_id`, a place in the lesson, at once where there is one. Book it with `hold_id`. With `class_id` a place in all lessons to come of the class is offered together: enroll with `hold_id`.',
  kind: 'write',
  input: z
    .strictObject({
      lesson_id: id('lsn')
        .optional()
        .meta({ description: 'A lesson in which a place is awaited, in place of an instructor and a time' }),
      class_id: id('cls').optional().meta({
        description: 'A class in all of whose lessons to come a place is awaited, in place of an instructor and a time',
      }),
      instructor_id: id('ins')
        .optional()
        .meta({ description: 'The instructor; required without `lesson_id` and `class_id`' }),
      member_id: id('mem'),
      date_from: instantOrDate.optional(),
      date_to: instantOrDate.optional(),
      duration_minutes: durationMinutes.optional(),
    })
    .refine(...requiredOf('instructor_id'))
    .refine(...requiredOf('date_from'))
    .refine(...requiredOf('date_to'))
    .refine(...requiredOf('duration_minutes'))
    .refine((requested) => !requested.lesson_id || !namesTime(requested), {
      error: 'mutually_exclusive',
      path: ['lesson_id'],
      params: { excludes: TIME },
    })
    .refine((requested) => !requested.class_id || !(requested.lesson_id || namesTime(requested)), {
      error: 'mutually_exclusive',
      path: ['class_id'],
      params: { excludes: `lesson_id, ${TIME}` },
    })
    .refine((requested) => rangeMs(requested) > 0, {
      error: 'range_reversed',
      path: ['date_to'],
      params: { expected: 'later than date_from' },
    })
    .refine(holdsLesson, {
      error: 'out_of_range',
      path: ['date_to'],
      params: { expected: 'at least duration_minutes after date_from, so that a lesson fits between them' },
    })
    .meta(hasOneOf('instructor_id', 'lesson_id', 'class_id')),
  output: waitlistEntry,
  errors: [
    'not_found',
    'inactive_instructor',
    'connection_ended',
    'school_only',
    'in_past',
    'too_far_ahead',
    'range_reversed',
    'range_too_long',
    'already_exists',
    'not_eligible',
    'outside_availability',
    'invalid_state',
  ],
});

const ofEntry = z.strictObject({ waitlist_id: id('wl') });

export const getWaitlistEntry = rpc('scheduling.getWaitlistEntry', {
  summary: 'Get a waitlist entry',
  description: 'An entry, with its hold while time is offered.',
  kind: 'read',
  input: ofEntry,
  output: waitlistEntry,
  errors: ['resource_not_found'],
});

export const listWaitlist = rpc('scheduling.listWaitlist', {
  summary: 'List waitlist entries',
  description: 'The entries that the account may see, newest first.',
  kind: 'list',
  input: listQuery({
    lesson_id: id('lsn').optional(),
    class_id: id('cls').optional(),
    instructor_id: id('ins').optional(),
    member_id: id('mem').optional(),
    status: several(WAITLIST_STATUSES).optional(),
    ...changingFilters('wl'),
  }),
  output: waitlistEntry,
});

export const leaveWaitlist = rpc('scheduling.leaveWaitlist', {
  summary: 'Leave the waitlist',
  description: 'Removes the entry, and releases what is offered to it.',
  kind: 'write',
  input: ofEntry,
  output: z.object({}),
  errors: ['resource_not_found', 'change_in_progress'],
});

export const waitlistJoined = event('scheduling', 'waitlist.joined', waitlistEntry);
export const waitlistOffered = event('scheduling', 'waitlist.offered', waitlistEntry);
export const waitlistAccepted = event('scheduling', 'waitlist.accepted', waitlistEntry);
export const waitlistExpired = event('scheduling', 'waitlist.expired', waitlistEntry);
