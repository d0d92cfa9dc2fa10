import { randomFillSync } from 'node:crypto';

const FETCHED_BYTES = 4_096;
const fetched = Buffer.alloc(FETCHED_BYTES);
let used = FETCHED_BYTES;

/** Random bytes for ids, tokens and initialization vectors, at most 4,096: many are fetched from the system at once. */
export function nextRandomBytes(count: number): Buffer {
  if (used + count > FETCHED_BYTES) {
    randomFillSync(fetched);
    used = 0;
  }
  used += count;
  return Buffer.from(fetched.subarray(used - count, used));
}
