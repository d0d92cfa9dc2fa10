import { describe, expect, it } from '@jest/globals';
import { availabilitySchedule } from '@swim/contracts';
import { changedFields, heldCertifications, newProfile } from './instructor.rules.js';

const school = { timezone: 'Europe/Madrid', currency: 'EUR' };
const ines = newProfile({ name: 'Inés Gil', email: 'Ines@Example.test', hourly_rate_cents: 5000 }, school);

describe('a new instructor', () => {
  it('has the zone and currency of the school, the schedule’s defaults, no rating and no reviews', () => {
    expect(ines).toMatchObject({
      timezone: 'Europe/Madrid',
      currency: 'EUR',
      status: 'active',
      maxGroupSize: 1,
      phone: null,
      bio: null,
      photoUrl: null,
      schedule: availabilitySchedule.parse({}),
      rating: { average: null, count: 0 },
      reviews: [],
      emailKey: 'ines@example.test',
    });
    expect(ines.searchWords).toEqual(expect.arrayContaining(['ines', 'gil', 'ines@example.test']));
  });
});

describe('a change of an instructor', () => {
  it('is empty when no value differs, whatever the version', () => {
    expect(changedFields(ines, { name: 'Inés Gil', bio: null, languages: [], version: 3 })).toEqual({});
  });

  it('of name or e-mail updates the search words and the unique key', () => {
    expect(changedFields(ines, { email: 'GIL@example.test' })).toEqual({
      email: 'GIL@example.test',
      emailKey: 'gil@example.test',
      searchWords: expect.arrayContaining(['ines', 'gil', 'gil@example.test']),
    });
  });

  it('of the schedule keeps its other members', () => {
    const now = { ...ines, schedule: { ...ines.schedule, buffer_before_minutes: 10 } };
    const weekly = [{ day: 'mon' as const, start: '09:00', end: '12:00' }];
    expect(changedFields(now, { availability_schedule: { weekly } }).schedule).toEqual({ ...now.schedule, weekly });
  });
});

describe('certifications', () => {
  it('are created unverified, and stay verified only while none of their fields changes', () => {
    const [fresh] = heldCertifications([{ type: 'Water Safety Instructor', expires_at: '2030-01-01' }]);
    expect(fresh).toMatchObject({ typeKey: 'water safety instructor', issuer: null, issuedAt: null, verified: false });
    const verified = [{ ...fresh!, verified: true }];
    expect(
      heldCertifications([{ type: 'Water Safety Instructor', expires_at: '2030-01-01' }], verified)[0]!.verified,
    ).toBe(true);
    expect(
      heldCertifications([{ type: 'Water Safety Instructor', expires_at: '2031-01-01' }], verified)[0]!.verified,
    ).toBe(false);
  });
});
