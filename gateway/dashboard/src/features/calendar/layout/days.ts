import { CalendarDate, fromAbsolute, parseDate, startOfWeek, toCalendarDate, toZoned } from '@internationalized/date';

/** The view of the calendar: a day along its hours, the days of a week as lists of lessons, or a week along its hours. */
export const SPANS = ['day', 'week', 'timeline'] as const;
export type Span = (typeof SPANS)[number];

/** How many days a step to the next period is. */
export const daysOf = (span: Span): number => (span === 'day' ? 1 : 7);

/** The days that the calendar shows, and the instants between which they lie. */
export interface Period {
  readonly days: readonly CalendarDate[];
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
}

/** A week begins on Monday, as ISO 8601 has it. */
const MONDAY = 'mon';

/** The date of an instant in a time zone. */
export const dateIn = (ms: number, timeZone: string): CalendarDate => toCalendarDate(fromAbsolute(ms, timeZone));

/** The period around a date. */
export function periodAround(date: CalendarDate, span: Span, timeZone: string): Period {
  const first = span === 'day' ? date : startOfWeek(date, 'en', MONDAY);
  const days = Array.from({ length: daysOf(span) }, (_, at) => first.add({ days: at }));
  const startOf = (day: CalendarDate) => toZoned(day, timeZone).toDate().toISOString();
  return { days, from: startOf(first), to: startOf(first.add({ days: days.length })) };
}

/** A date of an address, such as 2027-03-01; null where it is none. */
export function dateOf(text: string | null): CalendarDate | null {
  try {
    return text ? parseDate(text) : null;
  } catch {
    return null;
  }
}

/** Minutes since midnight of an instant, by the clock on the wall. */
export function minutesOfDay(ms: number, timeZone: string): number {
  const { hour, minute } = fromAbsolute(ms, timeZone);
  return hour * 60 + minute;
}

/**
 * The instant of a time of a day, by the clock on the wall; one that is skipped moves forward, of a repeated one it is the first.
 */
export function instantOf(day: CalendarDate, minutes: number, timeZone: string): number {
  return toZoned(day, timeZone, 'compatible')
    .set({ hour: Math.floor(minutes / 60), minute: minutes % 60 })
    .toDate()
    .getTime();
}
