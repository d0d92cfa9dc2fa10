import type { Pool, PoolChanges } from '@swim/contracts';

/** The fields of a pool that a school sets. */
export type PoolFields = Pick<Pool, 'name' | 'address' | 'latitude' | 'longitude' | 'timezone' | 'lanes'>;

/** The fields of a pool that a patch changes, without its metadata. */
export function differences(pool: PoolFields, requested: Omit<PoolChanges, 'metadata'>): Partial<PoolFields> {
  const names = Object.keys(requested) as (keyof PoolFields)[];
  const different = names.filter((name) => requested[name] !== undefined && requested[name] !== pool[name]);
  return Object.fromEntries(different.map((name) => [name, requested[name]]));
}
