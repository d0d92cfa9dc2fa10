import { Injectable } from '@nestjs/common';
import type { EventCause } from '@swim/contracts';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { nobodyWaits, VacatedTimeService } from '../calendar/vacated-time.service.js';
import { ClassesRepository } from './classes/classes.repository.js';
import { LessonsRepository, type NewLesson } from './lessons.repository.js';
import { contextOfPlan } from './plan-context.js';

/** A lesson to be made at the time of the claim. */
export interface LessonPlan {
  kind: 'lesson';
  lesson: Omit<NewLesson, 'claimId'>;
  cause: EventCause;
}

/** The lessons of a class at the times of the claim. */
export interface ClassLessonsPlan {
  kind: 'class-lessons';
  schoolId: string;
  classId: string;
  /** The work on the class that makes them. */
  seed: string;
  lessons: Omit<NewLesson, 'claimId'>[];
  cause: EventCause;
}

/** Makes the lesson of a confirmed claim, the first time or after a crash. */
@Injectable()
export class LessonFulfilmentService {
  constructor(
    private readonly lessons: LessonsRepository,
    private readonly calendar: CalendarService,
    private readonly vacated: VacatedTimeService,
    private readonly classes: ClassesRepository,
  ) {}

  /** Makes the lesson of a plan, or returns the existing one. */
  async fulfil({ _id }: Claim, { lesson, cause }: LessonPlan): Promise<LessonDocument> {
    const made = await this.lessons.insertPlanned(contextOfPlan(cause), { ...lesson, claimId: _id });
    if (made.claimId !== _id) await this.calendar.release(_id);
    // A lesson that was cancelled meanwhile has given up its time already.
    else if ((await this.calendar.markFulfilled([_id])) === 0) await this.vacated.endOver([_id]);
    return made;
  }

  /** Makes the lessons of a class, or none where the work on it that had them made is over. */
  async fulfilAll({ _id }: Claim, { classId, seed, lessons, cause }: ClassLessonsPlan): Promise<void> {
    const isCurrent = (await this.classes.findAny(classId))?.work?.seed === seed;
    const existing = isCurrent ? [] : await this.lessons.findAll(lessons.map((lesson) => lesson._id));
    if (!isCurrent && !existing.some(({ claimId }) => claimId === _id)) return this.calendar.release(_id);
    const planned = lessons.map((lesson) => ({ ...lesson, claimId: _id }));
    const { documents, published } = await this.lessons.insertAll(contextOfPlan(cause), planned);
    const others = documents.filter(({ claimId }) => claimId !== _id).map((lesson) => lesson._id);
    if (others.length > 0) await this.vacated.leave(_id, others, nobodyWaits);
    await published;
    if ((await this.calendar.markFulfilled([_id])) === 0) await this.vacated.endOver([_id]);
  }
}
