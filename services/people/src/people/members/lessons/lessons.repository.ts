import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import type { LessonOutcome } from './lesson.rules.js';
import { type LessonDocument, lessonSchema } from './lesson.schema.js';

const REASON = 'who may read a member may read what its lessons come to';

/** Storage of members' sessions, from their events. */
@Injectable()
export class LessonsRepository extends Repository<LessonDocument> {
  constructor(databases: Databases) {
    super(databases.collection('lessons', lessonSchema));
  }

  /** Stores the fields of a session's event, unless a later one was consumed before. Idempotent. */
  async keepLatest(lesson: LessonDocument): Promise<void> {
    const scope = asSystem(REASON);
    const { _id, n, ...fields } = lesson;
    const replace = () => this.update(scope, { _id, n: { $lt: n } }, { $set: { n, ...fields } });
    // Before the first event of a session, nothing is stored of it.
    if (n > 1 && (await replace())) return;
    // A concurrent consumer may have inserted it.
    if (!(await this.tryInsert(scope, lesson))) await replace();
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
