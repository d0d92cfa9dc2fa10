import { Injectable } from '@nestjs/common';
import { type Environment, listSessions, type SessionObject } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { systemContext } from '@swim/platform';
import { InstructorsService } from '../instructors/instructors.service.js';
import type { LessonDocument } from './lesson.schema.js';
import { LessonsRepository } from './lessons.repository.js';

const PAGE = 100;

/** Loads lessons from before their events were stored, from scheduling. */
@Injectable()
export class LessonHistory {
  constructor(
    private readonly lessons: LessonsRepository,
    private readonly instructors: InstructorsService,
    private readonly rpc: RpcClient,
  ) {}

  /** Stores all sessions of a member; data from events take precedence. Idempotent. */
  async fetch(env: Environment, memberId: string, accountId: string): Promise<void> {
    let cursor: string | undefined;
    do {
      const context = systemContext(env, accountId);
      const requested = { member_id: memberId, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
      const { items, pagination } = await this.rpc.call(listSessions, requested, context);
      for (const session of items) {
        const instructor = await this.instructors.findTeacher(session.instructor_id, context);
        const schoolId = instructor && instructor.schoolId !== accountId ? instructor.schoolId : null;
        await this.lessons.keepFetched(env, lessonOf(session, 0, schoolId));
      }
      cursor = pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
}

/** The stored fields of a session, from its nth event. */
export const lessonOf = (session: SessionObject, n: number, schoolId: string | null): LessonDocument => ({
  _id: session.id,
  readers: [session.account_id],
  memberId: session.member_id,
  n,
  status: session.status,
  attendance: session.attendance,
  schoolId,
  endsAt: new Date(session.end_date),
});
