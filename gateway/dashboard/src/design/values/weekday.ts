import { getDayOfWeek, parseDate } from '@internationalized/date';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The weekday of a day, YYYY-MM-DD. */
export const weekdayOf = (day: string): Weekday => WEEKDAYS[getDayOfWeek(parseDate(day), 'en', 'mon')]!;

const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** The name of a weekday in a language. */
export const weekdayName = (weekday: Weekday, tag: string, style: 'long' | 'short' = 'long'): string =>
  new Date(MONDAY + WEEKDAYS.indexOf(weekday) * DAY_MS).toLocaleDateString(tag, { weekday: style, timeZone: 'UTC' });
