import { Injectable } from '@nestjs/common';
import { lessonCompleted } from '@swim/contracts';
import { type AccountClock, WhenDue } from '@swim/mongo';
import { Clock, type Deadline, systemContext } from '@swim/platform';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { LessonsRepository } from '../lessons/lessons.repository.js';

const BATCH = 100;
// Time that an advance keeps to answer when its deadline does not permit to complete all.
const ENDING_MS = 2_000;

/** Completes the lessons that ended a while ago and are still scheduled, on any number of replicas once. */
@Injectable()
export class LessonCompletionService {
  constructor(
    readonly lessons: LessonsRepository,
    private readonly clock: Clock,
  ) {}

  /** Applies the clock of a test account to the lessons of its school, and completes those that are due; returns how many. */
  async applyClock(clock: AccountClock, deadline: Deadline): Promise<number> {
    await this.lessons.applyClock(clock);
    let completed = 0;
    const due = await this.lessons.findDueOf(clock.accountId, this.clock.now(), BATCH);
    for (const lesson of due) {
      if (deadline.remainingMs() < ENDING_MS) break;
      await this.complete(lesson);
      completed += 1;
    }
    return completed;
  }

  @WhenDue(({ lessons }: LessonCompletionService) => lessons.due)
  async complete({ _id, schoolId }: LessonDocument): Promise<void> {
    await this.lessons.change(systemContext(schoolId), _id, lessonCompleted, ({ status, nextDueAt }) =>
      status === 'scheduled' && nextDueAt !== null && nextDueAt <= this.clock.now()
        ? { status: 'completed', nextDueAt: null }
        : null,
    );
  }
}
