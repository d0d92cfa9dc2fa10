import { CalendarDate } from '@internationalized/date';
import { expect, it } from '@jest/globals';
import { isWholeDay, outsideOf } from './outside.ts';

const MONDAY = new CalendarDate(2027, 3, 1);
const days = [MONDAY, MONDAY.add({ days: 1 })];
const publishing = (weekly: { day: 'mon'; start: string; end: string }[]) => ({
  timezone: 'Europe/Berlin',
  availability_schedule: { weekly, overrides: [] },
});

it('time between and around the published hours is outside, and so is a day without hours', () => {
  const instructor = publishing([
    { day: 'mon', start: '14:00', end: '18:00' },
    { day: 'mon', start: '09:00', end: '12:00' },
  ]);
  const outside = outsideOf(days, instructor as never, 'Europe/Berlin');
  expect(outside).toEqual([
    { day: 0, startMinutes: 0, endMinutes: 540 },
    { day: 0, startMinutes: 720, endMinutes: 840 },
    { day: 0, startMinutes: 1080, endMinutes: 1440 },
    { day: 1, startMinutes: 0, endMinutes: 1440 },
  ]);
  expect(outside.map(isWholeDay)).toEqual([false, false, false, true]);
});

it('nothing is outside where no hours are published', () => {
  expect(outsideOf(days, publishing([]) as never, 'Europe/Berlin')).toEqual([]);
});
