import type { Session } from '@swim/contracts';

/** How a session ended for its member, so far. */
export interface LessonOutcome {
  status: Session['status'];
  attendance: Session['attendance'];
}

/** What progress counts. */
export interface LessonCounts {
  completed: number;
  attended: number;
  missed: number;
}

/** Share of the lessons come to among those of which it was noted, 0 to 1; null when it was noted of none. */
export const attendanceRate = ({ attended, missed }: LessonCounts): number | null =>
  attended + missed === 0 ? null : attended / (attended + missed);

/** Counts of outcomes that occur so many times each. Who came to a session that was cancelled is not counted. */
export function countsOf(outcomes: readonly (LessonOutcome & { times: number })[]): LessonCounts {
  const sum = (counts: (outcome: LessonOutcome) => boolean) =>
    outcomes.filter(counts).reduce((total, { times }) => total + times, 0);
  return {
    completed: sum(({ status }) => status === 'completed'),
    attended: sum(({ status, attendance }) => status !== 'cancelled' && attendance === 'attended'),
    missed: sum(({ status, attendance }) => status !== 'cancelled' && attendance === 'no_show'),
  };
}
