import type { Pool, PoolChanges } from '@swim/contracts';

/** What a school says of its pool. */
export type PoolFields = Pick<Pool, 'name' | 'address' | 'latitude' | 'longitude' | 'timezone' | 'lanes'>;

/** What a patch really changes of a pool; null when all is as it wants it already. */
export function differences(pool: PoolFields, requested: PoolChanges): Partial<PoolFields> | null {
  const names = Object.keys(requested) as (keyof PoolFields)[];
  const different = names.filter((name) => requested[name] !== undefined && requested[name] !== pool[name]);
  return different.length === 0 ? null : Object.fromEntries(different.map((name) => [name, requested[name]]));
}
