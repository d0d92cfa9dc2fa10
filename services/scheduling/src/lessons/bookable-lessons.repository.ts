import { Injectable } from '@nestjs/common';
import { asSystem, Databases, PUBLIC, Repository } from '@swim/mongo';
import { Clock } from '@swim/platform';
import { type LessonDocument, lessonSchema } from '../calendar/places/lesson.schema.js';
import { type LessonFilters, toFilter } from './lesson-filters.repository.js';

const DECISIVE = ['start', 'end', 'instructorId', 'location', 'levels', 'minAgeYears', 'maxAgeYears'] as const;
/** What decides who may take a place in a lesson. */
export type BookableLesson = Pick<LessonDocument, (typeof DECISIVE)[number] | '_id'>;

const system = asSystem('everyone reads bookable lessons');

/** Bookable lessons with a free place, as far as it depends on them who may take it. */
@Injectable()
export class BookableLessonsRepository extends Repository<LessonDocument> {
  constructor(
    databases: Databases,
    private readonly clock: Clock,
  ) {
    super(databases.collection('lessons', lessonSchema));
  }

  /** The soonest first. */
  find({ currency, ...query }: LessonFilters & { currency: string }, limit: number): Promise<BookableLesson[]> {
    const filter = toFilter({ ...query, bookable: true, has_places: true }, this.clock.now());
    const sort = { start: 1, _id: 1 } as const;
    return this.findPicked(system, { readers: PUBLIC, currency, ...filter }, DECISIVE, { sort, limit });
  }
}
