/** What the connection of its account with a school says of a member, as of a revision of the connection. */
export interface SchoolRight {
  /** The school's account. */
  id: string;
  /** Whether the connection is active and names the member. Where it is not, the school still gets the event of an erasure. */
  isActive: boolean;
  /** How often the connection had ended, or left a member out. */
  generation: number;
  revision: number;
}

/** The fields of a member that decide who may read it. */
export interface Readable {
  /** Its account; empty once erased. */
  readers: readonly string[];
  schools: readonly SchoolRight[];
}

/** The accounts that may read a member now: its own, and the schools whose connection names it. */
export const readersOf = ({ readers, schools }: Readable): string[] => [
  ...new Set([...readers, ...schools.flatMap(({ id, isActive }) => (isActive ? id : []))]),
];

/** All accounts that may read a member, or once could. */
export const everyReader = ({ readers, schools }: Readable): string[] => [
  ...new Set([...readers, ...schools.map(({ id }) => id)]),
];

/**
 * The rights with this one; null when they have it, or that of a later revision. One that has ended is stored where there was none: a late
 * run of an earlier revision must not give it.
 */
export function withRight(schools: readonly SchoolRight[], right: SchoolRight): SchoolRight[] | null {
  const known = schools.find(({ id }) => id === right.id);
  if (known && known.revision >= right.revision) return null;
  return [...schools.filter((each) => each !== known), right];
}
