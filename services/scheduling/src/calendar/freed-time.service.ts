import { Injectable } from '@nestjs/common';
import type { Environment, TeachingRules } from '@swim/contracts';
import type { Span } from './availability.rules.js';
import { CalendarService, type CededTime } from './calendar.service.js';
import { timesToOffer } from './offer.rules.js';

/** Time that an instructor gets back, both buffers included, and the claim that cedes it. */
export interface FreedTime extends Span {
  ceded: CededTime;
}

/** A lesson that somebody waits for. Every `…Ms` is epoch milliseconds. */
export interface WantedLesson {
  memberId: string;
  fromMs: number;
  toMs: number;
  durationMinutes: number;
}

/** Finds lessons that freed time makes possible. */
@Injectable()
export class FreedTimeService {
  constructor(private readonly calendar: CalendarService) {}

  /** Up to three times for the lesson wanted, best first; nothing is claimed. */
  async times(
    env: Environment,
    { rules, nowMs }: { rules: TeachingRules; nowMs: number },
    freed: FreedTime,
    wanted: WantedLesson,
  ): Promise<Span[]> {
    const durationMs = wanted.durationMinutes * 60_000;
    const around = { startMs: freed.startMs - durationMs, endMs: freed.endMs + durationMs };
    const { schedule } = rules;
    const aroundMs = (schedule.buffer_before_minutes + schedule.buffer_after_minutes) * 60_000;
    const busyOf = (resource: string) =>
      this.calendar.busy(env, resource, around.startMs - aroundMs, around.endMs + aroundMs, freed.ceded);
    const [busy, memberBusy] = await Promise.all([busyOf(rules.instructorId), busyOf(wanted.memberId)]);
    return timesToOffer({
      ...rules,
      freed,
      busy,
      memberBusy,
      fromUtc: wanted.fromMs,
      toUtc: wanted.toMs,
      nowUtc: nowMs,
      durationMinutes: wanted.durationMinutes,
    });
  }
}
