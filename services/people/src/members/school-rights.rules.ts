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

/** The rights after a lesson was added: no right gets shorter. */
export function rightsWith(
  known: readonly SchoolRight[],
  { schoolId, endsAt }: { schoolId: string | null; endsAt: Date },
): SchoolRight[] {
  if (schoolId === null) return [...known];
  const until = new Date(endsAt.getTime() + READABLE_AFTER_LESSON_MS);
  if (!known.some(({ id }) => id === schoolId)) return [...known, { id: schoolId, until }];
  const isLater = (right: SchoolRight) => right.id === schoolId && (right.until === null || right.until < until);
  return known.map((right) => (isLater(right) ? { id: schoolId, until } : right));
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
