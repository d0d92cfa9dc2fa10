import { describe, expect, it } from '@jest/globals';
import { timeOfId } from '@swim/platform';
import { newRequestId } from './request-head.js';

describe('a new request id', () => {
  it('is a TypeID of a UUIDv7 with the current time', () => {
    for (let round = 0; round < 2_000; round++) {
      const before = Date.now();
      const id = newRequestId();
      const after = Date.now();
      expect(id).toMatch(/^req_[0-7][0-9a-hjkmnp-tv-z]{9}[ef][0-9a-hjkmnp-tv-z]{2}[89abr-tv][0-9a-hjkmnp-tv-z]{12}$/);
      const madeAtMs = timeOfId(id).getTime();
      expect(madeAtMs).toBeGreaterThan(before - 1_000);
      expect(madeAtMs).toBeLessThan(after + 1_000);
    }
  });

  it('is never repeated', () => {
    expect(new Set(Array.from({ length: 50_000 }, newRequestId)).size).toBe(50_000);
  });
});
