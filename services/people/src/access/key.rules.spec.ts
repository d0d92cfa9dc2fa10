import { describe, expect, it } from '@jest/globals';
import { isUseWorthNoting, refusalOfKey } from './key.rules.js';

const now = new Date('2027-01-01T00:00:00.000Z');
const later = new Date(now.getTime() + 1);

describe('a key', () => {
  it('works until the instant it expires', () => {
    expect(refusalOfKey({ revokedAt: null, expiresAt: null }, now)).toBeNull();
    expect(refusalOfKey({ revokedAt: null, expiresAt: later }, now)).toBeNull();
    expect(refusalOfKey({ revokedAt: null, expiresAt: now }, now)).toBe('expired_key');
  });

  it('is refused as revoked whether or not it has expired too', () => {
    expect(refusalOfKey({ revokedAt: now, expiresAt: now }, later)).toBe('revoked_key');
  });

  it('has its use noted at most once a minute', () => {
    expect(isUseWorthNoting(null, now)).toBe(true);
    expect(isUseWorthNoting(new Date(now.getTime() - 59_999), now)).toBe(false);
    expect(isUseWorthNoting(new Date(now.getTime() - 60_000), now)).toBe(true);
  });
});
