import { describe, expect, it } from '@jest/globals';
import { daysAfter, isDisabledBy, type TryDays } from './try-days.rules.js';

const on = (day: number, time = '12:00') => new Date(`2027-03-0${day}T${time}:00Z`);
const after = (...tries: [day: number, isSuccess: boolean, time?: string][]) =>
  tries.reduce<TryDays | null>(
    (days, [day, isSuccess, time]) => daysAfter(days, on(day, time), isSuccess) ?? days,
    null,
  );
const failing = (...days: number[]) => after(...days.map((day): [number, boolean] => [day, false]));

describe('an endpoint is disabled', () => {
  it('by a try that fails once tries have failed, and none succeeded, on five days in a row', () => {
    const days = failing(1, 2, 3, 4, 5);
    expect(days).toEqual({ last: on(5), failed: 5 });
    expect([on(5, '23:59'), on(6, '00:00'), on(8)].map((at) => isDisabledBy(days, at))).toEqual([false, true, true]);
  });

  it('by no failures that lie five days apart', () => {
    expect(isDisabledBy(failing(1), on(6))).toBe(false);
    expect(isDisabledBy(failing(1, 3, 4, 5, 6), on(7))).toBe(false);
    expect(isDisabledBy(null, on(7))).toBe(false);
  });

  it('by no days of which one had a success, however many tries failed on it', () => {
    expect(after([1, false], [2, false], [3, true, '08:00'], [3, false], [4, false])).toEqual({
      last: on(4),
      failed: 1,
    });
    expect(after([1, false], [2, false], [3, false], [3, true, '18:00'], [4, false])).toEqual({
      last: on(4),
      failed: 1,
    });
  });
});

it('the days change with the first try of a day and with its first success, so that few are written', () => {
  expect(daysAfter(null, on(1), true)).toEqual({ last: on(1), failed: 0 });
  expect(daysAfter({ last: on(1), failed: 0 }, on(1, '18:00'), true)).toBeNull();
  expect(daysAfter({ last: on(1), failed: 0 }, on(1, '18:00'), false)).toBeNull();
  expect(daysAfter({ last: on(2), failed: 2 }, on(2, '18:00'), false)).toBeNull();
  // A try that began on the day before.
  expect(daysAfter({ last: on(2), failed: 2 }, on(1), false)).toBeNull();
});
