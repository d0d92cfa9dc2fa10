import { Injectable } from '@nestjs/common';
import { Databases, Repository } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { type SessionDocument, sessionSchema } from './session.schema.js';

// More than a school gives in a month.
const MOST_OF_MONTH = 200_000;

/** The lessons that schools gave: completed, and neither missed nor excused. */
@Injectable()
export class GivenLessonsRepository extends Repository<SessionDocument> {
  constructor(databases: Databases) {
    super(databases.collection('sessions', sessionSchema));
  }

  /** The starts of those of the account's school in a range, in one currency. */
  async findStarts({ principal }: RequestContext, from: string, to: string, currency: string): Promise<Date[]> {
    const start = { $gte: new Date(from), $lt: new Date(to) };
    const attendance = { $in: ['pending', 'attended'] };
    const given = { schoolId: principal.accountId, start, status: 'completed', attendance, currency };
    const found = await this.findPicked<'start'>(principal, given, ['start'], { limit: MOST_OF_MONTH });
    return found.map((session) => session.start);
  }
}
