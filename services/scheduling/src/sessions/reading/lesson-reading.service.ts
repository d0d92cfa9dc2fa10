import { Injectable } from '@nestjs/common';
import {
  type ClosedSession,
  getLesson,
  type Lesson,
  listClosedSessions,
  listLessons,
  type Page,
  type ParsedOf,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { accountTime, Clock, currentEnvironment, type RequestContext } from '@swim/platform';
import type { LessonDocument } from '../../calendar/places/lesson.schema.js';
import { toLesson } from '../../lessons/lesson.mapper.js';
import { LessonsRepository } from '../../lessons/lessons.repository.js';
import { type LessonSession, LessonSessionsRepository } from './lesson-sessions.repository.js';

export type { LessonSession };

/** Reads lessons: a school sees all of their sessions, any other account its own. */
@Injectable()
export class LessonReadingService {
  constructor(
    private readonly lessons: LessonsRepository,
    private readonly sessions: LessonSessionsRepository,
    private readonly clock: Clock,
  ) {}

  @Serve(getLesson)
  async get({ lesson_id: id }: ParsedOf<typeof getLesson>, context: RequestContext): Promise<Lesson> {
    return this.answer(await this.lessons.getVisible(context, id), context);
  }

  @Serve(listLessons)
  async list(query: ParsedOf<typeof listLessons>, context: RequestContext): Promise<Page<Lesson>> {
    const { items, pagination } = await this.lessons.listVisible(context, query);
    return { items: await this.answerAll(items, context), pagination };
  }

  /** All scheduled sessions in a lesson, for the service's own work. */
  findScheduledIn(lessonId: string): Promise<LessonSession[]> {
    return this.sessions.findScheduledIn(lessonId);
  }

  /** These sessions, in whatever lesson they are. */
  findSessions(ids: string[]): Promise<LessonSession[]> {
    return this.sessions.findThese(ids);
  }

  /** The sessions in these lessons that an account sees, by lesson. */
  findIn(lessonIds: string[], accountId: string): Promise<Map<string, Lesson['sessions']>> {
    return this.sessions.findIn(lessonIds, accountId);
  }

  @Serve(listClosedSessions)
  findClosedBy(input: ParsedOf<typeof listClosedSessions>): Promise<ClosedSession[]> {
    return this.sessions.findClosedBy(input);
  }

  /** How many sessions in these lessons an account has cancelled since an instant. */
  countCancelledBy(lessonIds: string[], accountId: string, since: Date): Promise<number> {
    return this.sessions.countCancelledBy(lessonIds, accountId, since);
  }

  async answer(lesson: LessonDocument, context: RequestContext): Promise<Lesson> {
    const [answered] = await this.answerAll([lesson], context);
    return answered!;
  }

  async answerAll(lessons: LessonDocument[], { principal }: RequestContext): Promise<Lesson[]> {
    const found = await this.sessions.findIn(
      lessons.map(({ _id }) => _id),
      principal.accountId,
    );
    return lessons.map((lesson) => {
      const answered = toLesson(lesson, found.get(lesson._id) ?? []);
      return this.hasBegun(lesson) ? { ...answered, places_left: 0 } : answered;
    });
  }

  /** By the clock of its school. */
  private hasBegun({ start, clockOffsetMs }: LessonDocument): boolean {
    return start <= accountTime(this.clock, currentEnvironment(), clockOffsetMs);
  }
}
