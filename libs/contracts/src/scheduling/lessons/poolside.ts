import { z } from 'zod';
import { calendarDate, dateText, id, idText, timestamp } from '../../formats/formats.js';
import { swimmingLevel } from '../../formats/person.js';
import { rpc } from '../../operations/operation.js';
import { emergencyContact } from '../../people/members.js';
import { ATTENDANCES } from '../sessions.js';
import { lesson } from './lessons.js';

const MOST_ENTRIES = 100;

/** What a school may know of a member at the poolside; null in each field once it may no longer read the member. */
const pupilFields = {
  name: z.string().nullable(),
  age_years: z.int().nullable(),
  swimming_level: swimmingLevel.nullable(),
  has_medical_notes: z.boolean().nullable(),
  medical_notes: z.string().nullable(),
  emergency_contact: emergencyContact.nullable(),
};

/**
 * What the requesting account may read of these members, with their ages on a date; those that it may not read are left out. The read is
 * in the access log.
 */
export const describePupils = rpc('people.describePupils', {
  kind: 'read',
  callers: ['scheduling'],
  input: z.strictObject({ memberIds: z.array(id('mem')).max(3_000), date: calendarDate }),
  output: z.object({ pupils: z.array(z.object({ member_id: idText('mem'), ...pupilFields })) }),
});
export type Pupil = z.output<typeof describePupils.output>['pupils'][number];

const rosterSession = z.object({
  session_id: idText('ses'),
  member_id: idText('mem'),
  ...pupilFields,
  age_years: pupilFields.age_years.meta({ description: 'Age on the day of the lesson' }),
  has_medical_notes: pupilFields.has_medical_notes.meta({ description: 'Whether there are medical notes' }),
  medical_notes: pupilFields.medical_notes.meta({ description: 'Null to a key without the scope `members:medical`' }),
  attendance: z.enum(ATTENDANCES),
  first_lesson_with_school: z
    .boolean()
    .meta({ description: 'Whether the member has attended none of the school before' }),
});
export type RosterSession = z.output<typeof rosterSession>;

export const getRoster = rpc('scheduling.getRoster', {
  summary: 'Get a roster',
  description:
    'The lessons of an instructor on a day in the zone of the instructor, in order, with who takes part in each. What the school may not read of a member is null. Each read is in the access log of the members. Only the school may, and its instructor from 7 days before to 7 days after today.',
  kind: 'read',
  reveals: 'members:medical',
  input: z.strictObject({
    instructor_id: id('ins'),
    date: calendarDate.meta({ description: 'The day, in the zone of the instructor' }),
  }),
  output: z.object({
    instructor_id: idText('ins'),
    date: dateText.meta({ description: 'The day, in the zone of the instructor' }),
    timezone: z.string(),
    lessons: z
      .array(lesson.omit({ sessions: true }).extend({ sessions: z.array(rosterSession) }))
      .meta({ description: 'The lessons of the day that are not cancelled, in order' }),
  }),
  errors: ['school_only', 'resource_not_found'],
});
export type Roster = z.output<typeof getRoster.output>;

/** Whether a member is on a roster that the requesting user of the role `instructor` may read now. */
export const checkRoster = rpc('scheduling.checkRoster', {
  kind: 'read',
  callers: ['people'],
  input: z.strictObject({ memberId: id('mem') }),
  output: z.object({ isOnRoster: z.boolean() }),
});

const entryAnswer = z.object({
  session_id: idText('ses'),
  status: z.enum(['recorded', 'unchanged', 'rejected']).meta({ description: 'What became of the entry' }),
  reason: z
    .enum(['not_started', 'invalid_state', 'not_found', 'recorded_later'])
    .optional()
    .meta({ description: 'Why it was rejected, or that a later recording counts' }),
});
export type AttendanceAnswer = z.output<typeof entryAnswer>;

export const recordLessonAttendance = rpc('scheduling.recordLessonAttendance', {
  summary: 'Record who came to a lesson',
  description:
    'Records the attendance of several sessions of a lesson, with one answer for each entry: what is wrong with one changes no other. The same again changes nothing, and of two recordings the one with the later `recorded_at` counts. Only the school may.',
  kind: 'write',
  input: z.strictObject({
    lesson_id: id('lsn'),
    entries: z
      .array(z.strictObject({ session_id: id('ses'), attendance: z.enum(ATTENDANCES) }))
      .min(1)
      .max(MOST_ENTRIES)
      .meta({ description: 'Who came' }),
    recorded_at: timestamp
      .meta({ description: 'When it was noted, at most a minute ahead of the clock of the school; now without it' })
      .optional(),
  }),
  output: z.object({
    lesson_id: idText('lsn'),
    entries: z.array(entryAnswer).meta({ description: 'What became of each entry, in order' }),
  }),
  errors: ['resource_not_found', 'school_only', 'out_of_range', 'change_in_progress'],
});
export type RecordedAttendance = z.output<typeof recordLessonAttendance.output>;
