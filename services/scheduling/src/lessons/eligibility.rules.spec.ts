import { describe, expect, it } from '@jest/globals';
import { ageOn, unfitFor } from './eligibility.rules.js';

const lesson = { levels: [], minAgeYears: null, maxAgeYears: null, start: new Date('2027-03-01T23:30:00Z') };
const member = { id: 'mem_1', level: 'beginner' as const, dateOfBirth: '2020-03-02' };

describe('the age on the date of a lesson', () => {
  it('is that of the local date', () => {
    expect(ageOn(member.dateOfBirth, lesson.start, 'UTC')).toBe(6);
    expect(ageOn(member.dateOfBirth, lesson.start, 'Europe/Berlin')).toBe(7);
  });

  it('grows on 1 March for who was born on 29 February, in other years', () => {
    expect(ageOn('2020-02-29', new Date('2027-02-28T12:00:00Z'), 'UTC')).toBe(6);
    expect(ageOn('2020-02-29', new Date('2027-03-01T12:00:00Z'), 'UTC')).toBe(7);
  });
});

describe('a lesson', () => {
  it('without levels and ages fits each', () => {
    expect(unfitFor(lesson, member, 'UTC')).toBeNull();
  });

  it('fits its levels only, and both of its ages', () => {
    expect(unfitFor({ ...lesson, levels: ['advanced'] }, member, 'UTC')).toBe('level');
    expect(unfitFor({ ...lesson, minAgeYears: 7 }, member, 'UTC')).toBe('min_age');
    expect(unfitFor({ ...lesson, maxAgeYears: 5 }, member, 'UTC')).toBe('max_age');
    expect(unfitFor({ ...lesson, minAgeYears: 6, maxAgeYears: 6, levels: ['beginner'] }, member, 'UTC')).toBeNull();
  });
});
