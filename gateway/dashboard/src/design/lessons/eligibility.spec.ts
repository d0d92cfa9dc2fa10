import { expect, it } from '@jest/globals';
import { ageOn, misfitOf } from './eligibility.ts';

const LESSON = { levels: ['beginner' as const], min_age_years: 5, max_age_years: 7 };
const DAY = '2027-03-28';

it('a year is complete on the birthday', () => {
  expect(['2020-03-27', '2020-03-28', '2020-03-29'].map((born) => ageOn(born, DAY))).toEqual([7, 7, 6]);
});

it.each([
  ['level', 'advanced', '2021-01-01'],
  ['min_age', 'beginner', '2022-03-29'],
  ['max_age', 'beginner', '2019-03-28'],
  [null, 'beginner', '2022-03-28'],
  [null, 'beginner', '2019-03-29'],
] as const)('does not fit because of %s: a member of level %s who was born on %s', (misfit, level, born) => {
  expect(misfitOf(LESSON, { level, born }, DAY)).toBe(misfit);
});

it('a lesson without levels and ages fits everybody', () => {
  const open = { levels: [], min_age_years: null, max_age_years: null };
  expect(misfitOf(open, { level: 'proficient', born: '1950-01-01' }, DAY)).toBeNull();
});
