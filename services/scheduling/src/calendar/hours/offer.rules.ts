import {
  buffersMs,
  freeAroundTheClock,
  freeSlots,
  isOffered,
  keepClear,
  publishesHours,
  type Span,
  type TeachingHours,
} from './availability.rules.js';
import { MINUTE_MS } from './local-time.rules.js';
import { keepFree } from './span.rules.js';

const MOST_TIMES = 3;

/** The input of `timesToOffer`. Every `…Utc` is epoch milliseconds. */
export interface OfferTimesQuery extends TeachingHours {
  /** Whether only published hours may be booked. */
  enforceAvailability: boolean;
  /** The instructor's released time, both buffers included. */
  released: Span;
  /** The instructor's other occupied spans, at least all within a lesson's length of the released time. */
  busy: readonly Span[];
  memberBusy: readonly Span[];
  /** The requested range, which must contain the whole lesson. */
  fromUtc: number;
  toUtc: number;
  nowUtc: number;
  durationMinutes: number;
}

/**
 * Up to three bookable times for a lesson that the released time makes possible: first the released time itself, then the
 * instructor's regular slots that overlap it, ascending. Without published hours they step by `slot_interval_minutes` from its
 * start.
 */
export function timesToOffer(query: OfferTimesQuery): Span[] {
  const { schedule, released, fromUtc, toUtc, durationMinutes } = query;
  const durationMs = durationMinutes * MINUTE_MS;
  const { beforeMs, afterMs } = buffersMs(schedule);
  const lesson = { startMs: released.startMs + beforeMs, endMs: released.endMs - afterMs };
  const startMs = Math.max(lesson.startMs, fromUtc);
  const itself = { startMs, endMs: startMs + durationMs };
  const around = {
    ...query,
    fromUtc: Math.max(fromUtc, lesson.startMs - durationMs),
    toUtc: Math.min(toUtc, lesson.endMs + durationMs),
  };
  const regular = publishesHours(schedule) ? freeSlots(around) : freeAroundTheClock(around, lesson.startMs);
  const reachesIn = (time: Span) => time.startMs < lesson.endMs && time.endMs > lesson.startMs;
  const isWanted = (time: Span) => reachesIn(time) && time.endMs <= toUtc && mayBegin(query, time);
  const bookable = (times: Span[]) =>
    keepFree(keepClear(schedule, times.filter(isWanted), query.busy), query.memberBusy, 0, 0);
  const others = regular.filter((time) => time.startMs !== startMs);
  return [...bookable([itself]), ...bookable(others)].slice(0, MOST_TIMES);
}

function mayBegin({ schedule, timezone, enforceAvailability, nowUtc }: OfferTimesQuery, time: Span): boolean {
  if (time.startMs <= nowUtc) return false;
  if (!enforceAvailability) return true;
  return isOffered({ schedule, timezone, startUtc: time.startMs, endUtc: time.endMs, nowUtc });
}
