import { randomFillSync } from 'node:crypto';
import { sharedClock } from '@swim/platform';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_BYTES = 16;
const pool = Buffer.alloc(RANDOM_BYTES * 256);
let used = pool.length;

function nextRandom(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += RANDOM_BYTES;
  return used - RANDOM_BYTES;
}

// Ten digits hold the 48 bits of the time. Of the sixteen after them the first begins with the version (0111), the
// fourth holds the variant (10) in its middle; all other bits are random.
function digitOf(index: number, random: number): number {
  if (index === 0) return 0b01110 | (random & 0b00001);
  if (index === 3) return 0b01000 | (random & 0b10011);
  return random & 0b11111;
}

/** A fresh `req_…`: a TypeID of a UUIDv7, like every other id. Every request needs one, so it is written out here. */
export function newRequestId(): string {
  const start = nextRandom();
  let text = '';
  for (let index = 0, time = sharedClock.nowMs(); index < 10; index++, time = Math.floor(time / 32))
    text = ALPHABET[time % 32] + text;
  for (let index = 0; index < RANDOM_BYTES; index++) text += ALPHABET[digitOf(index, pool[start + index]!)];
  return `req_${text}`;
}
