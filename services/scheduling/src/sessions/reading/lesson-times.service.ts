import { Injectable } from '@nestjs/common';
import { findLessonsOutside, type OutputOf, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { isWithinHours } from '../../calendar/hours/availability.rules.js';
import type { Span } from '../../calendar/hours/span.rules.js';
import type { LessonDocument } from '../../calendar/places/lesson.schema.js';
import {
  type CalendarLesson,
  type CalendarOwner,
  LessonTimesRepository,
  type TimesRange,
} from './lesson-times.repository.js';
import { TaughtLessonsRepository } from './taught-lessons.repository.js';

export type { CalendarLesson, CalendarOwner };

const MOST_NAMED = 20;

/** The lessons of a calendar: `nowMs` and the ends of the range are in epoch ms. */
export interface CalendarRange {
  fromMs: number;
  nowMs: number;
  toMs: number;
  limit: number;
}

/** The times of lessons, for calendars. */
@Injectable()
export class LessonTimesService {
  constructor(
    private readonly times: LessonTimesRepository,
    private readonly taught: TaughtLessonsRepository,
  ) {}

  /**
   * The lessons of an instructor or member that an account may read and that begin within a range. At most `limit`: first
   * those to come, then those of the past, the nearest first.
   */
  async findNearest(
    accountId: string,
    owner: CalendarOwner,
    { fromMs, nowMs, toMs, limit }: CalendarRange,
  ): Promise<CalendarLesson[]> {
    const find = (range: TimesRange) =>
      'memberId' in owner
        ? this.times.find(accountId, owner.memberId, range)
        : this.taught.findOf(accountId, owner.instructorId, range);
    const toCome = await find({ fromMs: nowMs, toMs, order: 1, limit });
    if (toCome.length === limit) return toCome;
    return [...toCome, ...(await find({ fromMs, toMs: nowMs, order: -1, limit: limit - toCome.length }))];
  }

  /** The lessons of an instructor that begin within a span and are not cancelled. */
  findTaught(context: RequestContext, instructorId: string, span: Span): Promise<LessonDocument[]> {
    return this.taught.findOn(context, instructorId, span);
  }

  /** The lessons to come of an instructor that these hours do not contain. */
  @Serve(findLessonsOutside)
  async findOutside(
    { instructorId, isActive, ...hours }: ParsedOf<typeof findLessonsOutside>,
    context: RequestContext,
  ): Promise<OutputOf<typeof findLessonsOutside>> {
    const toCome = await this.taught.findToCome(context, instructorId);
    const outside = toCome.filter(
      ({ start, end }) => !isActive || !isWithinHours(hours, start.getTime(), end.getTime()),
    );
    return { count: outside.length, lessonIds: outside.slice(0, MOST_NAMED).map(({ _id }) => _id) };
  }

  /** The places of these lessons. */
  findLocations(ids: string[]): Promise<Pick<CalendarLesson, '_id' | 'location'>[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.times.findLocations(ids);
  }
}
