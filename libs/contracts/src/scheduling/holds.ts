import { z } from 'zod';
import { hasOneOf, id, idText, instantText } from '../formats/formats.js';
import { changingFilters, listQuery, several } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { rpc } from '../operations/operation.js';
import { bookedTimes, groupOfMembers, requestedLessons } from './group.js';
import { location } from './sessions.js';

export const HOLD_STATUSES = ['active', 'converted', 'expired'] as const;

/**
 * Time kept for a booking to come. `active` until `expires_at`, a UTC timestamp; `converted` once a booking has it.
 * `waitlist_id` names the entry to which it was offered.
 */
export const hold = apiObject('hold', {
  id: idText('hold'),
  account_id: idText('acct'),
  instructor_id: idText('ins'),
  member_ids: z.array(idText('mem')),
  lesson_ids: z.array(idText('lsn')).nullable(),
  sessions: z.array(z.object({ date: instantText, end_date: instantText, duration_minutes: z.int() })),
  location: z.object({ type: z.string(), pool_id: idText('pool').nullable() }).nullable(),
  status: z.enum(HOLD_STATUSES),
  booking_id: idText('bkg').nullable(),
  waitlist_id: idText('wl').nullable(),
  expires_at: instantText,
  created_at: instantText,
  updated_at: instantText,
});
export type Hold = z.output<typeof hold>;

/**
 * Holds all of the times, or a place of each member in all of the lessons, for 1 to 30 minutes, or none; members and instructor as a
 * booking would have them, within the published hours. An account may have 3 live holds with 60 hours of sessions in all, a school ten times that; more is
 * `limit_reached`. Offers of the waitlist do not count.
 */
export const createHold = rpc('scheduling.createHold', {
  summary: 'Hold times',
  description:
    'Reserves times, or places in lessons, for some minutes, so that nobody else books them. Book them with `hold_id`.',
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
      sessions: bookedTimes.optional(),
      location: location.optional(),
      expires_in_minutes: z.int().min(1).max(30).default(5),
    })
    .refine((input) => input.sessions || input.lesson_ids, { error: 'required', path: ['sessions'] })
    .refine((input) => input.instructor_id || input.lesson_ids, { error: 'required', path: ['instructor_id'] })
    .refine((input) => !(input.lesson_ids && (input.sessions || input.location)), {
      error: 'mutually_exclusive',
      path: ['lesson_ids'],
      params: { excludes: 'sessions and location' },
    })
    .meta(hasOneOf('sessions', 'lesson_ids')),
  output: hold,
  errors: [
    'conflicting_dates',
    'busy_retry',
    'not_found',
    'in_past',
    'too_far_ahead',
    'inactive_instructor',
    'connection_ended',
    'members_of_several_accounts',
    'group_too_large',
    'school_only',
    'limit_reached',
    'change_in_progress',
    'lesson_full',
    'not_eligible',
    'member_busy',
    'outside_availability',
    'closed',
    'invalid_state',
    'invalid_value',
    'lessons_of_several_schools',
    'currency_mismatch',
    'overlapping_sessions',
  ],
});

export const listHolds = rpc('scheduling.listHolds', {
  summary: 'List holds',
  description: 'The holds of the account, newest first.',
  kind: 'list',
  input: listQuery({
    instructor_id: id('ins').optional(),
    status: several(HOLD_STATUSES).optional(),
    ...changingFilters('hold'),
  }),
  output: hold,
});

const ofHold = z.strictObject({ hold_id: id('hold') });

export const getHold = rpc('scheduling.getHold', {
  summary: 'Get a hold',
  description: 'A hold, also after it has expired or was booked.',
  kind: 'read',
  input: ofHold,
  output: hold,
  errors: ['resource_not_found'],
});

/** Gives the time back at once. A hold that a booking has is `invalid_state`: cancel the booking. */
export const removeHold = rpc('scheduling.removeHold', {
  summary: 'Release a hold',
  description: 'Frees the times of the hold at once.',
  kind: 'write',
  input: ofHold,
  output: z.object({}),
  errors: ['resource_not_found', 'invalid_state', 'change_in_progress'],
});

/**
 * The salts from which the ids of the sessions of a hold are derived, by the index of their time among `startsMs` and their member. They
 * depend on the order of the times in the calendar, not on that of the list: a request that books the hold may list them in another order.
 */
export function heldSessionSalts(startsMs: readonly number[]): (index: number, memberId: string) => string {
  const inOrder = [...startsMs.keys()].sort((a, b) => startsMs[a]! - startsMs[b]! || a - b);
  return (index, memberId) => `${inOrder.indexOf(index)}/${memberId}`;
}
