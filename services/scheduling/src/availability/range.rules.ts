import { type Bounds, timeReason } from '@swim/contracts';
import { Temporal } from 'temporal-polyfill';
import { DAY_MS, isoDate } from '../calendar/hours/local-time.rules.js';

const DEFAULT_DAYS = 7;
const MOST_DAYS = 31;
// A date has a year of four digits (contract, HTTP); zones move the ends of a range beyond.
const [FIRST_DAY, LAST_DAY] = ['0000-01-01', '9999-12-31'].map((date) => Date.parse(date) / DAY_MS) as [number, number];

/** A range of time in epoch ms. */
export interface TimeRange {
  fromMs: number;
  toMs: number;
}

/** A range of time, or why the requested one is rejected. */
export type Range =
  | TimeRange
  | {
      rejected: 'range_reversed' | 'range_too_long' | 'too_far_ahead';
      extras: { field: string; message?: string; bounds?: Bounds };
    };

// Where a time zone is given, a bare date is midnight there (contract, HTTP).
const instantOf = (text: string, timezone: string): number =>
  text.length === 10 ? Temporal.PlainDate.from(text).toZonedDateTime(timezone).epochMilliseconds : Date.parse(text);

/** The latest end of a range: 31 days of the zone, which are longer than 31 times 24 hours where its clocks go back. */
function latestEnd(fromMs: number, timezone: string): number {
  const from = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timezone);
  return Math.max(fromMs + MOST_DAYS * DAY_MS, from.add({ days: MOST_DAYS }).epochMilliseconds);
}

const tooLong = (lengthMs: number): Range => ({
  rejected: 'range_too_long',
  extras: {
    field: 'date_to',
    message: `date_to must be at most ${MOST_DAYS} days after date_from; you sent ${Math.ceil(lengthMs / DAY_MS)} days.`,
    bounds: { expected: `at most ${MOST_DAYS} days after date_from` },
  },
});

const reversed = (dateFrom: string | undefined): Range => ({
  rejected: 'range_reversed',
  extras: {
    field: 'date_to',
    bounds: {
      expected: dateFrom === undefined ? 'later than now, where date_from is left out' : 'later than date_from',
    },
  },
});

/** The requested range of availability: by default 7 days from now, at most 31 days. */
export function rangeOf(
  requested: { date_from?: string | undefined; date_to?: string | undefined; timezone: string },
  nowMs: number,
): Range {
  const fromMs = requested.date_from === undefined ? nowMs : instantOf(requested.date_from, requested.timezone);
  const toMs =
    requested.date_to === undefined ? fromMs + DEFAULT_DAYS * DAY_MS : instantOf(requested.date_to, requested.timezone);
  if (toMs <= fromMs) return reversed(requested.date_from);
  if (toMs > latestEnd(fromMs, requested.timezone)) return tooLong(toMs - fromMs);
  if (timeReason(fromMs, nowMs) === 'too_far_ahead')
    return { rejected: 'too_far_ahead', extras: { field: 'date_from' } };
  return { fromMs, toMs };
}

/**
 * The dates (YYYY-MM-DD) that a range touches in any zone, and those that `at`, a date or an instant, may mean: ascending, each
 * once.
 */
export function datesTouching({ fromMs, toMs }: TimeRange, at: string | undefined): string[] {
  const ofRange = datesBetween(fromMs - DAY_MS, toMs + DAY_MS);
  if (at === undefined) return ofRange;
  const midnight = Date.parse(at.slice(0, 10));
  return [...new Set([...ofRange, ...datesBetween(midnight - DAY_MS, midnight + DAY_MS)])].sort();
}

const dayOf = (instantMs: number): number => Math.min(Math.max(Math.floor(instantMs / DAY_MS), FIRST_DAY), LAST_DAY);

function datesBetween(fromMs: number, toMs: number): string[] {
  const [first, last] = [dayOf(fromMs), dayOf(toMs)];
  return Array.from({ length: last - first + 1 }, (_, day) => isoDate(first + day));
}

/** The UTC date of an instant; of one before the year 0 or after 9999, the first or last date. */
export const utcDateOf = (instantMs: number): string => isoDate(dayOf(instantMs));

/** Formats instants of a range with the zone's offset at that time; the few changes of offset are looked up once. */
export function zonedWriter(timezone: string, fromMs: number, toMs: number): (instantMs: number) => string {
  const offsets: { sinceMs: number; offsetMs: number; text: string }[] = [];
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timezone);
  while (at && at.epochMilliseconds <= toMs) {
    const offsetMs = at.offsetNanoseconds / 1e6;
    offsets.unshift({ sinceMs: at.epochMilliseconds, offsetMs, text: offsetMs === 0 ? '+00:00' : at.offset });
    at = at.getTimeZoneTransition('next');
  }
  return (instantMs) => {
    const { offsetMs, text } = offsets.find(({ sinceMs }) => sinceMs <= instantMs) ?? offsets.at(-1)!;
    return new Date(instantMs + offsetMs).toISOString().slice(0, 19) + text;
  };
}
