import { Injectable } from '@nestjs/common';
import { type AccountClock, WhenDue } from '@swim/mongo';
import { accountTime, Clock, currentEnvironment } from '@swim/platform';
import type { LessonDocument } from '../../calendar/places/lesson.schema.js';
import type { ClassPlaces } from './class.mapper.js';
import type { ClassDocument } from './class.schema.js';
import { ClassPlacesRepository, type CountedLesson } from './class-places.repository.js';
import { ClassesRepository } from './classes.repository.js';

const MOST_COUNTED = 200;
const NONE: ClassPlaces = { placesLeft: null, nextLessonAt: null };

/**
 * Counts the places of classes. Answers count them anew; filters take what is stored with the class. Each write that may change the
 * places of a lesson makes it due, and so does the beginning of a lesson.
 */
@Injectable()
export class ClassPlacesService {
  constructor(
    readonly lessons: ClassPlacesRepository,
    readonly classes: ClassesRepository,
    private readonly clock: Clock,
  ) {}

  /** The places of these classes now, by class. */
  async of(classes: readonly ClassDocument[]): Promise<Map<string, ClassPlaces>> {
    const withLessons = classes.filter(({ status }) => status !== 'draft').map(({ _id }) => _id);
    const now = this.clock.now();
    const found = await this.lessons.findAfter(withLessons, now);
    const toCome = found.filter(({ start, clockOffsetMs = 0 }) => start.getTime() - clockOffsetMs > now.getTime());
    const byClass = Map.groupBy(toCome, ({ classId }) => classId!);
    return new Map(classes.map(({ _id }) => [_id, placesOf(byClass.get(_id) ?? [])]));
  }

  /** All lessons of a class, in order. */
  lessonsOf(classId: string): Promise<LessonDocument[]> {
    return this.lessons.findOfClass(classId);
  }

  /** The lessons to come of a class, in order. */
  async toCome(classId: string): Promise<LessonDocument[]> {
    return (await this.lessonsOf(classId)).filter((lesson) => this.isToCome(lesson));
  }

  private isToCome({ status, start, clockOffsetMs }: LessonDocument): boolean {
    return status === 'scheduled' && start > accountTime(this.clock, currentEnvironment(), clockOffsetMs);
  }

  /** Counts all that may have changed: filters are right afterwards. */
  async countDue(): Promise<void> {
    const lessons = await this.lessons.changed.findDue(MOST_COUNTED);
    const classes = await this.classes.uncounted.findDue(MOST_COUNTED);
    const ids = new Set([...lessons.flatMap(({ classId }) => classId ?? []), ...classes.map(({ _id }) => _id)]);
    await Promise.all([...ids].map((id) => this.count(id)));
    await Promise.all(lessons.map((lesson) => this.lessons.changed.end(lesson)));
  }

  /** Applies the clock of a test account to the classes of its school. */
  async applyClock(clock: AccountClock): Promise<void> {
    await this.classes.applyClock(clock);
    await this.countDue();
  }

  @WhenDue(({ lessons }: ClassPlacesService) => lessons.changed)
  async countOf(lesson: LessonDocument): Promise<void> {
    if (lesson.classId) await this.count(lesson.classId);
    // Not before: a crash in between would lose the change.
    await this.lessons.changed.end(lesson);
  }

  @WhenDue(({ classes }: ClassPlacesService) => classes.uncounted)
  async countAgain({ _id }: ClassDocument): Promise<void> {
    await this.count(_id);
  }

  private async count(id: string): Promise<void> {
    for (;;) {
      const now = await this.classes.findAny(id);
      if (!now) return;
      const places = (await this.of([now])).get(id)!;
      // Before the count is stored: after a crash it is repeated.
      if (now.isAwaited && places.placesLeft !== 0) await this.classes.wakeLine(id);
      if (await this.classes.storePlaces(now, places, dueOf(now, places))) return;
    }
  }
}

/** When the next lesson begins, in real time. */
export const dueOf = (
  { clockOffsetMs = 0 }: Pick<ClassDocument, 'clockOffsetMs'>,
  { nextLessonAt }: ClassPlaces,
): Date | null => nextLessonAt && new Date(nextLessonAt.getTime() - clockOffsetMs);

function placesOf(toCome: readonly CountedLesson[]): ClassPlaces {
  const [next] = toCome;
  if (!next) return NONE;
  const left = toCome.map(({ capacity, busy, closed = [], keptAt }) =>
    closed.length > 0 || keptAt ? 0 : Math.max(capacity - busy.length, 0),
  );
  return { placesLeft: Math.min(...left), nextLessonAt: next.start };
}
