import { expect, it } from '@jest/globals';
import { queryOf } from './query.ts';

const instructors = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `ins_${at}`, account_id: `acct_${at % 2}` }));

it('names the instructors among whom is searched', () => {
  expect(queryOf({ minutes: 30, instructors: instructors(2) }, 'Europe/Berlin')).toEqual({
    duration_minutes: 30,
    timezone: 'Europe/Berlin',
    instructor_ids: 'ins_0,ins_1',
  });
});

it('names the schools of more than 50, each once', () => {
  expect(queryOf({ minutes: 30, instructors: instructors(50) }, 'UTC')).not.toHaveProperty('account_id');
  expect(queryOf({ minutes: 45, instructors: instructors(51) }, 'UTC')).toEqual({
    duration_minutes: 45,
    timezone: 'UTC',
    account_id: 'acct_0,acct_1',
  });
});
