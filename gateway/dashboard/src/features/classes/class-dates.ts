import { parseDate } from '@internationalized/date';
import type { SwimClass } from '@swim/sdk';
import { type Weekday, weekdayOf } from '../../design/values/weekday.ts';

type Recurrence = Pick<SwimClass['recurrence'], 'start_local' | 'count' | 'until'> & {
  readonly weekdays: readonly Weekday[];
};

/** The most dates of a class. */
export const MOST_DATES = 52;
/** From a date on each weekday comes within a week. */
const MOST_DAYS = MOST_DATES * 7;

/** The dates of a class, those that are left out included, which count. */
export function datesOf({ start_local: start, weekdays, count = MOST_DATES, until }: Recurrence): string[] {
  const first = parseDate(start.slice(0, 10));
  const days = Array.from({ length: MOST_DAYS }, (_, at) => first.add({ days: at }).toString());
  return days.filter((day) => weekdays.includes(weekdayOf(day)) && (!until || day <= until)).slice(0, count);
}
