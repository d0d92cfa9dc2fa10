import { describe, expect, it } from '@jest/globals';
import { newTotpSecret, stepOfCode, totpUrl } from './otpauth.adapter.js';

// RFC 6238 appendix B: the secret is the ASCII text 12345678901234567890.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1_000);

describe('a code of an authenticator app', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [2_000_000_000, '279037', 66_666_666],
  ])('of RFC 6238 at %d s is right, with its step', (seconds, code, step) => {
    expect(stepOfCode(SECRET, code, at(seconds))).toBe(step);
  });

  it('is right one step earlier and later, and no more', () => {
    expect(stepOfCode(SECRET, '287082', at(60 + 29))).toBe(1);
    expect(stepOfCode(SECRET, '287082', at(29))).toBe(1);
    expect(stepOfCode(SECRET, '287082', at(90))).toBeNull();
    expect(stepOfCode(SECRET, '287083', at(59))).toBeNull();
  });
});

describe('a secret', () => {
  it('has 160 bits, and is in the link of the app', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(totpUrl(secret, 'rita@example.test')).toMatch(/^otpauth:\/\/totp\/Swim%20Lessons:rita%40example\.test\?/);
    expect(totpUrl(secret, 'rita@example.test')).toContain(`secret=${secret}`);
  });
});
