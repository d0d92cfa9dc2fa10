import { Injectable } from '@nestjs/common';
import { Databases, Repository } from '@swim/mongo';
import { type LessonDocument, lessonSchema } from '../../calendar/places/lesson.schema.js';
import type { CalendarLesson, TimesRange } from './lesson-times.repository.js';

const FIELDS = ['instructorId', 'start', 'end', 'location', 'status', 'rev', 'updatedAt', 'capacity', 'busy'] as const;

/** The lessons that instructors teach, for their calendars. */
@Injectable()
export class TaughtLessonsRepository extends Repository<LessonDocument> {
  constructor(databases: Databases) {
    super(databases.collection('lessons', lessonSchema));
  }

  /** The lessons of an instructor that an account may read and that begin within a range. */
  async findOf(
    accountId: string,
    instructorId: string,
    { fromMs, toMs, order, limit }: TimesRange,
  ): Promise<CalendarLesson[]> {
    const filter = { instructorId, start: { $gte: new Date(fromMs), $lt: new Date(toMs) } };
    const options = { sort: { start: order, _id: order }, limit };
    const found = await this.findPicked<(typeof FIELDS)[number]>({ accountId }, filter, FIELDS, options);
    // The version does not change with the places, which an entry shows.
    return found.map(({ capacity, busy, rev: version, ...lesson }) => ({
      ...lesson,
      version,
      places: { taken: busy.length, capacity },
    }));
  }
}
