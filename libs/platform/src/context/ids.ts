import { hash } from 'node:crypto';
import type { IdPrefix } from '@swim/contracts';
import { fromUUIDBytes, type TypeId, toUUIDBytes } from 'typeid-js';
import { nextRandomBytes } from '../secrets/random-bytes.js';
import { sharedClock } from './clock.js';

const UUID_BYTES = 16;
// These characters encode the 48 bits of a UUIDv7's time: three in the first character of base32, five in each other
// one.
const TIME_CHARACTERS = 10;

// When the clock is set back by at most this, ids keep growing; beyond, they follow the clock.
const MOST_BACK_MS = 1_000;
const COUNTER_END = 0x1000;
let lastMs = 0;
let counter = 0;

/**
 * Returns a UUIDv7 of the shared clock; within a millisecond a counter keeps the order (RFC 9562 section 6.2, method
 * 1).
 */
function newUuid(): Buffer {
  const bytes = nextRandomBytes(UUID_BYTES);
  const nowMs = sharedClock.nowMs();
  counter++;
  if (nowMs > lastMs || nowMs < lastMs - MOST_BACK_MS) {
    lastMs = nowMs;
    // Half of its range remains for further ids within the millisecond.
    counter = bytes.readUInt16BE(6) % (COUNTER_END / 2);
  } else if (counter === COUNTER_END) {
    lastMs++;
    counter = 0;
  }
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes;
}

/** Returns a new TypeID: prefix, underscore, UUIDv7 in base32. Ids of one process sort by creation time. */
export const newId = (prefix: IdPrefix): string => fromUUIDBytes(prefix, newUuid());

/**
 * Derives an id from another id and a salt: its time is that of the source, the rest is a SHA-256. Retries of the same
 * work get the same id.
 */
export function derivedId(prefix: IdPrefix, source: string, salt: string): string {
  const bytes = hash('sha256', `${prefix}|${source}|${salt}`, 'buffer').subarray(0, UUID_BYTES);
  bytes.fill(0, 0, 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const rest = fromUUIDBytes(prefix, bytes).slice(prefix.length + 1 + TIME_CHARACTERS);
  const timeAt = source.indexOf('_') + 1;
  return `${prefix}_${source.slice(timeAt, timeAt + TIME_CHARACTERS)}${rest}`;
}

/** Returns the time at which an id was made, to the millisecond; for a derived id, that of its source. */
export function timeOfId(id: string): Date {
  return new Date(Buffer.from(toUUIDBytes(id as TypeId<string>)).readUIntBE(0, 6));
}

// The time of a UUIDv7 has 48 bits (RFC 9562 section 5.7).
const LAST_MS = 2 ** 48 - 1;

/**
 * Returns an id that is lower than every id with this prefix made at or after an instant. Instants before 1970 or after
 * the year 10889 are replaced by the nearest possible one.
 */
export function lowestIdAt(prefix: IdPrefix, instant: Date): string {
  const bytes = Buffer.alloc(UUID_BYTES);
  bytes.writeUIntBE(Math.min(Math.max(instant.getTime(), 0), LAST_MS), 0, 6);
  return fromUUIDBytes(prefix, bytes);
}

/** The same id under another prefix: an object and the work that makes it share time and randomness. */
export const withPrefix = (prefix: IdPrefix, id: string): string => `${prefix}_${id.slice(id.indexOf('_') + 1)}`;
