import { Injectable } from '@nestjs/common';
import { Databases, Repository } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { type SessionDocument, sessionSchema } from '../storage/session.schema.js';

const QUARTER_MS = 15 * 60_000;

/** Lessons that began in the same quarter of an hour. */
export interface CountedLessons {
  /** The beginning of the quarter, in ms since 1970. */
  startMs: number;
  count: number;
}

/** The lessons that schools gave: completed, and neither missed nor excused. */
@Injectable()
export class GivenLessonsRepository extends Repository<SessionDocument> {
  constructor(databases: Databases) {
    super(databases.collection('sessions', sessionSchema));
  }

  /** When these members attended their first lesson of the account's school, in ms since 1970; without those that have attended none. */
  async findFirstAttended({ principal }: RequestContext, memberIds: readonly string[]): Promise<Map<string, number>> {
    const { accountId } = principal;
    const attended = { memberId: { $in: memberIds }, readers: accountId, schoolId: accountId, attendance: 'attended' };
    const groups = await this.model(principal).aggregate<{ _id: string; first: Date }>([
      { $match: attended },
      { $group: { _id: '$memberId', first: { $min: '$start' } } },
    ]);
    return new Map(groups.map(({ _id, first }) => [_id, first.getTime()]));
  }

  /**
   * Those of the account's school in a range, in one currency, by quarter of an hour: the finest at which a day begins in any time
   * zone. The database counts them, since there may be many.
   */
  async countByQuarter(
    { principal }: RequestContext,
    from: string,
    to: string,
    currency: string,
  ): Promise<CountedLessons[]> {
    const { accountId } = principal;
    const start = { $gte: new Date(from), $lt: new Date(to) };
    const attendance = { $in: ['pending', 'attended'] };
    const quarter = { $floor: { $divide: [{ $toLong: '$start' }, QUARTER_MS] } };
    const groups = await this.model(principal).aggregate<{ _id: number; count: number }>([
      { $match: { readers: accountId, schoolId: accountId, start, status: 'completed', attendance, currency } },
      { $group: { _id: quarter, count: { $sum: 1 } } },
    ]);
    return groups.map(({ _id, count }) => ({ startMs: _id * QUARTER_MS, count }));
  }
}
