import { ConflictError, type Lesson } from '@swim/sdk';
import { useMutation } from '@tanstack/react-query';
import { useDryRun } from '../../../api/dry-run.ts';
import { useClient } from '../../../api/environment.tsx';
import { useRefresh } from '../calendar-data.ts';

/** When, and with whom, a lesson is to be. */
export interface Target {
  /** ISO 8601. */
  readonly date: string;
  readonly instructorId: string;
  /** Whether it may be outside the published hours of the instructor. */
  readonly outsideHours?: boolean;
}

/** A time at which the lesson could be instead. */
export interface Suggestion {
  readonly date: string;
  readonly duration_minutes: number;
}

const changesOf = (lesson: Lesson, { date, instructorId }: Target) => ({
  ...(date === lesson.date ? {} : { date }),
  ...(instructorId === lesson.instructor_id ? {} : { instructor_id: instructorId }),
});

/** The request that moves a lesson, unless somebody else has changed it since it was read; null to where it is. */
function moveOf(lesson: Lesson, target: Target) {
  const changes = changesOf(lesson, target);
  if (Object.keys(changes).length === 0) return null;
  return { ...changes, version: lesson.version, ...(target.outsideHours && { outside_hours: true }) };
}

/** The dry run of a move. */
export function useMovePreview(lesson: Lesson, target: Target) {
  const client = useClient();
  return useDryRun(lesson.id, moveOf(lesson, target), (body, options) =>
    client.lessons.update(lesson.id, body, options),
  );
}

/** Moves a lesson with all who take part. */
export function useMove() {
  const client = useClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ lesson, target }: { lesson: Lesson; target: Target }) =>
      client.lessons.update(lesson.id, moveOf(lesson, target)!),
    onSuccess: refresh,
  });
}

/** The times that the API suggests in the place of one that is taken. */
export function suggestionsOf(error: unknown): readonly Suggestion[] {
  if (!(error instanceof ConflictError)) return [];
  const { suggestions = [] } = error.details as { suggestions?: readonly Suggestion[] };
  return suggestions;
}

/** Whether the API rejects a time that the instructor does not publish. */
export const isOutsideHours = (error: unknown): boolean =>
  error instanceof ConflictError && error.details.reason === 'outside_availability';
