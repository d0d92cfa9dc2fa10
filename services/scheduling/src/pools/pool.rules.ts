import type { Pool, PoolChanges } from '@swim/contracts';

/** The fields of a pool that a school sets. */
export type PoolFields = Pick<Pool, 'name' | 'address' | 'latitude' | 'longitude' | 'timezone' | 'lanes'>;

// Uncounted lanes are claimed too: the school may set a number later, and a pool in use must not be removed.
export const UNCOUNTED_LANES = 1_000_000;

/** A pool and how many groups may use it at once. */
export interface CountedPool {
  id: string;
  lanes: number;
}

/** The school of an instructor, and the instructor's pools in their order, whether or not they exist. */
export interface PoolsOfInstructor {
  schoolId: string;
  poolIds: readonly string[];
}

/** The pool in which an instructor teaches by default: the first that exists and belongs to the school (contract, Sessions). */
export function defaultPoolOf<P extends { accountId: string }>(
  { schoolId, poolIds }: PoolsOfInstructor,
  known: ReadonlyMap<string, P>,
): P | null {
  for (const id of poolIds) {
    const pool = known.get(id);
    if (pool?.accountId === schoolId) return pool;
  }
  return null;
}

/** The fields of a pool that a patch changes, without its metadata. */
export function differences(pool: PoolFields, requested: Omit<PoolChanges, 'metadata'>): Partial<PoolFields> {
  const names = Object.keys(requested) as (keyof PoolFields)[];
  const different = names.filter((name) => requested[name] !== undefined && requested[name] !== pool[name]);
  return Object.fromEntries(different.map((name) => [name, requested[name]]));
}
