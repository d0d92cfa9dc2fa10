import { z } from 'zod';
import { locale } from '../accounts/accounts.js';
import { id, instantText } from '../formats/formats.js';
import { rpc } from '../operations/operation.js';

/** The program that writes calendars, as feeds and e-mails name it (RFC 5545 section 3.7.3). */
export const CALENDAR_PRODUCT = '-//Swim Lesson Scheduling//Lessons//EN';

/** A token with which calendar programs read a feed. It is shown this once; a dry run has none. */
export const calendarToken = z.object({
  token: z.string().nullable(),
  url: z.string().nullable().meta({
    description: 'The address of the feed, to be pasted into a calendar program; anyone who has it can read the feed',
  }),
  created_at: instantText,
});
export type CalendarToken = z.output<typeof calendarToken>;

const ofInstructor = { instructor_id: id('ins') };
const ofMember = { member_id: id('mem') };

/** Makes the token of an instructor's feed, by the instructor's school; the one before it ends. */
export const mintInstructorCalendarToken = rpc('scheduling.mintInstructorCalendarToken', {
  summary: 'Create the calendar feed of an instructor',
  description:
    'Makes the secret URL of the feed, and ends an earlier one. It is shown once. The key also needs `sessions:read`.',
  kind: 'write',
  input: z.strictObject(ofInstructor),
  output: calendarToken,
  reveals: 'sessions:read',
  errors: ['school_only', 'resource_not_found', 'change_in_progress'],
});

/** Makes the token of a member's feed, by the member's account; the one before it ends. */
export const mintMemberCalendarToken = rpc('scheduling.mintMemberCalendarToken', {
  summary: 'Create the calendar feed of a member',
  description:
    'Makes the secret URL of the feed, and ends an earlier one. It is shown once. The key also needs `sessions:read`.',
  kind: 'write',
  input: z.strictObject(ofMember),
  output: calendarToken,
  reveals: 'sessions:read',
  errors: ['resource_not_found', 'change_in_progress'],
});

export const revokeInstructorCalendarToken = rpc('scheduling.revokeInstructorCalendarToken', {
  summary: 'End the calendar feed of an instructor',
  description: 'Its URL is 404 from then on.',
  kind: 'write',
  input: z.strictObject(ofInstructor),
  output: z.object({}),
  errors: ['resource_not_found'],
});

export const revokeMemberCalendarToken = rpc('scheduling.revokeMemberCalendarToken', {
  summary: 'End the calendar feed of a member',
  description: 'Its URL is 404 from then on.',
  kind: 'write',
  input: z.strictObject(ofMember),
  output: z.object({}),
  errors: ['resource_not_found'],
});

const ofFeed = {
  token: z
    .string()
    .max(100)
    .meta({
      description: 'The token of the feed, as it was answered when it was made',
      pattern: '^[^\\u0000]*$',
      examples: ['cal_test_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo1a2b3c4d'],
    }),
  /** The tag of what the reader has already. */
  known_tags: z.array(z.string().max(64)).max(20).default([]),
};

/** What identifies the present content of a feed, and its text; null where the reader has that content. */
const feed = z.object({ tag: z.string(), text: z.string().nullable() });
export type CalendarFeed = z.output<typeof feed>;

/**
 * The lessons of an instructor from 90 days ago to 365 days ahead, as iCalendar, without names of members. `token` is the
 * digest of the token in the URL.
 */
export const readInstructorCalendar = rpc('scheduling.readInstructorCalendar', {
  summary: 'Read the calendar of an instructor',
  description: 'Lessons from 90 days back to 365 days ahead as iCalendar (RFC 5545).',
  kind: 'read',
  isIsolated: true,
  input: z.strictObject({ ...ofInstructor, ...ofFeed }),
  output: feed,
  errors: ['resource_not_found'],
});

/** The lessons of a member, like `readInstructorCalendar`; the entries name the instructor. */
export const readMemberCalendar = rpc('scheduling.readMemberCalendar', {
  summary: 'Read the calendar of a member',
  description: 'Lessons from 90 days back to 365 days ahead as iCalendar (RFC 5545).',
  kind: 'read',
  isIsolated: true,
  input: z.strictObject({ ...ofMember, ...ofFeed }),
  output: feed,
  errors: ['resource_not_found'],
});

/** The most instructors whose names one calendar has. */
export const MOST_NAMED_INSTRUCTORS = 200;

/**
 * What a calendar says beside times: the language of the account whose feed it is, and the names of instructors. Null
 * for an account that does not exist or is being erased; instructors that no longer exist are omitted.
 */
export const describeCalendar = rpc('people.describeCalendar', {
  kind: 'read',
  callers: ['scheduling'],
  isIsolated: true,
  input: z.strictObject({
    accountId: id('acct'),
    instructorIds: z.array(id('ins')).max(MOST_NAMED_INSTRUCTORS),
  }),
  output: z
    .object({
      locale,
      instructors: z.array(z.object({ id: z.string(), name: z.string() })),
    })
    .nullable(),
});
export type CalendarDescription = NonNullable<z.output<typeof describeCalendar.output>>;

/** The most lessons that are described at once: those of a booking of 52 dates for ten members. */
export const MOST_LESSONS_OF_MESSAGE = 520;

/**
 * Where lessons, and a time that is offered, are, as a message or an invitation says it: the kind of place, and name and address of a
 * pool. What no longer exists is omitted.
 */
export const describePlaces = rpc('scheduling.describePlaces', {
  kind: 'read',
  callers: ['notification'],
  isIsolated: true,
  input: z.strictObject({
    sessionIds: z.array(id('ses')).max(MOST_LESSONS_OF_MESSAGE),
    /** The hold of the offer. */
    holdId: id('hold').optional(),
  }),
  output: z.array(
    z.object({ id: z.string(), type: z.enum(['pool', 'home', 'open_water']), pool: z.string().nullable() }),
  ),
});
export type LessonPlace = z.output<typeof describePlaces.output>[number];
