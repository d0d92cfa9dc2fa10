import { z } from 'zod';
import { id, idText, instantOrDate, instantText } from '../formats/formats.js';
import { changingFilters, listQuery, several } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';
import { durationMinutes } from './sessions.js';

export const WAITLIST_STATUSES = ['waiting', 'offered', 'accepted', 'expired'] as const;

/**
 * A member's place on the waitlist for an instructor's time. `waiting` → `offered` (a hold of 30 minutes, in `offer`) →
 * `accepted` by a booking with that hold, or `expired`; a place that waited in vain until `date_to` expires too.
 */
export const waitlistEntry = apiObject('waitlist_entry', {
  id: idText('wl'),
  account_id: idText('acct'),
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

const rangeMs = (from: string, to: string): number => Date.parse(to) - Date.parse(from);

const holdsLesson = (lengthMs: number, durationMinutes: number): boolean =>
  lengthMs <= 0 || lengthMs >= durationMinutes * 60_000;

/**
 * Joins the waitlist for any time of the requested length from `date_from` until `date_to`; at most a year. A bare date
 * is UTC midnight.
 */
export const joinWaitlist = rpc('scheduling.joinWaitlist', {
  summary: 'Join the waitlist',
  description: 'When time becomes free that fits, it is offered to the first in line as a hold of 30 minutes.',
  kind: 'write',
  input: z
    .strictObject({
      instructor_id: id('ins'),
      member_id: id('mem'),
      date_from: instantOrDate,
      date_to: instantOrDate,
      duration_minutes: durationMinutes,
    })
    .refine(({ date_from, date_to }) => rangeMs(date_from, date_to) > 0, {
      error: 'range_reversed',
      path: ['date_to'],
      params: { expected: 'later than date_from' },
    })
    .refine(({ date_from, date_to, duration_minutes }) => holdsLesson(rangeMs(date_from, date_to), duration_minutes), {
      error: 'out_of_range',
      path: ['date_to'],
      params: { expected: 'at least duration_minutes after date_from, so that a lesson fits between them' },
    }),
  output: waitlistEntry,
  errors: [
    'not_found',
    'inactive_instructor',
    'school_only',
    'in_past',
    'too_far_ahead',
    'range_reversed',
    'range_too_long',
    'already_exists',
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
