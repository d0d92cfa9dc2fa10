import { Injectable } from '@nestjs/common';
import {
  type ClosedSession,
  type Lesson,
  type listClosedSessions,
  MOST_CLOSED_SESSIONS,
  type ParsedOf,
} from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type SessionDocument, sessionSchema } from '../storage/session.schema.js';

const system = asSystem('the lesson was read in the scope of its account before');
const KNOWN = ['lessonId', 'memberId', 'claimId', 'status', 'attendanceIsFinal', 'bookingId', 'terms'] as const;

const CLOSED = ['accountId', 'memberId', 'instructorId', 'start', 'end', 'version'] as const;

/** What a change of its lesson needs to know of a session. */
export type LessonSession = Pick<SessionDocument, '_id' | (typeof KNOWN)[number]>;

// More than the sessions of a page of lessons, cancelled ones included.
const MOST_SESSIONS = 20_000;

/** The sessions of lessons. */
@Injectable()
export class LessonSessionsRepository extends Repository<SessionDocument> {
  constructor(databases: Databases) {
    super(databases.collection('sessions', sessionSchema));
  }

  /** All scheduled sessions in a lesson. */
  findScheduledIn(lessonId: string): Promise<LessonSession[]> {
    return this.findPicked(system, { lessonId, status: 'scheduled' }, KNOWN);
  }

  /** These sessions, in whatever lesson they are. */
  findThese(ids: string[]): Promise<LessonSession[]> {
    return this.findPicked(system, { _id: { $in: ids } }, KNOWN);
  }

  /** How many sessions in these lessons an account has cancelled since an instant. */
  countCancelledBy(lessonIds: string[], accountId: string, since: Date): Promise<number> {
    const cancellation = { 'cancellation.cancelled_by': accountId, updatedAt: { $gte: since } };
    return this.count(system, { lessonId: { $in: lessonIds }, status: 'cancelled', ...cancellation });
  }

  /** The sessions that a closure has cancelled, whose participants are to be notified, in order of id. */
  async findClosedBy({ closureId, after }: ParsedOf<typeof listClosedSessions>): Promise<ClosedSession[]> {
    const filter = { closureId, 'cancellation.participants_notified': true, ...(after && { _id: { $gt: after } }) };
    const found = await this.findPicked<(typeof CLOSED)[number]>(system, filter, CLOSED, {
      sort: { _id: 1 },
      limit: MOST_CLOSED_SESSIONS,
    });
    return found.map(({ _id: id, start, end, ...session }) => ({
      ...session,
      id,
      date: start.toISOString(),
      endDate: end.toISOString(),
    }));
  }

  /** The sessions in these lessons that an account sees, by lesson, in order of id. */
  async findIn(lessonIds: string[], accountId: string): Promise<Map<string, Lesson['sessions']>> {
    if (lessonIds.length === 0) return new Map();
    const fields = ['lessonId', 'memberId', 'accountId', 'status', 'attendance'] as const;
    const within = { lessonId: { $in: lessonIds } };
    const options = { findsFew: true, limit: MOST_SESSIONS };
    const found = await this.findPicked<(typeof fields)[number]>({ accountId }, within, fields, options);
    // The database would take a fifth longer to sort them.
    found.sort((a, b) => (a._id < b._id ? -1 : 1));
    const byLesson = Map.groupBy(found, ({ lessonId }) => lessonId);
    return new Map([...byLesson].map(([lessonId, own]) => [lessonId, own.map(toSession)]));
  }
}

const toSession = (
  session: Pick<SessionDocument, '_id' | 'memberId' | 'accountId' | 'status' | 'attendance'>,
): Lesson['sessions'][number] => ({
  id: session._id,
  member_id: session.memberId,
  account_id: session.accountId,
  status: session.status,
  attendance: session.attendance,
});
