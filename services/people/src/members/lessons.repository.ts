import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import type { LessonOutcome } from './lesson.rules.js';
import { type LessonDocument, lessonSchema } from './lesson.schema.js';

const REASON = 'who may read a member may read what its lessons come to';

/** Memory of how the sessions of members ended. */
@Injectable()
export class LessonsRepository extends Repository<LessonDocument> {
  constructor(databases: Databases) {
    super(databases.collection('lessons', lessonSchema));
  }

  /** Keeps what a session's event tells, unless a later one was heard before. Again is the same. */
  async keepLatest(env: Environment, { _id, n, ...told }: LessonDocument): Promise<void> {
    const scope = asSystem(env, REASON);
    const overtake = () => this.update(scope, { _id, n: { $lt: n } }, { $set: { n, ...told } });
    if (await overtake()) return;
    if (await this.tryInsert(scope, { _id, n, ...told })) return;
    // Somebody else has inserted it in between, or has it already.
    await overtake();
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
