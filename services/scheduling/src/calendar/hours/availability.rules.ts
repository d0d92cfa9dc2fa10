import type { AvailabilitySchedule } from '@swim/contracts';
import { DAY_MS, instantOf, isoDate, type LocalDay, localDays, MINUTE_MS, weekdayOf } from './local-time.rules.js';
import { clipSpans, keepFree, keepInside, mergeSpans, type Span } from './span.rules.js';

export type { Span } from './span.rules.js';

const MOST_SUGGESTIONS = 3;
const SUGGESTION_DAYS_BACK = 1;
const SUGGESTION_DAYS_AHEAD = 7;

/** An instructor's schedule, and the time zone (IANA name) in which it is written. */
export interface TeachingHours {
  schedule: AvailabilitySchedule;
  timezone: string;
}

/** The input of `freeSlots`. Every `…Utc` is epoch milliseconds. */
export interface SlotQuery extends TeachingHours {
  /**
   * The instructor's occupied spans with their own buffers, at least all that touch `occupiedSpan(schedule, fromUtc, toUtc)`.
   */
  busy: readonly Span[];
  fromUtc: number;
  toUtc: number;
  nowUtc: number;
  durationMinutes: number;
}

/** The input of `isOffered`. Every `…Utc` is epoch milliseconds. */
export interface OfferQuery extends TeachingHours {
  startUtc: number;
  endUtc: number;
  nowUtc: number;
}

/** The input of `suggestStarts`. Every `…Utc` is epoch milliseconds. */
export interface SuggestionQuery extends TeachingHours {
  /** The instructor's occupied spans with their own buffers, at least all that touch `suggestionRange`. */
  busy: readonly Span[];
  /** The sessions of all participating members, without buffers, at least all that touch `suggestionRange`. */
  memberBusy: readonly Span[];
  requestedStartUtc: number;
  nowUtc: number;
  durationMinutes: number;
}

/**
 * Whether any hours are published at all; an instructor without weekly and dated windows may be booked at any time
 * (contract, Sessions).
 */
export function publishesHours(schedule: AvailabilitySchedule): boolean {
  return schedule.weekly.length > 0 || schedule.overrides.some((override) => (override.windows ?? []).length > 0);
}

/**
 * The published hours between `fromUtc` and `toUtc` (epoch milliseconds), clipped to that range: ascending, disjoint, every
 * instant once. Ignores notice, days ahead and busy time. Empty when no hours are published (contract, Instructors).
 */
export function openWindows(schedule: AvailabilitySchedule, timezone: string, fromUtc: number, toUtc: number): Span[] {
  return clipSpans(mergeSpans(windowsTouching({ schedule, timezone }, fromUtc, toUtc)), fromUtc, toUtc);
}

/**
 * Every slot that can be booked as it stands, ascending by start, each `durationMinutes` long and within `fromUtc` and
 * `toUtc`. Slots step through each window from its own start by `slot_interval_minutes`, may cross into a window that
 * touches it, and keep both buffers clear of busy time, buffers also outside the hours (contract, Sessions and Instructors).
 */
export function freeSlots(query: SlotQuery): Span[] {
  const { schedule, durationMinutes } = query;
  const durationMs = durationMinutes * MINUTE_MS;
  const bookable = bookableStarts(schedule, query.nowUtc);
  const firstMs = Math.max(query.fromUtc, bookable.earliestMs);
  const lastMs = Math.min(query.toUtc - durationMs, bookable.latestMs);
  const windows = windowsTouching(query, firstMs, lastMs + durationMs);
  const starts = new Set<number>();
  for (const window of windows) {
    const fromMs = Math.max(firstMs, window.startMs);
    const untilMs = Math.min(lastMs, window.endMs - 1);
    for (const startMs of gridStarts(window.startMs, schedule, fromMs, untilMs)) starts.add(startMs);
  }
  const slots = toSlots(
    [...starts].sort((a, b) => a - b),
    durationMs,
  );
  return keepClear(schedule, keepInside(slots, mergeSpans(windows)), query.busy);
}

/** Why a time is not offered. `opensAtMs`, epoch milliseconds, is the first instant at which it could be booked. */
export type OfferRejection =
  | { rule: 'hours' }
  /** `opensAtMs`: the earliest start that the notice allows. */
  | { rule: 'notice'; opensAtMs: number }
  /** `opensAtMs`: when this time comes within the days ahead. */
  | { rule: 'days_ahead'; opensAtMs: number };

/** Why a session may not take place then, regardless of what else does; null when it may (contract, Sessions). */
export function offerRejection({ schedule, timezone, startUtc, endUtc, nowUtc }: OfferQuery): OfferRejection | null {
  const isInside = isWithinHours({ schedule, timezone }, startUtc, endUtc);
  if (!publishesHours(schedule)) return isInside ? null : { rule: 'hours' };
  const { earliestMs, latestMs } = bookableStarts(schedule, nowUtc);
  if (startUtc < earliestMs) return { rule: 'notice', opensAtMs: earliestMs };
  // A time outside the hours never opens.
  if (!isInside) return { rule: 'hours' };
  return startUtc > latestMs ? { rule: 'days_ahead', opensAtMs: startUtc - (latestMs - nowUtc) } : null;
}

/** Whether published hours, or without them the dates that are not marked unavailable, contain a time (epoch milliseconds). */
export function isWithinHours({ schedule, timezone }: TeachingHours, startUtc: number, endUtc: number): boolean {
  if (!publishesHours(schedule)) return !isAway({ schedule, timezone }, startUtc, endUtc);
  const [open] = openWindows(schedule, timezone, startUtc, endUtc);
  return open?.startMs === startUtc && open.endMs === endUtc;
}

/**
 * Whether a session from `startUtc` to `endUtc` lies within published hours, notice and days ahead; any start, no grid.
 * Ignores busy time. Without published hours none of the three applies (contract, Sessions), except that dates marked
 * unavailable stay closed.
 */
export const isOffered = (query: OfferQuery): boolean => offerRejection(query) === null;

function isAway({ schedule, timezone }: TeachingHours, startUtc: number, endUtc: number): boolean {
  const away = new Set(schedule.overrides.filter(({ unavailable }) => unavailable).map(({ date }) => date));
  if (away.size === 0) return false;
  return [...localDays(timezone, startUtc, endUtc)].some((day) => away.has(isoDate(day.epochDay)));
}

/**
 * The span of the instructor's time that a session from `startUtc` to `endUtc` (epoch milliseconds) occupies: its time plus
 * both buffers (contract, Sessions).
 */
export function occupiedSpan(schedule: AvailabilitySchedule, startUtc: number, endUtc: number): Span {
  const { beforeMs, afterMs } = buffersMs(schedule);
  return { startMs: startUtc - beforeMs, endMs: endUtc + afterMs };
}

/** The whole UTC days that `suggestStarts` searches: from the day before the requested start to a week after it. */
export function suggestionRange(requestedStartUtc: number): Span {
  const requestedDay = Math.floor(requestedStartUtc / DAY_MS);
  return {
    startMs: (requestedDay - SUGGESTION_DAYS_BACK) * DAY_MS,
    endMs: (requestedDay + SUGGESTION_DAYS_AHEAD + 1) * DAY_MS,
  };
}

/**
 * Up to three other bookable times nearest to the requested start, the earlier first of two equally near, free for the
 * instructor and the members; with buffers they lie in `suggestionRange`. Without published hours they step by
 * `slot_interval_minutes` from the requested start (contract, Sessions: `suggestions`).
 */
export function suggestStarts(query: SuggestionQuery): Span[] {
  const { schedule, requestedStartUtc } = query;
  const range = suggestionRange(requestedStartUtc);
  const { beforeMs, afterMs } = buffersMs(schedule);
  const slotQuery = { ...query, fromUtc: range.startMs + beforeMs, toUtc: range.endMs - afterMs };
  const free = publishesHours(schedule) ? freeSlots(slotQuery) : freeAroundTheClock(slotQuery, requestedStartUtc);
  const distanceMs = (slot: Span) => Math.abs(slot.startMs - requestedStartUtc);
  return keepFree(free, query.memberBusy, 0, 0)
    .filter((slot) => slot.startMs !== requestedStartUtc)
    .sort((a, b) => distanceMs(a) - distanceMs(b) || a.startMs - b.startMs)
    .slice(0, MOST_SUGGESTIONS);
}

/**
 * Every slot that an instructor without published hours can give, ascending, a whole number of slot intervals before or after
 * the anchor (epoch milliseconds).
 */
export function freeAroundTheClock(
  { schedule, timezone, busy, fromUtc, toUtc, nowUtc, durationMinutes }: SlotQuery,
  anchorMs: number,
): Span[] {
  const durationMs = durationMinutes * MINUTE_MS;
  const starts = gridStarts(anchorMs, schedule, Math.max(fromUtc, nowUtc + 1), toUtc - durationMs);
  const slots = keepClear(schedule, toSlots([...starts], durationMs), busy);
  return slots.filter(({ startMs, endMs }) => !isAway({ schedule, timezone }, startMs, endMs));
}

/** The slots that, buffers included, do not overlap the instructor's busy time. */
export function keepClear(schedule: AvailabilitySchedule, slots: Span[], busy: readonly Span[]): Span[] {
  const { beforeMs, afterMs } = buffersMs(schedule);
  return keepFree(slots, busy, beforeMs, afterMs);
}

/** Both buffers in milliseconds. */
export function buffersMs(schedule: AvailabilitySchedule): { beforeMs: number; afterMs: number } {
  return { beforeMs: schedule.buffer_before_minutes * MINUTE_MS, afterMs: schedule.buffer_after_minutes * MINUTE_MS };
}

function bookableStarts(schedule: AvailabilitySchedule, nowUtc: number): { earliestMs: number; latestMs: number } {
  // A session starts in the future, so without notice the present millisecond is already too late.
  const noticeMs = Math.max(1, schedule.minimum_notice_minutes * MINUTE_MS);
  return { earliestMs: nowUtc + noticeMs, latestMs: nowUtc + schedule.maximum_days_ahead * DAY_MS };
}

/** The starts from `firstMs` to `lastMs`, both included, that lie a whole number of slot intervals before or after the anchor. */
function* gridStarts(
  anchorMs: number,
  schedule: AvailabilitySchedule,
  firstMs: number,
  lastMs: number,
): Generator<number> {
  const stepMs = schedule.slot_interval_minutes * MINUTE_MS;
  const steps = Math.ceil((firstMs - anchorMs) / stepMs);
  for (let startMs = anchorMs + steps * stepMs; startMs <= lastMs; startMs += stepMs) yield startMs;
}

function toSlots(startsMs: number[], durationMs: number): Span[] {
  return startsMs.map((startMs) => ({ startMs, endMs: startMs + durationMs }));
}

/** The windows, each from its own start to its own end, of every local date that the time from `fromMs` to `toMs` touches. */
function windowsTouching({ schedule, timezone }: TeachingHours, fromMs: number, toMs: number): Span[] {
  if (!publishesHours(schedule) || fromMs >= toMs) return [];
  return [...localDays(timezone, fromMs, toMs)].flatMap((day) => windowsOf(schedule, day));
}

function windowsOf(schedule: AvailabilitySchedule, day: LocalDay): Span[] {
  return rulesOf(schedule, day.epochDay)
    .map(({ start, end }) => ({
      startMs: instantOf(day, start),
      // A skipped end moves past the gap but not into the next date, which has hours of its own.
      endMs: Math.min(instantOf(day, end), day.endMs),
    }))
    .filter(({ startMs, endMs }) => startMs < endMs);
}

function rulesOf(schedule: AvailabilitySchedule, epochDay: number): readonly { start: string; end: string }[] {
  const date = isoDate(epochDay);
  const overrides = schedule.overrides.filter((override) => override.date === date);
  if (overrides.some((override) => override.unavailable)) return [];
  if (overrides.length > 0) return overrides.flatMap((override) => override.windows ?? []);
  const weekday = weekdayOf(epochDay);
  return schedule.weekly.filter((window) => window.day === weekday);
}
