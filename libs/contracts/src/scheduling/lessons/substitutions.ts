import { z } from 'zod';
import { id, idText, timestamp } from '../../formats/formats.js';
import { rpc } from '../../operations/operation.js';

/** The lessons that a substitute cannot take over. */
export const skippedLessons = z
  .array(
    z.object({
      lesson_id: idText('lsn'),
      reason: z.string().meta({ description: 'Why the substitute cannot take it over, such as `instructor_busy`' }),
    }),
  )
  .meta({ description: 'The lessons that the substitute cannot take over' });

export const createSubstitution = rpc('scheduling.createSubstitution', {
  summary: 'Substitute an instructor',
  description:
    'Another instructor of the school takes over the lessons of a time, at unchanged prices. With `on_conflict: fail` nothing changes unless all lessons fit when they are checked before the first change. Only the school may.',
  kind: 'write',
  input: z
    .strictObject({
      instructor_id: id('ins').meta({ description: 'The instructor who does not teach' }),
      substitute_id: id('ins').meta({ description: 'The instructor who takes over' }),
      from: timestamp.meta({ description: 'The beginning of the time' }),
      to: timestamp.meta({ description: 'The end of the time' }),
      on_conflict: z
        .enum(['fail', 'skip'])
        .default('fail')
        .meta({ description: '`skip`: leaves the lessons that do not fit with their instructor' }),
      notify_participants: z.boolean().default(true),
    })
    .refine(({ instructor_id, substitute_id }) => instructor_id !== substitute_id, {
      error: 'invalid_value',
      path: ['substitute_id'],
      params: { expected: 'another instructor than instructor_id' },
    })
    .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
      error: 'range_reversed',
      path: ['to'],
      params: { expected: 'later than from' },
    }),
  output: z.object({
    moved: z.array(idText('lsn')).meta({ description: 'The lessons that the substitute has taken over' }),
    skipped: skippedLessons,
  }),
  errors: ['school_only', 'not_found', 'inactive_instructor', 'range_reversed', 'conflicting_lessons', 'busy_retry'],
});
