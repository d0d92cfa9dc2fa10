import { expect, it } from '@jest/globals';
import { datesOf } from './class-dates.ts';

const twice = { start_local: '2027-03-02T16:00', weekdays: ['mon', 'thu'] as const };

it('the dates of a class are its weekdays from the first day on, as many as are counted', () => {
  expect(datesOf({ ...twice, count: 3 })).toEqual(['2027-03-04', '2027-03-08', '2027-03-11']);
});

it('or until the last day, inclusive', () => {
  expect(datesOf({ ...twice, until: '2027-03-08' })).toEqual(['2027-03-04', '2027-03-08']);
});

it('are none without a weekday', () => {
  expect(datesOf({ ...twice, weekdays: [], count: 3 })).toEqual([]);
});
