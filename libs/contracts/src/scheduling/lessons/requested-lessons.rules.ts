import type { Reason } from '../../errors/errors.js';
import type { DescribedLesson } from '../claims.js';

/** Why no places can be taken in requested lessons together, and the field at fault. */
export interface LessonsRejection {
  reason: Extract<
    Reason,
    'not_found' | 'lessons_of_several_schools' | 'currency_mismatch' | 'invalid_value' | 'overlapping_sessions'
  >;
  field: string;
  message?: string;
  /** The values that are allowed. */
  details?: { allowed: string[] };
}

/** Why these lessons, which are those of `lesson_ids` as the account sees them, cannot be booked or held together; null when they can. */
export function lessonsRejection(
  lessons: readonly (DescribedLesson | null)[],
  { instructor_id }: { instructor_id?: string | undefined },
): LessonsRejection | null {
  const unknown = lessons.indexOf(null);
  if (unknown !== -1) return { reason: 'not_found', field: `lesson_ids.${unknown}` };
  const [first, ...others] = lessons as [DescribedLesson, ...DescribedLesson[]];
  if (others.some(({ schoolId }) => schoolId !== first.schoolId))
    return { reason: 'lessons_of_several_schools', field: 'lesson_ids' };
  if (others.some(({ currency }) => currency !== first.currency))
    return { reason: 'currency_mismatch', field: 'lesson_ids' };
  if (instructor_id !== undefined && instructor_id !== first.instructorId)
    return {
      reason: 'invalid_value',
      field: 'instructor_id',
      message: `instructor_id must be that of the first lesson, ${first.instructorId}.`,
      details: { allowed: [first.instructorId] },
    };
  return areApart([first, ...others]) ? null : { reason: 'overlapping_sessions', field: 'lesson_ids' };
}

const endOf = ({ date, durationMinutes }: DescribedLesson): number => Date.parse(date) + durationMinutes * 60_000;

function areApart(lessons: readonly DescribedLesson[]): boolean {
  const inOrder = [...lessons].sort((a, b) => Date.parse(a.date) - Date.parse(b.date));
  return inOrder.every((lesson, index) => index === 0 || endOf(inOrder[index - 1]!) <= Date.parse(lesson.date));
}
