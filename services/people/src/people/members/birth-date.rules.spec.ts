import { describe, expect, it } from '@jest/globals';
import { ageOn, birthDateReason } from './birth-date.rules.js';

describe('a date of birth', () => {
  it.each([
    ['2027-03-01', '2027-03-01', 'not_in_past'],
    ['2027-03-02', '2027-03-01', 'not_in_past'],
    ['2027-02-28', '2027-03-01', null],
    ['2024-02-29', '2028-02-29', null],
    ['2028-02-29', '2028-02-29', 'not_in_past'],
    ['2028-02-29', '2028-03-01', null],
  ])('%s on %s: %s', (date, today, rejection) => {
    expect(birthDateReason(date, today)).toBe(rejection);
  });

  it.each([
    ['1907-03-01', '2027-03-01', null],
    ['1907-02-28', '2027-03-01', 'out_of_range'],
    ['1908-02-29', '2028-02-29', null],
    ['1908-02-28', '2028-02-29', 'out_of_range'],
    // 1900 had no February 29: a birth the day before is more than 120 years ago, a birth the day after is not.
    ['1900-02-28', '2020-02-29', 'out_of_range'],
    ['1900-03-01', '2020-02-29', null],
    ['0001-01-01', '2027-03-01', 'out_of_range'],
  ])('may lie 120 years back: %s on %s: %s', (date, today, rejection) => {
    expect(birthDateReason(date, today)).toBe(rejection);
  });
});

it.each([
  ['2020-05-10', '2027-05-09', 6],
  ['2020-05-10', '2027-05-10', 7],
  ['2020-02-29', '2027-02-28', 6],
  ['2020-02-29', '2027-03-01', 7],
])('somebody born on %s is on %s %i years old', (dateOfBirth, date, years) => {
  expect(ageOn(dateOfBirth, date)).toBe(years);
});
