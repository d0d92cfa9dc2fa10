import { createHash } from 'node:crypto';
import type { IdPrefix } from '@swim/contracts';
import { TypeID, typeidUnboxed } from 'typeid-js';

/** A fresh TypeID: prefix, underscore, UUIDv7 in base32; ids of one process sort by the time they were made. */
export const newId = (prefix: IdPrefix): string => typeidUnboxed(prefix);

/**
 * An id that is a function of another id and a salt: the time of the source, the rest a SHA-256. Retries of the same
 * work thus arrive at the same id.
 */
export function derivedId(prefix: IdPrefix, source: string, salt: string): string {
  const time = TypeID.fromString(source).toUUIDBytes().subarray(0, 6);
  const bytes = Buffer.from(createHash('sha256').update(`${prefix}|${source}|${salt}`).digest().subarray(0, 16));
  bytes.set(time, 0);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

/** When an id was made (UUIDv7, RFC 9562 section 5.7), to the millisecond; for a derived id, when its source was. */
export function timeOfId(id: string): Date {
  const bytes = TypeID.fromString(id).toUUIDBytes();
  return new Date(Buffer.from(bytes).readUIntBE(0, 6));
}

/** The same id under another prefix: an object and the work that makes it can share one time and one randomness. */
export const withPrefix = (prefix: IdPrefix, id: string): string => `${prefix}_${id.slice(id.indexOf('_') + 1)}`;
