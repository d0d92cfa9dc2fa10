import { Injectable } from '@nestjs/common';
import { CalendarService } from '../../calendar/calendar.service.js';
import type { LessonDocument } from '../../calendar/places/lesson.schema.js';
import { LessonsRepository } from '../../lessons/lessons.repository.js';
import { repeatSuperseded, superseded } from '../../lessons/superseded.js';
import { LessonSessionsRepository } from '../reading/lesson-sessions.repository.js';

/** Lessons that sessions have left for other ones. */
@Injectable()
export class LeftLessonsService {
  constructor(
    private readonly lessons: LessonsRepository,
    private readonly sessions: LessonSessionsRepository,
    private readonly calendar: CalendarService,
  ) {}

  /** Hides lessons from a family that has no session in them any more. Idempotent; throws while one is being made there. */
  async hide(lessonIds: readonly string[], accountId: string): Promise<void> {
    for (const id of lessonIds) await repeatSuperseded(() => this.hideOne(id, accountId));
  }

  private async hideOne(id: string, accountId: string): Promise<void> {
    const lesson = await this.lessons.findAny(id);
    if (!lesson?.readers.includes(accountId) || lesson.schoolId === accountId) return;
    if ((await this.sessions.findIn([id], accountId)).size > 0) return;
    if ((await this.isBeingBooked(lesson)) || !(await this.lessons.hideFrom(accountId, lesson))) throw superseded();
  }

  /** Whether a booked place has no session yet, which may be of any account. */
  private async isBeingBooked({ busy }: LessonDocument): Promise<boolean> {
    const made = new Set((await this.sessions.findThese(busy.map(({ h }) => h))).map(({ _id }) => _id));
    const claimIds = busy.flatMap(({ h, c }) => (made.has(h) ? [] : [c]));
    const claims = claimIds.length === 0 ? [] : await this.calendar.findClaims(claimIds);
    return claims.some(({ state }) => state === 'confirmed');
  }
}
