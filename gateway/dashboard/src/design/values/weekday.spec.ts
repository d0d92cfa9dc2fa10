import { expect, it } from '@jest/globals';
import { weekdayName, weekdayOf } from './weekday.ts';

it('a day has the weekday of the calendar, named in each language', () => {
  expect(['2026-11-30', '2026-12-06', '2024-02-29'].map(weekdayOf)).toEqual(['mon', 'sun', 'thu']);
  expect(['en-GB', 'de-DE'].map((tag) => weekdayName('sun', tag))).toEqual(['Sunday', 'Sonntag']);
});
