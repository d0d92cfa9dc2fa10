import { Injectable } from '@nestjs/common';
import { Databases, Repository } from '@swim/mongo';
import { type RequestContext, sharedClock } from '@swim/platform';
import { type LessonDocument, lessonSchema } from '../../calendar/places/lesson.schema.js';
import type { CalendarLesson, TimesRange } from './lesson-times.repository.js';

const FIELDS = ['instructorId', 'start', 'end', 'location', 'status', 'rev', 'updatedAt', 'capacity', 'busy'] as const;

// Those of three years at nine a day.
const MOST_TAUGHT = 10_000;

/** The lessons that instructors teach, for their calendars and rosters. */
@Injectable()
export class TaughtLessonsRepository extends Repository<LessonDocument> {
  constructor(databases: Databases) {
    super(databases.collection('lessons', lessonSchema));
  }

  /** The lessons to come of an instructor that an account may read, the next first. */
  findToCome(
    { principal }: RequestContext,
    instructorId: string,
  ): Promise<Pick<LessonDocument, '_id' | 'start' | 'end'>[]> {
    const toCome = { instructorId, status: 'scheduled', start: { $gt: sharedClock.now() } };
    const options = { sort: { start: 1 as const }, limit: MOST_TAUGHT };
    return this.findPicked<'start' | 'end'>(principal, toCome, ['start', 'end'], options);
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

  /** The lessons of an instructor that begin within a span and are not cancelled, the first first. */
  findOn(
    { principal }: RequestContext,
    instructorId: string,
    { startMs, endMs }: { startMs: number; endMs: number },
  ): Promise<LessonDocument[]> {
    const start = { $gte: new Date(startMs), $lt: new Date(endMs) };
    const taught = { instructorId, start, status: { $ne: 'cancelled' } };
    return this.findMany(principal, taught, { start: 1, _id: 1 }, MOST_TAUGHT);
  }
}
