import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type SessionDocument, sessionSchema } from '../storage/session.schema.js';

const FIELDS = ['instructorId', 'start', 'end', 'location', 'status', 'version', 'updatedAt'] as const;

/** Whose lessons a calendar shows. */
export type CalendarOwner = { instructorId: string } | { memberId: string };

/** A lesson in a calendar: when and where it is, and without what people wrote. */
export interface CalendarLesson extends Pick<SessionDocument, '_id' | (typeof FIELDS)[number]> {
  /** In the calendar of its instructor. */
  places?: { taken: number; capacity: number };
}

/** Lessons that begin within a range in epoch ms, at most `limit`. */
export interface TimesRange {
  fromMs: number;
  toMs: number;
  order: 1 | -1;
  limit: number;
}

/** The times of lessons, for calendars. */
@Injectable()
export class LessonTimesRepository extends Repository<SessionDocument> {
  constructor(databases: Databases) {
    super(databases.collection('sessions', sessionSchema));
  }

  /** The lessons of a member that an account may read and that begin within a range. */
  find(accountId: string, memberId: string, { fromMs, toMs, order, limit }: TimesRange): Promise<CalendarLesson[]> {
    const filter = { memberId, start: { $gte: new Date(fromMs), $lt: new Date(toMs) } };
    return this.findPicked({ accountId }, filter, FIELDS, { sort: { start: order, _id: order }, limit });
  }

  /** The places of lessons, for messages about them. */
  findLocations(ids: string[]): Promise<Pick<CalendarLesson, '_id' | 'location'>[]> {
    const scope = asSystem('a message names its lessons');
    return this.findPicked<'location'>(scope, { _id: { $in: ids } }, ['location'], { limit: ids.length });
  }
}
