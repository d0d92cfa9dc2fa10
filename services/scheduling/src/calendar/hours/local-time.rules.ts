import { WEEKDAYS } from '@swim/contracts';
import { Temporal } from 'temporal-polyfill';

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
const DAY_MINUTES = 1440;

/**
 * A local date in a zone as the real time it covers. `epochDay` counts dates since 1970-01-01; start and end are epoch
 * milliseconds.
 */
export interface LocalDay {
  timezone: string;
  epochDay: number;
  startMs: number;
  endMs: number;
}

/**
 * The local dates that the time from `fromUtc` to `toUtc` (epoch milliseconds) touches, ascending; a date that the zone skips is
 * empty.
 */
export function* localDays(timezone: string, fromUtc: number, toUtc: number): Generator<LocalDay> {
  let epochDay = localEpochDay(timezone, fromUtc);
  let startMs = startOfDay(timezone, epochDay);
  while (startMs < toUtc) {
    const endMs = startOfDay(timezone, epochDay + 1);
    yield { timezone, epochDay, startMs, endMs };
    epochDay += 1;
    startMs = endMs;
  }
}

/**
 * The instant (epoch milliseconds) at which a date's clock shows `HH:MM`, by Temporal's `compatible`: a repeated time is its
 * first occurrence, a skipped time moves forward by the length of the gap. `24:00` is the start of the next date.
 */
export function instantOf(day: LocalDay, timeOfDay: string): number {
  const minutes = Number(timeOfDay.slice(0, 2)) * 60 + Number(timeOfDay.slice(3));
  if (minutes === DAY_MINUTES) return day.endMs;
  // In no zone do two changes of the clock on one date cancel out, so a date of 24 hours has no change.
  if (day.endMs - day.startMs === DAY_MS) return day.startMs + minutes * MINUTE_MS;
  const wallClock = plainDate(day.epochDay).toPlainDateTime({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
  return wallClock.toZonedDateTime(day.timezone, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** When a date `YYYY-MM-DD` begins and ends in a zone, in epoch milliseconds; a date that the zone skips is empty. */
export function dateBounds(timezone: string, date: string): { startMs: number; endMs: number } {
  const epochDay = Date.parse(date) / DAY_MS;
  return { startMs: startOfDay(timezone, epochDay), endMs: startOfDay(timezone, epochDay + 1) };
}

/** The local date `YYYY-MM-DD` in a zone at an instant (epoch milliseconds). */
export const dateAt = (timezone: string, instantMs: number): string => isoDate(localEpochDay(timezone, instantMs));

/** The date `YYYY-MM-DD`. */
export function isoDate(epochDay: number): string {
  return new Date(epochDay * DAY_MS).toISOString().slice(0, 10);
}

/** The day of the week, spelled as in a schedule. */
export function weekdayOf(epochDay: number): (typeof WEEKDAYS)[number] {
  const daysSinceAMonday = epochDay + 3;
  return WEEKDAYS[((daysSinceAMonday % 7) + 7) % 7]!;
}

/** The last date that has begun by then: no zone is a whole day ahead of UTC, or behind. */
export function localEpochDay(timezone: string, instantMs: number): number {
  let epochDay = Math.floor(instantMs / DAY_MS) + 1;
  while (startOfDay(timezone, epochDay) > instantMs) epochDay -= 1;
  return epochDay;
}

const MOST_REMEMBERED = 20_000;
const starts = new Map<string, number>();

// Cached: requested often for few zones and dates, and a lookup costs a hundredth of the computation.
function startOfDay(timezone: string, epochDay: number): number {
  const key = `${epochDay} ${timezone}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  if (starts.size >= MOST_REMEMBERED) starts.clear();
  const startMs = plainDate(epochDay).toZonedDateTime(timezone).epochMilliseconds;
  starts.set(key, startMs);
  return startMs;
}

function plainDate(epochDay: number): Temporal.PlainDate {
  const date = new Date(epochDay * DAY_MS);
  return new Temporal.PlainDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}
