import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import type { LessonOutcome } from './lesson.rules.js';
import { type LessonDocument, lessonSchema } from './lesson.schema.js';
import type { LastLesson } from './school-rights.rules.js';

const REASON = 'who may read a member may read what its lessons come to';

/** The sessions of members, as their events tell of them. */
@Injectable()
export class LessonsRepository extends Repository<LessonDocument> {
  constructor(databases: Databases) {
    super(databases.collection('lessons', lessonSchema));
  }

  /** Keeps a session that is new; false when something of it is known already. */
  insertNew(env: Environment, lesson: LessonDocument): Promise<boolean> {
    return this.tryInsert(asSystem(env, REASON), lesson);
  }

  /** Keeps what a session's event tells, unless a later one was heard before. Again is the same. */
  async keepLatest(env: Environment, { _id, n, ...facts }: LessonDocument): Promise<void> {
    const scope = asSystem(env, REASON);
    const supersede = () => this.update(scope, { _id, n: { $lt: n } }, { $set: { n, ...facts } });
    if (await supersede()) return;
    if (await this.tryInsert(scope, { _id, n, ...facts })) return;
    // Somebody else has inserted it in between, or has it already.
    await supersede();
  }

  /** Keeps a session that was asked for: what events have told of it counts more. Again is the same. */
  async keepFetched(env: Environment, lesson: LessonDocument): Promise<void> {
    const scope = asSystem(env, REASON);
    if (await this.tryInsert(scope, lesson)) return;
    const { _id, schoolId, endsAt } = lesson;
    await this.update(scope, { _id, endsAt: null }, { $set: { schoolId, endsAt } });
  }

  /** When the last lesson of each school with this member ends, cancelled ones left out. */
  async findLastBySchool(env: Environment, memberId: string): Promise<LastLesson[]> {
    const taking = { $cond: [{ $eq: ['$status', 'cancelled'] }, null, '$endsAt'] };
    const last = await this.model(asSystem(env, REASON)).aggregate<{ _id: string | null; endsAt: Date | null }>(
      [{ $match: { memberId } }, { $group: { _id: '$schoolId', endsAt: { $max: taking } } }],
      { asSystem: REASON } as object,
    );
    return last.flatMap(({ _id: schoolId, endsAt }) => (schoolId === null ? [] : [{ schoolId, endsAt }]));
  }

  /** Whose session it was; null when nothing is known of it. */
  async findMember(env: Environment, sessionId: string): Promise<string | null> {
    return (await this.lookUp(asSystem(env, REASON), sessionId))?.memberId ?? null;
  }

  /** How many sessions of a member ended in which way. */
  async countOutcomes(env: Environment, memberId: string): Promise<(LessonOutcome & { times: number })[]> {
    const counted = await this.model(asSystem(env, REASON)).aggregate<{ _id: LessonOutcome; times: number }>(
      [
        { $match: { memberId } },
        { $group: { _id: { status: '$status', attendance: '$attendance' }, times: { $sum: 1 } } },
      ],
      { asSystem: REASON } as object,
    );
    return counted.map(({ _id, times }) => ({ ..._id, times }));
  }
}
