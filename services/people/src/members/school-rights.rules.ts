import type { LessonDocument } from './lesson.schema.js';

/** How long after the end of its last lesson with a member a school may still read that member. */
const READABLE_AFTER_LESSON_MS = 365 * 86_400_000;

/** Until when a school may read a member. A lapsed right stays stored: its school still gets the event of an erasure. */
export interface SchoolRight {
  /** The school's account. */
  id: string;
  /** Null: all their lessons were cancelled. */
  until: Date | null;
}

/** A school's last lesson with a member. */
export interface LastLesson {
  schoolId: string;
  /** When the latest lesson that is not cancelled ends; null when all are cancelled. */
  endsAt: Date | null;
}

/** The fields of a member that decide who may read it. */
export interface Readable {
  /** Its account; empty once erased. */
  readers: readonly string[];
  schools?: readonly SchoolRight[];
}

/** The rights that follow from the last lessons; schools without a lesson stay in the list, without a right. */
export function rightsAfter(lessons: readonly LastLesson[], known: readonly SchoolRight[]): SchoolRight[] {
  const lapsed = known.filter(({ id }) => !lessons.some(({ schoolId }) => schoolId === id));
  return [
    ...lessons.map(({ schoolId, endsAt }) => ({
      id: schoolId,
      until: endsAt && new Date(endsAt.getTime() + READABLE_AFTER_LESSON_MS),
    })),
    ...lapsed.map(({ id }) => ({ id, until: null })),
  ];
}

/** What a lesson contributes to its school's right. */
export type LessonTerm = Pick<LessonDocument, 'schoolId' | 'endsAt' | 'status'>;

/** A lesson as it is stored now, and as it was stored before; null when it is new. */
export interface LessonChange {
  before: LessonTerm | null;
  after: LessonTerm;
}

/** Until when a school may read a member by this lesson alone; null when it was cancelled. */
const untilBy = ({ status, endsAt }: LessonTerm): Date | null =>
  status === 'cancelled' || !endsAt ? null : new Date(endsAt.getTime() + READABLE_AFTER_LESSON_MS);

const areSame = (a: Date | null, b: Date | null): boolean => a?.getTime() === b?.getTime();

/** Whether a change of a lesson can change a right. */
export const concernsRights = ({ before, after }: LessonChange): boolean =>
  !before || (before.schoolId ?? null) !== (after.schoolId ?? null) || !areSame(untilBy(before), untilBy(after));

/**
 * The rights after a lesson changed; null when they depend on other lessons, because the right may have been that of the lesson as
 * it was, or the school is new to the member.
 */
export function rightsAfterChange(
  known: readonly SchoolRight[],
  { before, after }: LessonChange,
): SchoolRight[] | null {
  const { schoolId = null } = after;
  if (before && (before.schoolId ?? null) !== schoolId) return null;
  if (schoolId === null) return [...known];
  const right = known.find(({ id }) => id === schoolId);
  if (!right || !after.endsAt || (before && !before.endsAt)) return null;
  const [former, until] = [before && untilBy(before), untilBy(after)];
  const isShortened = former !== null && (until === null || until < former);
  if (isShortened && !(right.until && former < right.until)) return null;
  if (until === null || (right.until && right.until >= until)) return [...known];
  return known.map((each) => (each === right ? { id: schoolId, until } : each));
}

/** The accounts that may read a member now: its own, and the schools whose right has not lapsed. */
export function readersAt({ readers, schools = [] }: Readable, now: Date): string[] {
  const current = schools.filter(({ until }) => until !== null && until > now);
  return [...new Set([...readers, ...current.map(({ id }) => id)])];
}

/** All accounts that may read a member, or once could. */
export const everyReader = ({ readers, schools = [] }: Readable): string[] => [
  ...new Set([...readers, ...schools.map(({ id }) => id)]),
];
