import type { Session } from '@swim/contracts';

/** The outcome of a session for its member so far. */
export interface LessonOutcome {
  status: Session['status'];
  attendance: Session['attendance'];
}

/** The counts of a member's progress. */
export interface LessonCounts {
  completed: number;
  attended: number;
  missed: number;
}

/** Share of attended lessons among those with recorded attendance, 0 to 1; null when none was recorded. */
export const attendanceRate = ({ attended, missed }: LessonCounts): number | null =>
  attended + missed === 0 ? null : attended / (attended + missed);

/** Counts from outcomes with their frequencies. Attendance of a cancelled session is not counted. */
export function countsOf(outcomes: readonly (LessonOutcome & { times: number })[]): LessonCounts {
  const sum = (counts: (outcome: LessonOutcome) => boolean) =>
    outcomes.filter(counts).reduce((total, { times }) => total + times, 0);
  return {
    completed: sum(({ status }) => status === 'completed'),
    attended: sum(({ status, attendance }) => status !== 'cancelled' && attendance === 'attended'),
    missed: sum(({ status, attendance }) => status !== 'cancelled' && attendance === 'no_show'),
  };
}
