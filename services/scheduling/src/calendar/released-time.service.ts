import { Injectable } from '@nestjs/common';
import type { TeachingRules } from '@swim/contracts';
import { CalendarService, type ExcludedClaim } from './calendar.service.js';
import { fullSpans } from './claim.rules.js';
import { occupiedSpan, type Span } from './hours/availability.rules.js';
import { timesToOffer } from './hours/offer.rules.js';
import { clipSpans, mergeSpans } from './hours/span.rules.js';

/** Released time of an instructor, both buffers included, and the claim to exclude. */
export interface ReleasedTime extends Span {
  excluded: ExcludedClaim;
}

/** A lesson that a waitlist entry requests. Every `…Ms` is epoch milliseconds. */
export interface LessonRequest {
  memberId: string;
  fromMs: number;
  toMs: number;
  durationMinutes: number;
}

/** Finds lessons that released time makes possible. */
@Injectable()
export class ReleasedTimeService {
  constructor(private readonly calendar: CalendarService) {}

  /** Whether some of the time is free, when the excluded claim is left out. */
  async hasFreePart(instructorId: string, { startMs, endMs, excluded }: ReleasedTime): Promise<boolean> {
    const busy = await this.calendar.busy(instructorId, startMs, endMs, excluded);
    const taken = clipSpans(mergeSpans(busy), startMs, endMs);
    return taken.length !== 1 || taken[0]!.startMs > startMs || taken[0]!.endMs < endMs;
  }

  /**
   * Up to three times for the requested lesson, best first, and whether other claims have time within reach of it, which may be
   * released as well; claims nothing. Without released time, of all that is free.
   */
  async times(
    { rules, pool, nowMs }: { rules: TeachingRules; pool: { id: string; lanes: number } | null; nowMs: number },
    releasedTime: ReleasedTime | null,
    requested: LessonRequest,
  ): Promise<{ times: Span[]; isContested: boolean }> {
    const durationMs = requested.durationMinutes * 60_000;
    const { schedule } = rules;
    const released = releasedTime ?? occupiedSpan(schedule, Math.max(requested.fromMs, nowMs), requested.toMs);
    const around = { startMs: released.startMs - durationMs, endMs: released.endMs + durationMs };
    const aroundMs = (schedule.buffer_before_minutes + schedule.buffer_after_minutes) * 60_000;
    const busyOf = (resource: string) =>
      this.calendar.busy(resource, around.startMs - aroundMs, around.endMs + aroundMs, releasedTime?.excluded);
    const closable = [rules.instructorId, pool?.id ?? []].flat();
    const [closed, busy, ofMember, lanes] = await Promise.all([
      this.calendar.closed(closable, around.startMs - aroundMs, around.endMs + aroundMs),
      busyOf(rules.instructorId),
      busyOf(requested.memberId),
      pool ? busyOf(pool.id).then((spans) => fullSpans(spans, pool.lanes)) : [],
    ]);
    const memberBusy = [...closed, ...ofMember, ...lanes];
    const isContested = busy.length > 0 || memberBusy.length > 0;
    const times = timesToOffer({
      ...rules,
      released,
      busy,
      memberBusy,
      fromUtc: requested.fromMs,
      toUtc: requested.toMs,
      nowUtc: nowMs,
      durationMinutes: requested.durationMinutes,
    });
    return { times, isContested };
  }
}
