import type { Pool, PoolChanges } from '@swim/contracts';

/** The fields of a pool that a school sets. */
export type PoolFields = Pick<Pool, 'name' | 'address' | 'latitude' | 'longitude' | 'timezone' | 'lanes'>;

/** The fields of a pool that a patch changes; null when it changes none. */
export function differences(pool: PoolFields, requested: PoolChanges): Partial<PoolFields> | null {
  const names = Object.keys(requested) as (keyof PoolFields)[];
  const different = names.filter((name) => requested[name] !== undefined && requested[name] !== pool[name]);
  return different.length === 0 ? null : Object.fromEntries(different.map((name) => [name, requested[name]]));
}
