import { type RequestCounts, USAGE_HOURS, type UsageHour } from '@swim/contracts';

const HOUR_MS = 3_600_000;
const DEFAULT_HOURS = 24;

/** Clock hours: from the beginning of the first to the end of the last. */
export interface HourRange {
  from: Date;
  to: Date;
}

/** The hours whose usage is kept: so many that the one that passes is the last. */
export function keptHours(now: Date): HourRange {
  const endMs = (Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS;
  return { from: new Date(endMs - USAGE_HOURS * HOUR_MS), to: new Date(endMs) };
}

/**
 * The hours that a range of instants touches, of those that are kept. It ends with the hour that passes by default, and begins
 * 24 hours before its end. `from` equals `to` where none of its hours is kept.
 */
export function requestedHours(
  range: { date_from?: string | undefined; date_to?: string | undefined },
  now: Date,
): HourRange {
  const kept = keptHours(now);
  const within = (ms: number) => Math.min(Math.max(ms, kept.from.getTime()), kept.to.getTime());
  const toMs =
    range.date_to === undefined ? kept.to.getTime() : Math.ceil(Date.parse(range.date_to) / HOUR_MS) * HOUR_MS;
  const fromMs =
    range.date_from === undefined
      ? toMs - DEFAULT_HOURS * HOUR_MS
      : Math.floor(Date.parse(range.date_from) / HOUR_MS) * HOUR_MS;
  const to = within(toMs);
  return { from: new Date(Math.min(within(fromMs), to)), to: new Date(to) };
}

const NOTHING: RequestCounts = { requests: 0, client_errors: 0, server_errors: 0, limited: 0 };

/** Every hour of a range, ascending; those that are not counted have zeros. */
export function everyHour({ from, to }: HourRange, counted: ReadonlyMap<number, RequestCounts>): UsageHour[] {
  const hours: UsageHour[] = [];
  for (let ms = from.getTime(); ms < to.getTime(); ms += HOUR_MS)
    hours.push({ start: new Date(ms).toISOString(), ...(counted.get(ms) ?? NOTHING) });
  return hours;
}

/** The sums of some hours. */
export const totalsOf = (hours: readonly RequestCounts[]): RequestCounts =>
  hours.reduce(
    (sum, each) => ({
      requests: sum.requests + each.requests,
      client_errors: sum.client_errors + each.client_errors,
      server_errors: sum.server_errors + each.server_errors,
      limited: sum.limited + each.limited,
    }),
    NOTHING,
  );
