import { type CalendarDateTime, fromAbsolute, getDayOfWeek, parseDateTime, toZoned } from '@internationalized/date';
import type { CreateBookingBody } from '@swim/sdk';
import { wholeOf } from '../../../design/fields/whole-number.ts';

/** The fields of the form of a booking, as typed. */
export interface BookingValues {
  readonly members: readonly { readonly id: string; readonly name: string }[];
  readonly instructor: string;
  /** YYYY-MM-DD and HH:MM, by the clock of the instructor. */
  readonly date: string;
  readonly time: string;
  readonly minutes: string;
  /** How many lessons, one each week. */
  readonly weeks: string;
  readonly skips: boolean;
  readonly notes: string;
}

export const MOST_WEEKS = 52;
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** How many weeks are typed; null where it is no number of weeks that one booking can have. */
export function weeksOf({ weeks }: Pick<BookingValues, 'weeks'>): number | null {
  const count = wholeOf(weeks);
  return count !== null && count >= 1 && count <= MOST_WEEKS ? count : null;
}

/** Date and time of an instant by the clock of a time zone, as the fields of the form have them. */
export function fieldsAt(instant: string, timeZone: string): Pick<BookingValues, 'date' | 'time'> {
  const local = fromAbsolute(Date.parse(instant), timeZone).toString();
  return { date: local.slice(0, 10), time: local.slice(11, 16) };
}

function localOf(date: string, time: string): CalendarDateTime | null {
  try {
    return parseDateTime(`${date}T${time}`);
  } catch {
    return null;
  }
}

/** The body of a request for the form; null while it is not complete. */
export function bodyOf(values: BookingValues, timeZone: string): CreateBookingBody | null {
  const { members, instructor, date, time, minutes, notes } = values;
  const count = weeksOf(values);
  const local = localOf(date, time);
  if (members.length === 0 || !instructor || local === null || count === null) return null;
  const who = { instructor_id: instructor, member_ids: members.map(({ id }) => id) };
  const text = notes.trim() ? { notes: notes.trim() } : {};
  const duration = { duration_minutes: Number(minutes) };
  if (count === 1)
    return { ...who, ...text, sessions: [{ date: toZoned(local, timeZone).toDate().toISOString(), ...duration }] };
  const weekdays = [WEEKDAYS[getDayOfWeek(local, 'en', 'mon')]!];
  const recurrence = { start_local: `${date}T${time}`, timezone: timeZone, weekdays, count, ...duration };
  return { ...who, ...text, recurrence, on_conflict: values.skips ? 'skip' : 'fail' };
}
