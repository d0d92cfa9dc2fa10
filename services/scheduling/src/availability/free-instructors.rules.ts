import type { AvailabilitySchedule } from '@swim/contracts';
import type { BusyElement } from '../calendar/calendar.service.js';
import { isOffered, occupiedSpan, openWindows, publishesHours } from '../calendar/hours/availability.rules.js';
import { dateBounds, MINUTE_MS } from '../calendar/hours/local-time.rules.js';
import { keepFree, type Span } from '../calendar/hours/span.rules.js';
import { freeSlotsInPool } from './pool-lanes.rules.js';

/** The length of a date without a time. */
const DATE_LENGTH = 10;

/** The fields of a day document that describe busy time. */
interface Taken {
  busy: readonly Pick<BusyElement, 's' | 'e'>[];
}

/** The input of `isFree`. `nowUtc` is epoch milliseconds. */
export interface FreeQuery {
  schedule: AvailabilitySchedule;
  timezone: string;
  /** A date `YYYY-MM-DD` in that zone, or an ISO 8601 instant. */
  at: string;
  durationMinutes: number;
  /** The instructor's busy time with buffers included, at least all that touches `timeToLookAt`. */
  busy: readonly Span[];
  /** The time at which the default pool is full, at least all that touches the requested time. */
  full: readonly Span[];
  nowUtc: number;
}

/** The requested time: the whole local date (empty where the zone skips it), or `durationMinutes` from the instant. */
function requestedTime({
  at,
  timezone,
  durationMinutes,
}: Omit<FreeQuery, 'busy' | 'full' | 'nowUtc' | 'schedule'>): Span {
  if (at.length === DATE_LENGTH) return dateBounds(timezone, at);
  const startMs = Date.parse(at);
  return { startMs, endMs: startMs + durationMinutes * MINUTE_MS };
}

/**
 * The span in which busy time matters: the requested published hours with both buffers. Null when the instructor publishes no
 * hours then, and so cannot be free.
 */
export function timeToLookAt(query: Omit<FreeQuery, 'busy' | 'full' | 'nowUtc'>): Span | null {
  const { startMs, endMs } = requestedTime(query);
  const open = openWindows(query.schedule, query.timezone, startMs, endMs);
  return open.length === 0 ? null : occupiedSpan(query.schedule, open[0]!.startMs, open.at(-1)!.endMs);
}

/** The busy time of these days that touches the span. */
export function takenWithin(looked: Span, days: readonly Taken[]): Span[] {
  const spans: Span[] = [];
  for (const { busy } of days) {
    for (const { s, e } of busy) {
      const [startMs, endMs] = [s.getTime(), e.getTime()];
      if (startMs < looked.endMs && endMs > looked.startMs) spans.push({ startMs, endMs });
    }
  }
  return spans;
}

/**
 * Whether a session of `durationMinutes` can be booked: on a date, in any slot that availability returns for it; from an
 * instant on, whether or not a slot begins then. Without published hours availability returns no slots, so the instructor does
 * not count as free (contract, Instructors).
 */
export function isFree(query: FreeQuery): boolean {
  const { schedule, timezone, at, durationMinutes, busy, full, nowUtc } = query;
  if (!publishesHours(schedule)) return false;
  const { startMs: fromUtc, endMs: toUtc } = requestedTime(query);
  if (at.length === DATE_LENGTH)
    return freeSlotsInPool({ schedule, timezone, busy, full, fromUtc, toUtc, nowUtc, durationMinutes }).length > 0;
  if (!isOffered({ schedule, timezone, startUtc: fromUtc, endUtc: toUtc, nowUtc })) return false;
  const taken = occupiedSpan(schedule, fromUtc, toUtc);
  const hasLane = keepFree([{ startMs: fromUtc, endMs: toUtc }], full, 0, 0).length > 0;
  return hasLane && busy.every(({ startMs, endMs }) => endMs <= taken.startMs || startMs >= taken.endMs);
}
