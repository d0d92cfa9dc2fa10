import { Injectable } from '@nestjs/common';
import type { BusEvent, Environment, SessionObject } from '@swim/contracts';
import { Batches, inEnvironment, type Outcome } from '@swim/platform';
import type { LessonDocument } from './lesson.schema.js';
import { LessonsRepository } from './lessons.repository.js';

// The wait collects the sessions of one request. Half of the maximum of unacknowledged events are stored while the rest come in.
const GATHERED = { mostItems: 128, waitMs: 50 };

/** Stores how members' lessons come out. */
@Injectable()
export class LessonsService {
  private readonly batches: Record<Environment, Batches<LessonDocument>> = {
    live: new Batches((lessons) => inEnvironment('live', () => this.storeAll(lessons)), GATHERED),
    test: new Batches((lessons) => inEnvironment('test', () => this.storeAll(lessons)), GATHERED),
  };

  constructor(private readonly lessons: LessonsRepository) {}

  /** Stores the session of an event, unless a later one was consumed before. Idempotent. */
  consume(event: BusEvent<SessionObject>): Promise<void> {
    return this.batches[event.env].add(lessonOf(event));
  }

  private async storeAll(lessons: LessonDocument[]): Promise<Outcome[]> {
    const stored = await Promise.allSettled(lessons.map((lesson) => this.lessons.keepLatest(lesson)));
    return stored.map((each) => (each.status === 'rejected' ? (each.reason as Error) : undefined));
  }
}

const lessonOf = ({ n, object }: BusEvent<SessionObject>): LessonDocument => ({
  _id: object.id,
  readers: [object.account_id],
  memberId: object.member_id,
  n,
  status: object.status,
  attendance: object.attendance,
});
