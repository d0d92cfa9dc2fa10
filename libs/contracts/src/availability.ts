import { z } from 'zod';
import { dateOrInstant, id, timezone } from './formats.js';
import { rpc } from './operation.js';
import { availabilitySchedule } from './schedule.js';
import { durationMinutes } from './sessions.js';

export const getAvailability = rpc('scheduling.getAvailability', {
  kind: 'read',
  callers: ['gateway'],
  input: z.strictObject({
    instructor_id: id('ins'),
    date_from: dateOrInstant.optional(),
    date_to: dateOrInstant.optional(),
    timezone: timezone.default('UTC'),
    duration_minutes: z
      .union([
        durationMinutes,
        z
          .string()
          .regex(/^\d{1,4}$/, { error: 'invalid_type' })
          .transform(Number)
          .pipe(durationMinutes),
      ])
      .default(30),
  }),
  output: z.object({
    instructor_id: z.string(),
    timezone: z.string(),
    schedule: availabilitySchedule,
    slots: z.array(z.object({ start: z.string(), end: z.string(), duration_minutes: z.int() })),
  }),
  errors: ['resource_not_found', 'range_reversed', 'range_too_long'],
});

/** Maximum number of instructors in one request of `findFreeInstructors`. */
export const MOST_IN_BATCH = 500;

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
    instructors: z
      .array(z.strictObject({ id: id('ins'), timezone, schedule: availabilitySchedule }))
      .max(MOST_IN_BATCH),
  }),
  output: z.object({ free: z.array(z.string()) }),
});
