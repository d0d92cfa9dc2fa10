import { describe, expect, it } from '@jest/globals';
import { FailedAttempts } from './failed-attempts.js';

describe('failed attempts', () => {
  it('are counted by network within a clock minute, and rejected beyond the limit until it ends', () => {
    let nowMs = Date.UTC(2027, 0, 1, 10, 0, 45);
    const attempts = new FailedAttempts(3, () => nowMs);
    const note = (network: string) => () => attempts.note(network);
    for (let round = 0; round < 3; round++) expect(note('192.0.2.1')).not.toThrow();
    expect(note('192.0.2.1')).toThrow(
      expect.objectContaining({ reason: 'authentication_attempts', retryAfterSeconds: 15 }),
    );
    expect(note('192.0.2.2')).not.toThrow();
    nowMs += 14_999;
    expect(note('192.0.2.1')).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
    nowMs += 1;
    expect(note('192.0.2.1')).not.toThrow();
  });
});
