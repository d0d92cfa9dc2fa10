import type { CreateBookingBody } from '@swim/sdk';
import { wholeOf } from '../../../design/fields/whole-number.ts';
import { instantAt, type WallClock } from '../../../design/values/wall-clock.ts';
import { weekdayOf } from '../../../design/values/weekday.ts';

/** The fields of the form of a booking, as typed; its time is by the clock of the instructor. */
export interface BookingValues extends WallClock {
  readonly members: readonly { readonly id: string; readonly name: string }[];
  readonly instructor: string;
  readonly minutes: string;
  /** How many lessons, one each week. */
  readonly weeks: string;
  readonly skips: boolean;
  readonly notes: string;
  /** Empty for none. */
  readonly methodId: string;
  readonly creditId: string;
}

export const MOST_WEEKS = 52;

/** How many weeks are typed; null where it is no number of weeks that one booking can have. */
export function weeksOf({ weeks }: Pick<BookingValues, 'weeks'>): number | null {
  const count = wholeOf(weeks);
  return count !== null && count >= 1 && count <= MOST_WEEKS ? count : null;
}

/** The body of a request for the form; null while it is not complete. */
export function bodyOf(values: BookingValues, timeZone: string): CreateBookingBody | null {
  const { members, instructor, date, time, minutes, notes, methodId, creditId } = values;
  const count = weeksOf(values);
  const first = instantAt(values, timeZone);
  if (members.length === 0 || !instructor || first === null || count === null) return null;
  const common = {
    instructor_id: instructor,
    member_ids: members.map(({ id }) => id),
    ...(notes.trim() ? { notes: notes.trim() } : {}),
    ...(methodId ? { payment_method_id: methodId } : {}),
    ...(creditId ? { makeup_credit_id: creditId } : {}),
  };
  const duration = { duration_minutes: Number(minutes) };
  if (count === 1) return { ...common, sessions: [{ date: first, ...duration }] };
  const start = { start_local: `${date}T${time}`, timezone: timeZone, weekdays: [weekdayOf(date)] };
  return {
    ...common,
    recurrence: { ...start, count, ...duration },
    on_conflict: values.skips ? 'skip' : 'fail',
  };
}
