import { Injectable } from '@nestjs/common';
import { timeReason } from '@swim/contracts';
import { AppError, accountTime, Clock, currentEnvironment, derivedId, type RequestContext } from '@swim/platform';
import { CalendarService } from '../calendar/calendar.service.js';
import { timesOf } from '../lessons/classes/class.rules.js';
import type { ClassDocument, ClassWork, LeftOutDate } from '../lessons/classes/class.schema.js';
import { type ClassLessonsPlan, LessonFulfilmentService } from '../lessons/lesson-fulfilment.service.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { lessonIdOf } from '../slots/slot.rules.js';
import { type Slot, type SlotsRequest, SlotsService } from '../slots/slots.service.js';
import { newLesson, rulesForSchool, schoolInstructor } from '../teaching/lesson-making.service.js';

const NOWHERE = { type: 'home', pool_id: null } as const;

/** One date of a class. */
export interface ClassDate {
  /** The local date `YYYY-MM-DD`. */
  date: string;
  startMs: number;
}

/** The lessons that are made, and the dates that have none. */
export interface MadeLessons {
  made: { id: string; startMs: number }[];
  leftOut: (LeftOutDate & { startMs: number })[];
}

/** The dates of a class, ascending. Throws where its recurrence has none. */
export function datesOf(fields: Parameters<typeof timesOf>[0]): ClassDate[] {
  const times = timesOf(fields);
  if ('reason' in times) throw new AppError(times.reason, times);
  return times.sessions.map((session, index) => ({
    date: times.localDates[index]!,
    startMs: Date.parse(session.date),
  }));
}

/**
 * Makes lessons of classes. All lessons of one work on a class are one claim under its key, which is confirmed once, whatever is killed
 * and however many runs there are.
 */
@Injectable()
export class ClassMakingService {
  constructor(
    private readonly participants: ParticipantResolverService,
    private readonly slots: SlotsService,
    private readonly calendar: CalendarService,
    private readonly fulfilment: LessonFulfilmentService,
    private readonly clock: Clock,
  ) {}

  /** Makes the lessons of these dates but for those that are not free. Idempotent for one work on the class. */
  async make(
    document: ClassDocument,
    work: ClassWork,
    dates: ClassDate[],
    context: RequestContext,
  ): Promise<MadeLessons> {
    const { request, past } = await this.requestOf(document, work, dates, context);
    const earlier = await this.calendar.findLive(request.key);
    const claimed = earlier ? { claim: earlier, rejected: [] } : await this.slots.claim(request);
    if (!claimed.claim) return { made: [], leftOut: leftOutOf(claimed.rejected, dates, work, past) };
    const { plan, holders, skipped } = claimed.claim;
    if (plan) await this.fulfilment.fulfilAll(claimed.claim, plan as ClassLessonsPlan);
    const isMade = new Set(holders);
    const made = dates
      .map(({ date, startMs }) => ({ id: lessonIdFor(work, date), startMs }))
      .filter(({ id }) => isMade.has(id));
    const rejected = skipped.map(({ lesson_id, reason }) => ({ id: lesson_id!, reason }));
    return { made, leftOut: byDate([...past, ...rejected], dates, work) };
  }

  /** What `make` would do now. */
  async preview(
    document: ClassDocument,
    work: ClassWork,
    dates: ClassDate[],
    context: RequestContext,
  ): Promise<MadeLessons> {
    const { request, past } = await this.requestOf(document, work, dates, context);
    const leftOut = leftOutOf(await this.slots.preview(request), dates, work, past);
    const without = new Set(leftOut.map(({ date }) => date));
    const kept = dates.filter(({ date }) => !without.has(date));
    return { made: kept.map(({ date, startMs }) => ({ id: lessonIdFor(work, date), startMs })), leftOut };
  }

  private async requestOf(document: ClassDocument, work: ClassWork, dates: ClassDate[], context: RequestContext) {
    const { _id: classId, schoolId, instructorId, location: place, durationMinutes, currency } = document;
    const { rules } = await schoolInstructor(this.participants, instructorId, context);
    const { location, pool } = await this.participants.placeOf(context, place ?? NOWHERE, rules);
    const nowMs = accountTime(this.clock, currentEnvironment(), rules.clockOffsetMs).getTime();
    const past: { id: string; reason: string }[] = [];
    const slots: Slot[] = [];
    for (const { date, startMs } of dates) {
      const id = lessonIdFor(work, date);
      const reason = timeReason(startMs, nowMs);
      if (reason) past.push({ id, reason });
      else slots.push({ startMs, endMs: startMs + durationMinutes * 60_000, sessions: [], lessonId: id });
    }
    const dateOf = new Map(dates.map(({ date }) => [lessonIdFor(work, date), date]));
    const lessonOf = (slot: Slot): ClassLessonsPlan['lessons'][number] => {
      const id = lessonIdOf(slot);
      const facts = { location: place && location, startMs: slot.startMs, endMs: slot.endMs, currency, rules };
      return { ...newLesson(id, fieldsOf(document), facts), classId, classDate: dateOf.get(id)! };
    };
    const request: SlotsRequest = {
      key: `${work.seed}#0`,
      // Any run of the work may succeed: none supersedes another.
      fence: { attempt: 1, deadline: context.deadline },
      rules: rulesForSchool(rules, work),
      pool,
      slots,
      skip: true,
      nowMs,
      plan: (kept): ClassLessonsPlan => ({
        ...{ kind: 'class-lessons', schoolId, classId, seed: work.seed, cause: work.cause },
        lessons: kept.map(lessonOf),
      }),
    };
    return { request, past };
  }
}

/** The id of the lesson that a work on a class makes for a date: the same in each run. */
const lessonIdFor = ({ seed }: ClassWork, date: string): string => derivedId('lsn', seed, date);

const fieldsOf = (document: ClassDocument) => ({
  duration_minutes: document.durationMinutes,
  capacity: document.capacity,
  levels: document.levels,
  min_age_years: document.minAgeYears,
  max_age_years: document.maxAgeYears,
  price_cents: document.priceCents,
  bookable: true,
});

const leftOutOf = (
  rejected: { slot: Slot; reason: string }[],
  dates: ClassDate[],
  work: ClassWork,
  past: { id: string; reason: string }[],
) => byDate([...past, ...rejected.map(({ slot, reason }) => ({ id: lessonIdOf(slot), reason }))], dates, work);

/** The reasons of lessons that are not made, in the order of their dates. */
function byDate(
  leftOut: { id: string; reason: string }[],
  dates: ClassDate[],
  work: ClassWork,
): MadeLessons['leftOut'] {
  const reasons = new Map(leftOut.map(({ id, reason }) => [id, reason]));
  return dates.flatMap(({ date, startMs }) => {
    const reason = reasons.get(lessonIdFor(work, date));
    return reason ? [{ date, startMs, reason }] : [];
  });
}
