import type { CreatePoolBody, Pool } from '@swim/sdk';

/** The fields of the form of a pool, as typed. */
export interface PoolValues {
  readonly name: string;
  readonly address: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly timezone: string;
  readonly lanes: string;
}

/** The form of a pool as it is stored; of a new one, that of a school in a time zone. */
export const valuesOf = (pool: Pool | null, timezone: string): PoolValues => ({
  name: pool?.name ?? '',
  address: pool?.address ?? '',
  latitude: pool ? String(pool.latitude) : '',
  longitude: pool ? String(pool.longitude) : '',
  timezone: pool?.timezone ?? timezone,
  lanes: pool?.lanes == null ? '' : String(pool.lanes),
});

/** The degrees of a text, with a point or a comma; null where it is no number from `-most` to `most`. */
export function degreesOf(text: string, most: number): number | null {
  if (!/^\s*[-+]?\d{1,3}(?:[.,]\d{1,15})?\s*$/.test(text)) return null;
  const degrees = Number(text.replace(',', '.'));
  return Math.abs(degrees) <= most ? degrees : null;
}

/**
 * The place of a text in which both coordinates stand, as maps on the web copy them: `52.532, 13.385`. Null for any other text.
 */
export function placeOf(text: string): Pick<PoolValues, 'latitude' | 'longitude'> | null {
  const [, latitude, longitude] = /^\s*([-+]?\d{1,3}\.\d+)\s*[,;]?\s+([-+]?\d{1,3}\.\d+)\s*$/.exec(text) ?? [];
  return latitude !== undefined && longitude !== undefined ? { latitude, longitude } : null;
}

/** The number of lanes of a text: null where it is empty, for no limit; undefined where it is none from 1 to 100. */
export function lanesOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const lanes = /^\s*\d{1,3}\s*$/.test(text) ? Number(text) : 0;
  return lanes >= 1 && lanes <= 100 ? lanes : undefined;
}

/** The body of a request for the form; null while a number of it is none, and without a time zone. */
export function bodyOf({ name, address, timezone, ...numbers }: PoolValues): CreatePoolBody | null {
  const latitude = degreesOf(numbers.latitude, 90);
  const longitude = degreesOf(numbers.longitude, 180);
  const lanes = lanesOf(numbers.lanes);
  if (latitude === null || longitude === null || lanes === undefined || timezone === '') return null;
  return { name: name.trim(), address: address.trim(), latitude, longitude, timezone, lanes };
}
