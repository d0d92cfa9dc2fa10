import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type LessonDocument, lessonSchema } from '../../calendar/places/lesson.schema.js';

const MOST_LESSONS = 52;
// Filters by places are right within half a second, whatever is killed.
const LOOK_MS = 400;

const REASON = 'a class counts the places of its lessons, of all accounts';
const system = asSystem(REASON);

// Places and closures are counted, so only their ids are read.
const COUNTED = ['classId', 'start', 'capacity', 'busy.s', 'closed.id', 'keptAt', 'clockOffsetMs'] as const;
type Counted = 'classId' | 'start' | 'capacity' | 'busy' | 'closed' | 'keptAt' | 'clockOffsetMs';
export type CountedLesson = Pick<LessonDocument, Counted | '_id'>;

/** The lessons of classes, as far as their places depend on them. */
@Injectable()
export class ClassPlacesRepository extends Repository<LessonDocument> {
  /** Lessons whose places may have changed since their class has counted them. */
  readonly changed = this.work({
    name: 'changed places of classes',
    due: 'placesDueAt',
    reason: REASON,
    lookMs: LOOK_MS,
  });

  constructor(databases: Databases) {
    super(databases.collection('lessons', lessonSchema));
  }

  /** The scheduled lessons of these classes that begin after an instant, in order. */
  findAfter(classIds: string[], instant: Date): Promise<CountedLesson[]> {
    if (classIds.length === 0) return Promise.resolve([]);
    // The type is that of the index.
    const filter = { classId: { $in: classIds, $type: 'string' }, start: { $gt: instant }, status: 'scheduled' };
    const limit = classIds.length * MOST_LESSONS * 2;
    return this.findPicked<Counted>(system, filter, COUNTED, { sort: { start: 1 }, limit });
  }

  /** All lessons of a class, in order. */
  findOfClass(classId: string): Promise<LessonDocument[]> {
    return this.findMany(system, { classId: { $eq: classId, $type: 'string' } }, { start: 1, _id: 1 });
  }
}
