import { describe, expect, it } from '@jest/globals';
import { principal, SCOPES } from '@swim/contracts';
import { aPrincipal, aSchedule, daysAfter, inDays } from './builders.js';

describe('builders', () => {
  it('create a principal of the sandbox with all scopes, a different one each time', () => {
    const [one, other] = [aPrincipal(), aPrincipal({ kind: 'school' })];
    expect(principal.parse(one)).toEqual(one);
    expect([one.env, one.scopes, other.kind]).toEqual(['test', [...SCOPES], 'school']);
    expect(one.accountId).not.toBe(other.accountId);
  });

  it('create a schedule that is open every day', () => {
    expect(aSchedule().weekly.map(({ day }) => day)).toEqual(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);
    expect(aSchedule({ weekly: [] })).toMatchObject({ weekly: [], maximum_days_ahead: 1_000 });
  });

  it('create a future time of day, in UTC, also past the end of a month', () => {
    const after = daysAfter(new Date('2027-01-31T23:59:59Z'));
    expect(after(1)).toBe('2027-02-01T10:00:00.000Z');
    expect(after(0, 23, 45)).toBe('2027-01-31T23:45:00.000Z');
    expect(Date.parse(inDays(1))).toBeGreaterThan(Date.now());
  });
});
