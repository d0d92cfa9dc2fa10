import type { Roster } from '@swim/sdk';

export type Pupil = Roster['lessons'][number]['sessions'][number];
export type Attendance = Pupil['attendance'];

/** What was noted about a child. */
export interface Mark {
  readonly lessonId: string;
  readonly sessionId: string;
  readonly attendance: Attendance;
  /** When it was noted, ISO 8601. Those that were noted together are sent together. */
  readonly recordedAt: string;
}

const NEXT: Readonly<Record<Attendance, Attendance>> = {
  pending: 'attended',
  attended: 'no_show',
  no_show: 'excused',
  excused: 'pending',
};

/** What a tap on a child notes. */
export const nextOf = (attendance: Attendance): Attendance => NEXT[attendance];

/** Marks with later ones, which replace those of the same children. */
export function withMarks(marks: readonly Mark[], later: readonly Mark[]): readonly Mark[] {
  const ids = new Set(later.map(({ sessionId }) => sessionId));
  return [...marks.filter(({ sessionId }) => !ids.has(sessionId)), ...later];
}

/** The marks to send next: those that were noted together with the first. */
export function batchOf(marks: readonly Mark[]): readonly Mark[] {
  const [first] = marks;
  return marks.filter(({ lessonId, recordedAt }) => lessonId === first?.lessonId && recordedAt === first.recordedAt);
}

/** Marks without those that are answered; one that was replaced meanwhile stays. */
export const withoutMarks = (marks: readonly Mark[], answered: readonly Mark[]): readonly Mark[] =>
  marks.filter((mark) => !answered.includes(mark));

/** The instant of a mark: no two that follow each other have the same, whatever the clock of the device does. */
export function instantAfter(nowMs: number, last: string | undefined): string {
  return new Date(Math.max(nowMs, last === undefined ? 0 : Date.parse(last) + 1)).toISOString();
}
