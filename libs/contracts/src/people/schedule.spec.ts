import { describe, expect, it } from '@jest/globals';
import { validationErrorOf } from '../validation/validation-error.js';
import { availabilitySchedule } from './schedule.js';

const outcomeOf = (value: unknown): unknown => {
  const parsed = availabilitySchedule.safeParse(value, { reportInput: true });
  if (parsed.success) return 'taken';
  const { field, reason } = validationErrorOf(parsed.error).details;
  return `${field}: ${reason}`;
};

const messageOf = (value: unknown): string =>
  validationErrorOf(availabilitySchedule.safeParse(value, { reportInput: true }).error!).message;

const weekly = (...windows: [string, string, string][]) => ({
  weekly: windows.map(([day, start, end]) => ({ day, start, end })),
});
const override = (rest: object) => ({ overrides: [{ date: '2027-03-01', ...rest }] });

describe('an availability schedule', () => {
  it('that is empty has the defaults of the contract', () => {
    expect(availabilitySchedule.parse({})).toEqual({
      weekly: [],
      overrides: [],
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
      minimum_notice_minutes: 0,
      maximum_days_ahead: 365,
      slot_interval_minutes: 30,
    });
  });

  it('parses its own output as the same', () => {
    const once = availabilitySchedule.parse({
      ...weekly(['mon', '09:00', '12:00']),
      ...override({ unavailable: true }),
    });
    expect(availabilitySchedule.parse(once)).toEqual(once);
  });

  it.each([
    ['the whole day', weekly(['mon', '00:00', '24:00'])],
    ['several windows of a day', weekly(['sun', '09:00', '12:00'], ['sun', '13:00', '17:00'])],
    ['windows that overlap', weekly(['tue', '09:00', '12:00'], ['tue', '11:00', '13:00'])],
    ['a date with windows of its own', override({ windows: [{ start: '09:00', end: '10:00' }] })],
    ['a date without windows', override({ windows: [] })],
    ['a date with windows and unavailable: false', override({ windows: [], unavailable: false })],
    ['a date that is unavailable', override({ unavailable: true })],
  ])('takes %s', (_, schedule) => {
    expect(outcomeOf(schedule)).toBe('taken');
  });

  it.each([
    ['of the week', weekly(['mon', '22:00', '02:00'])],
    ['that ends at midnight as 00:00', weekly(['mon', '22:00', '00:00'])],
    ['as long as a day', weekly(['mon', '09:00', '09:00'])],
    ['of a date', override({ windows: [{ start: '22:00', end: '02:00' }] })],
  ])('says how to split a window %s that ends past midnight', (_, schedule) => {
    expect(messageOf(schedule)).toMatch(
      /end must be later than start; hours past midnight are two windows: one until 24:00, and one from 00:00 of the next day\.$/,
    );
  });

  it.each([
    ['a window that ends before it starts', weekly(['mon', '12:00', '09:00']), 'weekly.0.end: range_reversed'],
    ['a window that ends as it starts', weekly(['mon', '09:00', '09:00']), 'weekly.0.end: range_reversed'],
    ['a window that starts at the end of the day', weekly(['mon', '24:00', '24:00']), 'weekly.0.end: range_reversed'],
    ['a window that crosses midnight', weekly(['mon', '22:00', '02:00']), 'weekly.0.end: range_reversed'],
    ['a window in a day that is none', weekly(['monday', '09:00', '10:00']), 'weekly.0.day: invalid_value'],
    ['a window until 25 o’clock', weekly(['mon', '09:00', '25:00']), 'weekly.0.end: invalid_format'],
    [
      'a reversed window of a date',
      override({ windows: [{ start: '10:00', end: '09:00' }] }),
      'overrides.0.windows.0.end: range_reversed',
    ],
    [
      'a date with windows that is unavailable',
      override({ windows: [], unavailable: true }),
      'overrides.0.windows: mutually_exclusive',
    ],
    ['a date without windows or unavailable', override({}), 'overrides.0.windows: required'],
    ['a date with unavailable: false alone', override({ unavailable: false }), 'overrides.0.windows: required'],
    [
      'a date that does not exist',
      { overrides: [{ date: '2027-02-30', unavailable: true }] },
      'overrides.0.date: invalid_date',
    ],
    ['a negative buffer', { buffer_before_minutes: -1 }, 'buffer_before_minutes: too_small'],
    ['a buffer of five hours', { buffer_after_minutes: 300 }, 'buffer_after_minutes: too_large'],
    ['half a minute of notice', { minimum_notice_minutes: 0.5 }, 'minimum_notice_minutes: invalid_type'],
    ['no day ahead', { maximum_days_ahead: 0 }, 'maximum_days_ahead: too_small'],
    ['slots of no length', { slot_interval_minutes: 0 }, 'slot_interval_minutes: too_small'],
    ['a field of another thing', { timezone: 'UTC' }, 'timezone: unknown_field'],
  ])('rejects %s', (_, schedule, outcome) => {
    expect(outcomeOf(schedule)).toBe(outcome);
  });
});
