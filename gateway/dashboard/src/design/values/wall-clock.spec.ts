import { expect, it } from '@jest/globals';
import { instantAt, wallClockAt } from './wall-clock.ts';

const ZONE = 'Europe/Berlin';

it('an instant fills date and time by the clock of a time zone', () => {
  expect(wallClockAt('2027-03-27T23:30:00.000Z', ZONE)).toEqual({ date: '2027-03-28', time: '00:30' });
});

it.each([
  ['2027-03-28', '16:00', '2027-03-28T14:00:00.000Z'],
  ['2027-03-28', '02:30', '2027-03-28T01:30:00.000Z'],
  ['2027-10-31', '02:30', '2027-10-31T00:30:00.000Z'],
  ['2027-02-30', '16:00', null],
  ['2027-03-28', '', null],
  ['', '16:00', null],
])('%s %s is the instant %s', (date, time, instant) => {
  expect(instantAt({ date, time }, ZONE)).toBe(instant);
});
