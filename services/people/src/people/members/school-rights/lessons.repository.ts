import { Injectable } from '@nestjs/common';
import { asSystem, Databases, type Filter, Repository } from '@swim/mongo';
import { lowestIdAt } from '@swim/platform';
import mongoose from 'mongoose';
import type { LessonOutcome } from './lesson.rules.js';
import { type LessonDocument, lessonSchema } from './lesson.schema.js';
import type { LastLesson, LessonChange } from './school-rights.rules.js';

const REASON = 'who may read a member may read what its lessons come to';

/** Storage of members' sessions, from their events. */
@Injectable()
export class LessonsRepository extends Repository<LessonDocument> {
  constructor(databases: Databases) {
    super(databases.collection('lessons', lessonSchema));
  }

  /**
   * Stores the fields of a session's event, unless a later one was consumed before. Returns the change; null when what the fields
   * replaced is not known. Idempotent.
   */
  async keepLatest(lesson: LessonDocument): Promise<LessonChange | null> {
    const scope = asSystem(REASON);
    const { _id, n, ...fields } = lesson;
    const replace = (former: Filter) => this.update(scope, { _id, ...former }, { $set: { n, ...fields } });
    // Before the first event of a session, nothing is stored of it.
    if (n === 1 && (await this.tryInsert(scope, lesson))) return { before: null, after: lesson };
    const before = await this.lookUp(scope, _id);
    // The end of a school's rights changes the school of a lesson, but not its number.
    const former = before && { n: before.n, schoolId: before.schoolId ?? null };
    // The rights do not yet follow from a session that was requested from scheduling, if that run crashed.
    if (former && former.n > 0 && former.n < n && (await replace(former))) return { before, after: lesson };
    // A concurrent consumer may have inserted it, or replaced its fields.
    if (before || !(await this.tryInsert(scope, lesson))) await replace({ n: { $lt: n } });
    return null;
  }

  /** Ends what a school may read of members by the sessions made before an instant; the sessions stay. Idempotent. */
  async detachSchool(memberIds: string[], schoolId: string, before: Date): Promise<void> {
    const of = mongoose.trusted({ $in: memberIds });
    const made = { memberId: of, schoolId, _id: mongoose.trusted({ $lt: lowestIdAt('ses', before) }) };
    await this.model(asSystem(REASON)).updateMany(made, { $set: { schoolId: null } }, {
      asSystem: REASON,
    } as object);
  }

  /** Stores sessions that were requested from scheduling; data from events take precedence. Idempotent. */
  async keepFetched(lessons: LessonDocument[]): Promise<void> {
    await this.tryInsertAll(asSystem(REASON), lessons);
  }

  /** When the last lesson of each school with this member ends, without cancelled ones. */
  async findLastBySchool(memberId: string): Promise<LastLesson[]> {
    const taking = { $cond: [{ $eq: ['$status', 'cancelled'] }, null, '$endsAt'] };
    const last = await this.model(asSystem(REASON)).aggregate<{ _id: string | null; endsAt: Date | null }>(
      [{ $match: { memberId } }, { $group: { _id: '$schoolId', endsAt: { $max: taking } } }],
      { asSystem: REASON } as object,
    );
    return last.flatMap(({ _id: schoolId, endsAt }) => (schoolId === null ? [] : [{ schoolId, endsAt }]));
  }

  /** When the member's last lesson with a school ends, of those that end by `formerEnd`; null when all are cancelled. */
  async findLastEnd(
    memberId: string,
    { schoolId, formerEnd }: { schoolId: string; formerEnd: Date },
  ): Promise<Date | null> {
    // Without the bound, the database may read all lessons by the index of the count.
    const taking = { memberId, schoolId, endsAt: { $lte: formerEnd }, status: { $ne: 'cancelled' } };
    return (await this.findFirst(asSystem(REASON), taking, { endsAt: -1 }))?.endsAt ?? null;
  }

  /** The number of a member's sessions by outcome. */
  async countOutcomes(memberId: string): Promise<(LessonOutcome & { times: number })[]> {
    const counted = await this.model(asSystem(REASON)).aggregate<{ _id: LessonOutcome; times: number }>(
      [
        { $match: { memberId } },
        { $group: { _id: { status: '$status', attendance: '$attendance' }, times: { $sum: 1 } } },
      ],
      { asSystem: REASON } as object,
    );
    return counted.map(({ _id, times }) => ({ ..._id, times }));
  }
}
