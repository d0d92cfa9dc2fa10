import { describe, expect, it } from '@jest/globals';
import { endedKeyReason, endOfRolled, excessOf, isUseWorthNoting, type KeyTerms, statusOfKey } from './key.rules.js';

const now = new Date('2027-01-01T00:00:00.000Z');
const later = new Date(now.getTime() + 1);

describe('a key', () => {
  it('works until the instant it expires', () => {
    expect(endedKeyReason({ revokedAt: null, expiresAt: null }, now)).toBeNull();
    expect(endedKeyReason({ revokedAt: null, expiresAt: later }, now)).toBeNull();
    expect(endedKeyReason({ revokedAt: null, expiresAt: now }, now)).toBe('expired_key');
  });

  it('is rejected as revoked whether or not it has expired too', () => {
    expect(endedKeyReason({ revokedAt: now, expiresAt: now }, later)).toBe('revoked_key');
  });

  it('has its use recorded at most once a minute', () => {
    expect(isUseWorthNoting(null, now)).toBe(true);
    expect(isUseWorthNoting(new Date(now.getTime() - 59_999), now)).toBe(false);
    expect(isUseWorthNoting(new Date(now.getTime() - 60_000), now)).toBe(true);
  });

  it('is active, expired or revoked', () => {
    expect(statusOfKey({ revokedAt: null, expiresAt: later }, now)).toBe('active');
    expect(statusOfKey({ revokedAt: null, expiresAt: now }, now)).toBe('expired');
    expect(statusOfKey({ revokedAt: now, expiresAt: now }, now)).toBe('revoked');
  });
});

describe('a key that is rolled', () => {
  it('ends after the overlap, and never later than it would have', () => {
    expect(endOfRolled(null, 0, now)).toEqual(now);
    expect(endOfRolled(null, 72, now)).toEqual(new Date('2027-01-04T00:00:00.000Z'));
    expect(endOfRolled(later, 72, now)).toEqual(later);
    expect(endOfRolled(new Date('2028-01-01T00:00:00.000Z'), 1, now)).toEqual(new Date('2027-01-01T01:00:00.000Z'));
  });
});

describe('what a key creates', () => {
  const own: KeyTerms = { scopes: ['members:write'], ipAllowlist: ['192.0.2.0/24', '2001:db8::/32'], expiresAt: later };
  const free: KeyTerms = { scopes: ['members:write'], ipAllowlist: [], expiresAt: null };

  it('may have the key’s rights, or fewer', () => {
    expect(excessOf(own, own)).toBeNull();
    expect(excessOf({ scopes: ['members:read'] }, own)).toBeNull();
    expect(excessOf({ ipAllowlist: ['192.0.2.9'], expiresAt: now }, own)).toBeNull();
    expect(excessOf({ ipAllowlist: [], expiresAt: null }, free)).toBeNull();
    expect(excessOf({ ipAllowlist: ['198.51.100.1'], expiresAt: now }, free)).toBeNull();
    expect(excessOf({}, own)).toBeNull();
  });

  it('has no scope that the key lacks', () => {
    expect(excessOf({ scopes: ['members:read', 'members:medical'] }, own)).toEqual({
      term: 'scopes',
      scope: 'members:medical',
    });
  });

  it('works from no address that the key does not', () => {
    for (const ipAllowlist of [[], ['198.51.100.1'], ['192.0.2.1', '192.0.0.0/16'], ['::/0']])
      expect(excessOf({ ipAllowlist }, own)).toEqual({ term: 'ip_allowlist' });
  });

  it('does not outlive the key', () => {
    expect(excessOf({ expiresAt: null }, own)).toEqual({ term: 'expires_at' });
    expect(excessOf({ expiresAt: new Date(later.getTime() + 1) }, own)).toEqual({ term: 'expires_at' });
  });
});
