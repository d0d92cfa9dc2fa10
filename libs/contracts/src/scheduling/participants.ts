import { z } from 'zod';
import { clockOffsetMs, dateText, id } from '../formats/formats.js';
import { swimmingLevel } from '../formats/person.js';
import { rpc } from '../operations/operation.js';
import { INSTRUCTOR_STATUSES } from '../people/instructors.js';
import { availabilitySchedule } from '../people/schedule.js';

/**
 * Everything a booking needs to know of an instructor and members, as the account may see them: null for what does
 * not exist or the caller may not use, members in the order of the request. A member may be used by its own account and by a
 * school that may read it. `version` is that of the instructor.
 */
export const describeParticipants = rpc('people.describeParticipants', {
  kind: 'read',
  callers: ['booking', 'scheduling'],
  input: z.strictObject({
    instructorId: id('ins').nullable(),
    memberIds: z.array(id('mem')).max(20),
    withAges: z.boolean().optional(),
  }),
  output: z.object({
    instructor: z
      .object({
        id: z.string(),
        schoolId: z.string(),
        name: z.string(),
        status: z.enum(INSTRUCTOR_STATUSES),
        timezone: z.string(),
        schedule: availabilitySchedule,
        hourlyRateCents: z.int(),
        currency: z.string(),
        maxGroupSize: z.int(),
        /** The last day on which any certification is valid; null when none is listed, or one has no end. */
        certifiedUntil: dateText.nullable(),
        levelsTaught: z.array(swimmingLevel),
        /** The first of `poolIds`, whether or not it exists. */
        defaultPoolId: z.string().nullable(),
        /** The instructor's pools in their order, whether or not they exist. */
        poolIds: z.array(z.string()),
        version: z.int(),
      })
      .nullable(),
    policies: z
      .object({
        freeCancellationHours: z.int(),
        lateFeePercent: z.int(),
        noShowFeePercent: z.int(),
        requirePrepayment: z.boolean(),
        enforceAvailability: z.boolean(),
        makeupCredits: z.boolean(),
        progressVisible: z.boolean(),
      })
      .nullable(),
    members: z.array(
      z
        .object({
          id: z.string(),
          accountId: z.string(),
          level: swimmingLevel,
          /** Only with `withAges`. */
          dateOfBirth: dateText.optional(),
        })
        .nullable(),
    ),
    /** What connects the members' account with the school; absent for members of the school itself. */
    connection: z
      .object({
        /** What is planned in an earlier generation than that of an end is void. */
        generation: z.int(),
        /** Whether the school may read all of these members. */
        names: z.boolean(),
        isEndedBySchool: z.boolean(),
      })
      .optional(),
    /** The later clock of the school and the members' account, or else the caller's. */
    clockOffsetMs: clockOffsetMs.optional(),
  }),
});
export type Participants = z.output<typeof describeParticipants.output>;
