import { Inject, Injectable } from '@nestjs/common';
import type { Lesson } from '@swim/contracts';
import { accountTime, Clock, currentEnvironment } from '@swim/platform';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import { dayIdsOf, isLesson, taughtSpan } from '../calendar/claim.rules.js';
import type { ClosureDocument } from '../calendar/closed/closure.schema.js';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { LessonsRepository } from '../lessons/lessons.repository.js';
import { LessonReadingService } from '../sessions/reading/lesson-reading.service.js';
import { OpenPlacesService } from '../teaching/open-places.service.js';
import { LessonLinesService } from '../waitlist/lesson-lines.service.js';

/** The time that is closed, and whose. */
export type Closed = Pick<ClosureDocument, '_id' | 'accountId' | 'poolIds' | 'instructorIds' | 'from' | 'to'>;

/** A lesson that a closure concerns, with those of its sessions that are to take place. */
export interface ClosedLesson {
  lesson: LessonDocument;
  sessions: Lesson['sessions'];
}

const resourcesOf = ({ poolIds, instructorIds }: Closed): string[] => [...poolIds, ...instructorIds];

/** Whether a lesson lies in closed time. */
export const isClosed = (
  { instructorId, location, start, end }: LessonDocument,
  { from, to, poolIds, instructorIds }: Closed,
): boolean =>
  (instructorIds.includes(instructorId) || poolIds.includes(location?.pool_id ?? '')) && start < to && end > from;

/** The days of closed time, of each of its resources. */
const closedDays = (closed: Closed): string[] =>
  resourcesOf(closed).flatMap((resource) => dayIdsOf(resource, closed.from.getTime(), closed.to.getTime()));

/** Closes time and finds the lessons in it, by the claims on its days: a claim may not have stored its lesson yet. */
@Injectable()
export class ClosedLessonsService {
  @Inject(LessonLinesService) private readonly lines!: LessonLinesService;

  constructor(
    private readonly calendar: CalendarService,
    private readonly lessons: LessonsRepository,
    private readonly sessions: LessonReadingService,
    private readonly openPlaces: OpenPlacesService,
    private readonly clock: Clock,
  ) {}

  /** Prevents every later claim on the time. Idempotent. */
  close(closed: Closed): Promise<void> {
    return this.calendar.close(closedDays(closed), { from: closed.from, to: closed.to, id: closed._id });
  }

  /**
   * Ends the holds in closed time and the claims that are being made, and closes its lessons to further places. False while a confirmed
   * claim in it has a plan that is not carried out: repeated until then, it has seen every lesson. Idempotent.
   */
  async settle(closed: Closed): Promise<boolean> {
    const { claims, lessonIds } = await this.findTaken(closed);
    if (!(await this.endOpen(claims))) return false;
    const ids = (await this.findLessons(lessonIds, closed)).map(({ _id }) => _id);
    await this.calendar.close(ids, { from: closed.from, to: closed.to, id: closed._id });
    const inTime = await this.lessons.findAll(ids);
    const placed = await this.calendar.findClaims([...new Set(inTime.flatMap(({ busy }) => busy.map(({ c }) => c)))]);
    return this.endOpen(placed);
  }

  /** The lessons that a closure concerns: those to come, of which nobody's attendance is recorded. */
  async find(closed: Closed): Promise<ClosedLesson[]> {
    const { lessonIds } = await this.findTaken(closed);
    const lessons = (await this.findLessons(lessonIds, closed)).filter((lesson) => this.isToCome(lesson));
    const sessionsOf = await this.sessions.findIn(
      lessons.map(({ _id }) => _id),
      closed.accountId,
    );
    return lessons.flatMap((lesson) => {
      const all = (sessionsOf.get(lesson._id) ?? []).filter(({ status }) => status !== 'cancelled');
      const isOpen = all.every(({ status, attendance }) => status === 'scheduled' && attendance === 'pending');
      return isOpen ? [{ lesson, sessions: all }] : [];
    });
  }

  /** Gives the time back, with all lessons in it. Idempotent. */
  async reopen(closed: Closed): Promise<void> {
    const { lessonIds } = await this.findTaken(closed);
    await this.calendar.reopen([...closedDays(closed), ...lessonIds], closed._id);
    await this.lines.wake(lessonIds);
  }

  private async findTaken(closed: Closed): Promise<{ claims: Claim[]; lessonIds: string[] }> {
    const days = await this.calendar.findDays(closedDays(closed));
    const [fromMs, toMs] = [closed.from.getTime(), closed.to.getTime()];
    const busy = days.flatMap((day) => day.busy.filter(({ s, e }) => s.getTime() < toMs && e.getTime() > fromMs));
    const found = await this.calendar.findClaims([...new Set(busy.map(({ c }) => c))]);
    const resources = new Set(resourcesOf(closed));
    // Buffers around a lesson may lie in closed time.
    const claims = found.filter(({ elements }) =>
      elements.some((element) => {
        const { startMs, endMs } = taughtSpan(element);
        return resources.has(element.resource) && startMs < toMs && endMs > fromMs;
      }),
    );
    return { claims, lessonIds: [...new Set(busy.map(({ h }) => h).filter(isLesson))] };
  }

  /** A lesson that has just moved away may still be on a day. */
  private async findLessons(ids: string[], closed: Closed): Promise<LessonDocument[]> {
    return (await this.lessons.findAll(ids)).filter((lesson) => isClosed(lesson, closed));
  }

  /** False while one of them has a plan that is not carried out. */
  private async endOpen(claims: Claim[]): Promise<boolean> {
    const confirmed = await this.openPlaces.endAll(claims);
    return confirmed.every(({ plan }) => plan === undefined);
  }

  private isToCome({ status, start, clockOffsetMs }: LessonDocument): boolean {
    return status === 'scheduled' && start > accountTime(this.clock, currentEnvironment(), clockOffsetMs);
  }
}
