import { expect, it } from '@jest/globals';
import { bodyOf, type SubstitutionValues } from './substitution-body.ts';

const ZONE = 'Europe/Berlin';
const VALUES: SubstitutionValues = {
  instructor: 'ins_1',
  substitute: 'ins_2',
  from: { date: '2027-03-01', time: '08:00' },
  to: { date: '2027-03-01', time: '18:00' },
  skips: false,
};

it('the body of a substitution has its times by the clock of the instructor', () => {
  const body = {
    instructor_id: 'ins_1',
    substitute_id: 'ins_2',
    from: '2027-03-01T07:00:00.000Z',
    to: '2027-03-01T17:00:00.000Z',
  };
  expect(bodyOf(VALUES, ZONE)).toEqual({ ...body, on_conflict: 'fail' });
  expect(bodyOf({ ...VALUES, skips: true }, ZONE)).toEqual({ ...body, on_conflict: 'skip' });
});

it.each([
  ['an instructor', { instructor: '' }],
  ['a substitute', { substitute: '' }],
  ['a beginning', { from: { date: '2027-03-01', time: '' } }],
  ['an end', { to: { date: '', time: '18:00' } }],
])('the body of a substitution needs %s', (_, changes) => {
  expect(bodyOf({ ...VALUES, ...changes }, ZONE)).toBeNull();
});
