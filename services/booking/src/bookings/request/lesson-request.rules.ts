import type { createBooking, DescribedLesson, ParsedOf } from '@swim/contracts';
import type { Rejection } from '../../money/ledger.rules.js';

type Requested = ParsedOf<typeof createBooking>;

/** Why no booking can be made of these lessons, which are those of `lesson_ids` as the account sees them; null when one can. */
export function lessonsRejection(
  lessons: readonly (DescribedLesson | null)[],
  { instructor_id }: Pick<Requested, 'instructor_id'>,
): Rejection | null {
  const unknown = lessons.indexOf(null);
  if (unknown !== -1) return { reason: 'not_found', field: `lesson_ids.${unknown}` };
  const [first, ...others] = lessons as [DescribedLesson, ...DescribedLesson[]];
  if (others.some(({ schoolId }) => schoolId !== first.schoolId))
    return { reason: 'lessons_of_several_schools', field: 'lesson_ids' };
  if (others.some(({ currency }) => currency !== first.currency))
    return { reason: 'currency_mismatch', field: 'lesson_ids' };
  if (instructor_id !== undefined && instructor_id !== first.instructorId)
    return { reason: 'invalid_value', field: 'instructor_id' };
  return areApart([first, ...others]) ? null : { reason: 'overlapping_sessions', field: 'lesson_ids' };
}

const endOf = ({ date, durationMinutes }: DescribedLesson): number => Date.parse(date) + durationMinutes * 60_000;

function areApart(lessons: readonly DescribedLesson[]): boolean {
  const inOrder = [...lessons].sort((a, b) => Date.parse(a.date) - Date.parse(b.date));
  return inOrder.every((lesson, index) => index === 0 || endOf(inOrder[index - 1]!) <= Date.parse(lesson.date));
}
