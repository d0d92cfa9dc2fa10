import type { LessonDocument } from './lesson.schema.js';

/** How long after the end of the last lesson that a member's account booked with a school that may still read the member. */
const READABLE_AFTER_LESSON_MS = 365 * 86_400_000;

/** Until when a school may read a member. A lapsed right stays stored: its school still gets the event of an erasure. */
export interface SchoolRight {
  /** The school's account. */
  id: string;
  /** Null: all their lessons were cancelled. */
  until: Date | null;
}

/** The last lesson with a school that a member's account booked. */
export interface LastLesson {
  schoolId: string;
  /** When the latest lesson that is not cancelled ends; null when all are cancelled. */
  endsAt: Date | null;
}

/** The fields of a member that decide who may read it. */
export interface Readable {
  /** Its account; empty once erased. */
  readers: readonly string[];
  schools: readonly SchoolRight[];
}

const NO_CLOCKS: ReadonlyMap<string, Date> = new Map();

const rightOf = ({ schoolId, endsAt }: LastLesson): SchoolRight => ({
  id: schoolId,
  until: endsAt && readableUntil(endsAt),
});

/** The rights that follow from the last lessons; schools without a lesson stay in the list, without a right. */
export function rightsAfter(lessons: readonly LastLesson[], known: readonly SchoolRight[]): SchoolRight[] {
  const lapsed = known.filter(({ id }) => !lessons.some(({ schoolId }) => schoolId === id));
  return [...lessons.map(rightOf), ...lapsed.map(({ id }) => ({ id, until: null }))];
}

/** Until when a school may read a member by a lesson that ends then. */
export const readableUntil = (endsAt: Date): Date => new Date(endsAt.getTime() + READABLE_AFTER_LESSON_MS);

/** What a lesson contributes to its school's right. */
export type LessonTerm = Pick<LessonDocument, 'schoolId' | 'endsAt' | 'status'>;

/** A lesson as it is stored now, and as it was stored before; null when it is new. */
export interface LessonChange {
  before: LessonTerm | null;
  after: LessonTerm;
}

/** Until when a school may read a member by this lesson alone; null when it was cancelled. */
const untilBy = ({ status, endsAt }: LessonTerm): Date | null =>
  status === 'cancelled' || !endsAt ? null : readableUntil(endsAt);

const areSame = (a: Date | null, b: Date | null): boolean => a?.getTime() === b?.getTime();

/** Whether a change of a lesson can change a right. */
export const concernsRights = ({ before, after }: LessonChange): boolean =>
  !before || before.schoolId !== after.schoolId || !areSame(untilBy(before), untilBy(after));

/** Whether a lesson was cancelled, or moved to an earlier time. */
const isShortened = ({ before, after }: LessonChange): boolean => {
  const [former, until] = [before && untilBy(before), untilBy(after)];
  return former !== null && (until === null || until < former);
};

/**
 * The rights after a lesson changed; null when they depend on other lessons, because the right may have been that of the lesson as
 * it was, or the school is new to the member.
 */
export function rightsAfterChange(known: readonly SchoolRight[], change: LessonChange): SchoolRight[] | null {
  const { before, after } = change;
  const { schoolId } = after;
  if (before && before.schoolId !== schoolId) return null;
  if (schoolId === null) return [...known];
  const right = known.find(({ id }) => id === schoolId);
  if (!right || !after.endsAt) return null;
  const until = untilBy(after);
  if (isShortened(change) && !(right.until && untilBy(before!)! < right.until)) return null;
  if (until === null || (right.until && right.until >= until)) return [...known];
  return known.map((each) => (each === right ? { id: schoolId, until } : each));
}

/** A lesson that was cancelled or moved to an earlier time. */
interface ShortenedLesson {
  schoolId: string;
  /** When it ended before. */
  formerEnd: Date;
}

/**
 * The lesson that a change has shortened, of a school whose right is known; null for any other change. When `rightsAfterChange` is
 * null for it, the right was that of the lesson, and now follows from the school's last lesson up to the former end (see
 * `rightsAfterLast`).
 */
export function shortenedBy(known: readonly SchoolRight[], change: LessonChange): ShortenedLesson | null {
  const { before, after } = change;
  const school = known.find(({ id }) => id === after.schoolId && id === before?.schoolId);
  return school && isShortened(change) ? { schoolId: school.id, formerEnd: before!.endsAt! } : null;
}

/** The rights with that of one known school replaced by that of its last lesson. */
export const rightsAfterLast = (known: readonly SchoolRight[], last: LastLesson): SchoolRight[] =>
  known.map((each) => (each.id === last.schoolId ? rightOf(last) : each));

/**
 * The accounts that may read a member now: its own, and the schools whose right has not lapsed, by their own clock where that is
 * later.
 */
export function readersAt(
  { readers, schools }: Readable,
  now: Date,
  clocks: ReadonlyMap<string, Date> = NO_CLOCKS,
): string[] {
  const current = schools.filter(({ id, until }) => until !== null && until > now && until > (clocks.get(id) ?? now));
  return [...new Set([...readers, ...current.map(({ id }) => id)])];
}

/** The schools that may read a member, or once could. */
export const schoolIdsOf = ({ schools }: Pick<Readable, 'schools'>): string[] => schools.map(({ id }) => id);

/** All accounts that may read a member, or once could. */
export const everyReader = ({ readers, schools }: Readable): string[] => [
  ...new Set([...readers, ...schools.map(({ id }) => id)]),
];
