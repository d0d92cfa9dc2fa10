import { Temporal } from 'temporal-polyfill';
import type { Bounds } from '../../errors/constraints.js';
import type { Reason } from '../../errors/errors.js';
import { WEEKDAYS } from '../../people/schedule.js';
import { bookedTimes } from '../group.js';
import { MOST_DATES, type Recurrence } from './recurrence.js';

/** A date on which the clocks change, so that the local time of a recurrence does not exist, or exists twice. */
export type LocalTimeWarning = {
  code: 'local_time_skipped' | 'local_time_repeated';
  /** The local date. */
  date: string;
  /** The start that was chosen: ISO 8601 UTC. */
  start: string;
};

/** The times of a recurrence, ascending, their local dates `YYYY-MM-DD`, and the dates on which the clocks change. */
export interface Expansion {
  sessions: { date: string; duration_minutes: number }[];
  localDates: string[];
  warnings: LocalTimeWarning[];
}

/** Why a recurrence has no times, as an error of a field. */
export interface RecurrenceRejection {
  reason: Reason;
  field: string;
  message?: string;
  details?: Record<string, unknown>;
  bounds?: Bounds;
}

const IN_TIME = { expected: 'early enough for the lessons to end before the year 10000' };

/**
 * The times of a recurrence in wall-clock time (contract, Bookings): a time that the clock skips moves forward by the length of
 * the gap, and of a time that it repeats the first is taken. `start_local` is the earliest possible date: it is one of them only
 * on one of the weekdays. The times obey the rules of `sessions`.
 */
export function expand(recurrence: Recurrence): Expansion | RecurrenceRejection {
  const dates = datesOf(recurrence);
  if ('reason' in dates) return dates;
  const chosen = withoutExceptions(dates, recurrence.except);
  if ('reason' in chosen) return chosen;
  const time = recurrence.start_local.slice(11);
  const warnings: LocalTimeWarning[] = [];
  const sessions = chosen.map((date) => {
    const { start, code } = startOf(Temporal.PlainDateTime.from(`${date}T${time}`), recurrence.timezone);
    if (code) warnings.push({ code, date, start });
    return { date: start, duration_minutes: recurrence.duration_minutes };
  });
  const [issue] = bookedTimes.safeParse(sessions).error?.issues ?? [];
  if (!issue) return { sessions, localDates: chosen, warnings };
  // A date that a zone has skipped moves to the next one; any other issue is a time that no timestamp can name.
  const [field, overlaps] = ['recurrence.start_local', 'overlapping_sessions' satisfies Reason] as const;
  return issue.message === overlaps ? { reason: overlaps, field } : { reason: 'out_of_range', field, bounds: IN_TIME };
}

/** The local dates `YYYY-MM-DD`, exceptions included. */
function datesOf({ start_local, weekdays, count, until, except }: Recurrence): string[] | RecurrenceRejection {
  const first = Temporal.PlainDate.from(start_local.slice(0, 10));
  const last = until === undefined ? null : Temporal.PlainDate.from(until);
  const dates: string[] = [];
  // With `until`, only the dates that are left count.
  const most = MOST_DATES + except.length;
  // Ends: every week has a date.
  for (let date = first; dates.length < (count ?? most + 1); date = date.add({ days: 1 })) {
    if (last && Temporal.PlainDate.compare(date, last) > 0) break;
    if (weekdays.includes(WEEKDAYS[date.dayOfWeek - 1]!)) dates.push(date.toString());
  }
  const field = 'recurrence.until';
  if (dates.length > most) {
    const message = `A recurrence has at most ${MOST_DATES} dates. Choose an earlier date for \`until\`.`;
    return { reason: 'too_large', field, message, details: { maximum: MOST_DATES } };
  }
  if (last && Temporal.PlainDate.compare(last, first) < 0)
    return { reason: 'range_reversed', field, bounds: { expected: 'no earlier than the date of start_local' } };
  if (dates.length === 0) {
    const message = 'The recurrence has no date: none of its weekdays is between `start_local` and `until`.';
    return { reason: 'out_of_range', field, message, bounds: { expected: 'late enough for one of the weekdays' } };
  }
  return dates;
}

function withoutExceptions(dates: string[], except: string[]): string[] | RecurrenceRejection {
  const foreign = except.findIndex((date) => !dates.includes(date));
  if (foreign !== -1) {
    const message = 'An exception must be one of the dates of the recurrence.';
    return { reason: 'invalid_value', field: `recurrence.except.${foreign}`, message, bounds: { allowed: dates } };
  }
  const chosen = dates.filter((date) => !except.includes(date));
  if (chosen.length > 0) return chosen;
  const message = 'Every date of the recurrence is an exception. Leave at least one.';
  return { reason: 'too_long', field: 'recurrence.except', message, bounds: { max_items: dates.length - 1 } };
}

function startOf(
  local: Temporal.PlainDateTime,
  timezone: string,
): { start: string; code: LocalTimeWarning['code'] | null } {
  const [earlier, later, chosen] = (['earlier', 'later', 'compatible'] as const).map((disambiguation) =>
    local.toZonedDateTime(timezone, { disambiguation }),
  );
  const start = new Date(chosen!.epochMilliseconds).toISOString();
  if (earlier!.epochMilliseconds === later!.epochMilliseconds) return { start, code: null };
  const isRepeated = earlier!.toPlainDateTime().equals(local);
  return { start, code: isRepeated ? 'local_time_repeated' : 'local_time_skipped' };
}
