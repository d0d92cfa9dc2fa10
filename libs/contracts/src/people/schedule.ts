import { z } from 'zod';
import { calendarDate, timeOfDay } from '../formats/formats.js';

/** Days of the week as the API spells them, Monday first. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const startsBeforeEnd = (window: { start: string; end: string }) => window.start < window.end;

const ENDS_AFTER_START = {
  error: 'range_reversed',
  path: ['end'],
  params: {
    expected:
      'later than start; hours past midnight are two windows: one until 24:00, and one from 00:00 of the next day',
  },
};

const localWindow = z
  .strictObject({ start: timeOfDay, end: timeOfDay })
  .refine(startsBeforeEnd, ENDS_AFTER_START)
  .meta({ title: 'TimeWindow' });

const weeklyWindow = z
  .strictObject({ day: z.enum(WEEKDAYS), start: timeOfDay, end: timeOfDay })
  .refine(startsBeforeEnd, ENDS_AFTER_START)
  .meta({ title: 'WeeklyWindow' });

/** Replaces the weekly windows of its date: with other windows, or with none when `unavailable` is true. */
const scheduleOverride = z
  .strictObject({
    date: calendarDate,
    windows: z.array(localWindow).max(24).optional(),
    unavailable: z.boolean().optional(),
  })
  .refine(({ windows, unavailable }) => windows !== undefined || unavailable === true, {
    error: 'required',
    path: ['windows'],
    params: { expected: 'an array of windows, unless `unavailable` is true' },
  })
  .refine(({ windows, unavailable }) => windows === undefined || unavailable !== true, {
    error: 'mutually_exclusive',
    path: ['windows'],
    params: { excludes: '`unavailable: true`' },
  })
  .meta({ title: 'ScheduleOverride' });

const minutes = (most: number, fallback: number) => z.int().min(0).max(most).default(fallback);

/**
 * When an instructor teaches: wall-clock rules in the instructor's time zone, expanded per date (contract, Instructors).
 * Buffers, notice and interval are minutes; `maximum_days_ahead` is days.
 */
export const availabilitySchedule = z.strictObject({
  weekly: z.array(weeklyWindow).max(100).default([]),
  overrides: z.array(scheduleOverride).max(366).default([]),
  buffer_before_minutes: minutes(240, 0),
  buffer_after_minutes: minutes(240, 0),
  minimum_notice_minutes: minutes(60 * 24 * 90, 0),
  maximum_days_ahead: z.int().min(1).max(1100).default(365),
  slot_interval_minutes: z.int().min(5).max(240).default(30),
});
export type AvailabilitySchedule = z.output<typeof availabilitySchedule>;
