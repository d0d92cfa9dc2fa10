import { describe, expect, it } from '@jest/globals';
import {
  endedSessionReason,
  endOfIdle,
  isEndedBy,
  isRotationDue,
  isSessionUseWorthNoting,
  keptSecondsOf,
} from './session.rules.js';

const HOUR_MS = 3_600_000;
const createdAt = new Date('2027-03-01T10:00:00Z');
const after = (hours: number) => new Date(createdAt.getTime() + hours * HOUR_MS);

describe('a session', () => {
  it('ends after 12 hours without use, or 30 days for one that stays signed in', () => {
    expect(endOfIdle({ createdAt, isKept: false }, after(5))).toEqual(after(17));
    expect(endOfIdle({ createdAt, isKept: true }, after(5))).toEqual(after(5 + 30 * 24));
  });

  it('ends 90 days after its sign-in, however it is used', () => {
    expect(endOfIdle({ createdAt, isKept: true }, after(89 * 24))).toEqual(after(90 * 24));
  });

  it('is ended at the very instant of its end, and when it was revoked', () => {
    const expiresAt = after(12);
    expect(endedSessionReason({ revokedAt: null, expiresAt }, after(11))).toBeNull();
    expect(endedSessionReason({ revokedAt: null, expiresAt }, after(12))).toBe('expired_key');
    expect(endedSessionReason({ revokedAt: after(1), expiresAt }, after(2))).toBe('revoked_key');
  });

  it('is ended by a change of how its user signs in that was made later, in another session', () => {
    const session = { _id: 'uss_1', createdAt };
    expect(isEndedBy({ at: after(1), sessionId: 'uss_2' }, session)).toBe(true);
    expect(isEndedBy({ at: after(1), sessionId: null }, session)).toBe(true);
    expect(isEndedBy({ at: after(1), sessionId: 'uss_1' }, session)).toBe(false);
    expect(isEndedBy({ at: createdAt, sessionId: 'uss_2' }, session)).toBe(false);
  });

  it('records a use once a minute, and rotates its cookie once a day', () => {
    expect(isSessionUseWorthNoting({ lastUsedAt: createdAt }, after(59 / 3_600))).toBe(false);
    expect(isSessionUseWorthNoting({ lastUsedAt: createdAt }, after(60 / 3_600))).toBe(true);
    expect(isRotationDue({ rotatedAt: createdAt }, after(23))).toBe(false);
    expect(isRotationDue({ rotatedAt: createdAt }, after(24))).toBe(true);
  });

  it('is kept by the browser for 30 days, or until it is closed', () => {
    expect(keptSecondsOf({ isKept: true })).toBe(30 * 24 * 3_600);
    expect(keptSecondsOf({ isKept: false })).toBeNull();
  });
});
