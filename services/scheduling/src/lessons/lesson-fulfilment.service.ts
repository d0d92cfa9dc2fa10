import { Injectable } from '@nestjs/common';
import type { EventCause } from '@swim/contracts';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { VacatedTimeService } from '../calendar/vacated-time.service.js';
import { LessonsRepository, type NewLesson } from './lessons.repository.js';
import { contextOfPlan } from './plan-context.js';

/** A lesson to be made at the time of the claim. */
export interface LessonPlan {
  kind: 'lesson';
  lesson: Omit<NewLesson, 'claimId'>;
  cause: EventCause;
}

/** Makes the lesson of a confirmed claim, the first time or after a crash. */
@Injectable()
export class LessonFulfilmentService {
  constructor(
    private readonly lessons: LessonsRepository,
    private readonly calendar: CalendarService,
    private readonly vacated: VacatedTimeService,
  ) {}

  /** Makes the lesson of a plan, or returns the existing one. */
  async fulfil({ _id }: Claim, { lesson, cause }: LessonPlan): Promise<LessonDocument> {
    const made = await this.lessons.insertPlanned(contextOfPlan(cause), { ...lesson, claimId: _id });
    if (made.claimId !== _id) await this.calendar.release(_id);
    // A lesson that was cancelled meanwhile has given up its time already.
    else if ((await this.calendar.markFulfilled([_id])) === 0) await this.vacated.endOver([_id]);
    return made;
  }
}
