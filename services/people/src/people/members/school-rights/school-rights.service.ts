import { Inject, Injectable } from '@nestjs/common';
import {
  type BookedLesson,
  type BusEvent,
  type Environment,
  findBookedLessons,
  type SessionObject,
  sessionAttendanceRecorded,
  sessionCancelled,
  sessionCompleted,
  sessionCreated,
  sessionRescheduled,
  sessionUpdated,
} from '@swim/contracts';
import { On, RpcClient } from '@swim/messaging';
import {
  AppError,
  Batches,
  Clock,
  Deadline,
  inEnvironment,
  LOGGER,
  type Logger,
  type Outcome,
  type RequestContext,
} from '@swim/platform';
import { AccountsService } from '../../../identity/accounts/accounts.service.js';
import { type MemberRights, MembersRepository } from '../members.repository.js';
import type { LessonDocument } from './lesson.schema.js';
import { LessonsRepository } from './lessons.repository.js';
import {
  concernsRights,
  type LastLesson,
  type LessonChange,
  readableUntil,
  rightsAfter,
  rightsAfterChange,
  rightsAfterLast,
  type SchoolRight,
  shortenedBy,
} from './school-rights.rules.js';

// A list, or the event of a change, does not wait longer for scheduling, and goes without what it does not know.
const TOLERATED_MS = 500;
const MAX_TRIES = 12;
const PAGE = 100;
// The wait collects the sessions of one request. Half of the maximum of unacknowledged events are stored while the rest come in.
const GATHERED = { mostItems: 128, waitMs: 50 };

/** Stores members' lessons, and until when each school may therefore read them. */
@Injectable()
export class SchoolRightsService {
  private readonly batches: Record<Environment, Batches<LessonDocument>> = {
    live: new Batches((lessons) => inEnvironment('live', () => this.storeAll(lessons)), GATHERED),
    test: new Batches((lessons) => inEnvironment('test', () => this.storeAll(lessons)), GATHERED),
  };
  @Inject(RpcClient) private readonly rpc!: RpcClient;
  @Inject(Clock) private readonly clock!: Clock;

  constructor(
    private readonly members: MembersRepository,
    private readonly lessons: LessonsRepository,
    private readonly accounts: AccountsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stores the session of an event, unless a later one was consumed before, and updates the rights. Idempotent. */
  @On(sessionCreated)
  @On(sessionUpdated)
  @On(sessionRescheduled)
  @On(sessionCompleted)
  @On(sessionAttendanceRecorded)
  @On(sessionCancelled)
  consume(event: BusEvent<SessionObject>): Promise<void> {
    return this.batches[event.env].add(lessonOf(event));
  }

  /**
   * Requests the lessons that the account sees from scheduling and stores the rights that follow: events come later than the answer
   * of the booking. Of these members, or those that were booked a moment ago.
   */
  async update(context: RequestContext, memberIds?: string[]): Promise<void> {
    const { lessons } = await this.rpc.call(findBookedLessons, memberIds ? { memberIds } : {}, context);
    // By a sandbox's clock a right ends earlier, never later.
    const current = lessons.filter(({ bookedUntil }) => readableUntil(new Date(bookedUntil)) > this.clock.now());
    const byMember = Map.groupBy(current, ({ memberId }) => memberId);
    const members = await Promise.all([...byMember.keys()].map((id) => this.members.findAny(id)));
    for (const member of members) {
      const own = member && !member.erasedAt ? byMember.get(member._id)! : [];
      const gained = own.filter((lesson) => !member!.schools.some((right) => isBy(lesson, right)));
      if (gained.length === 0) continue;
      await this.lessons.keepFetched(gained.map(fetchedLesson));
      await this.compute(member!._id);
    }
  }

  /** As `update`, but for no longer than a moment, and without an error while scheduling is away. */
  async tryUpdate(context: RequestContext, memberIds?: string[]): Promise<void> {
    const deadline = new Deadline(Math.min(TOLERATED_MS, context.deadline.remainingMs()));
    try {
      await this.update({ ...context, deadline }, memberIds);
    } catch (error) {
      this.logger.warn({ err: error }, 'rights of schools taken as known');
    }
  }

  /**
   * Ends the rights that a school has by lessons made before an instant, and removes its notes from before `notedBefore`; rights by
   * later lessons stay. Idempotent.
   */
  async endOf(schoolId: string, before: Date, notedBefore: Date): Promise<void> {
    let page: string[] = [];
    do {
      page = await this.members.findIdsOfPupils(schoolId, page.at(-1) ?? '', PAGE);
      await this.lessons.detachSchool(page, schoolId, before);
      await this.members.dropNotes(page, schoolId, notedBefore);
      await Promise.all(page.map((id) => this.compute(id)));
    } while (page.length === PAGE);
  }

  private async storeAll(lessons: LessonDocument[]): Promise<Outcome[]> {
    const failed = new Map<LessonDocument, Error>();
    const byMember = Map.groupBy(lessons, ({ memberId }) => memberId);
    await Promise.all(
      [...byMember].map(async ([memberId, own]) => {
        try {
          await this.storeOf(memberId, own, failed);
        } catch (error) {
          for (const lesson of own) if (!failed.has(lesson)) failed.set(lesson, error as Error);
        }
      }),
    );
    return lessons.map((lesson) => failed.get(lesson));
  }

  /**
   * Stores lessons of one member. The other lessons are read only when the rights depend on them. The member was read before the
   * lessons are stored: a computation that has counted one of them otherwise since has written the member.
   */
  private async storeOf(
    memberId: string,
    lessons: LessonDocument[],
    failed: Map<LessonDocument, Error>,
  ): Promise<void> {
    const member = await this.members.recallRights(memberId);
    const stored = await Promise.allSettled(lessons.map((lesson) => this.lessons.keepLatest(lesson)));
    for (const [index, each] of stored.entries()) {
      if (each.status === 'rejected') failed.set(lessons[index]!, each.reason as Error);
    }
    if (failed.size > 0 && lessons.every((lesson) => failed.has(lesson))) return;
    const changes = stored.map((each) => (each.status === 'fulfilled' ? each.value : null));
    // Changes of one lesson may have been stored in another order.
    const isRepeated = new Set(lessons.map(({ _id }) => _id)).size < lessons.length;
    if (isRepeated || !(await this.apply(member, changes))) await this.compute(memberId);
  }

  /**
   * Changes the rights of a member's schools by changes of lessons, which are stored; false when they have to be computed. A school
   * that is new to the member may be erased: `compute` checks that.
   */
  private async apply(member: MemberRights | null, changes: (LessonChange | null)[]): Promise<boolean> {
    const known = changes.filter((change) => change !== null);
    if (known.length < changes.length) return false;
    const relevant = known.filter(concernsRights);
    if (relevant.length === 0) return true;
    if (!member || member.erasedAt) return false;
    let rights: SchoolRight[] = member.schools;
    for (const change of relevant) {
      const after = rightsAfterChange(rights, change) ?? (await this.afterShortening(member._id, rights, change));
      if (!after) return false;
      rights = after;
    }
    return this.members.setSchools(member, rights);
  }

  /** The rights after the lesson of one was cancelled or moved to an earlier time; null after any other change. */
  private async afterShortening(
    memberId: string,
    known: SchoolRight[],
    change: LessonChange,
  ): Promise<SchoolRight[] | null> {
    const shortened = shortenedBy(known, change);
    if (!shortened) return null;
    const endsAt = await this.lessons.findLastEnd(memberId, shortened);
    return rightsAfterLast(known, { schoolId: shortened.schoolId, endsAt });
  }

  /**
   * The member is read before its lessons and written only if it is unchanged since: of several replicas, the last to write
   * has then read the lessons that all others stored. For the same reason it is written also when no right changes.
   */
  private async compute(memberId: string): Promise<void> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const member = await this.members.findAny(memberId);
      if (!member || member.erasedAt) return;
      const known = member.schools;
      const lessons = await this.withoutErased(await this.lessons.findLastBySchool(memberId), known);
      if (await this.members.setSchools(member, rightsAfter(lessons, known))) return;
    }
    throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
  }

  // An erasure removes a school from every member for good: only a school that is new here may be erased.
  private async withoutErased(lessons: LastLesson[], known: SchoolRight[]): Promise<LastLesson[]> {
    const added = lessons.map(({ schoolId }) => schoolId).filter((school) => !known.some(({ id }) => id === school));
    const erased = added.length === 0 ? [] : await this.accounts.findErasedAmong(added);
    return lessons.filter(({ schoolId }) => !erased.includes(schoolId));
  }
}

/** Whether a right lasts as long as that by a lesson. */
const isBy = ({ schoolId, bookedUntil }: BookedLesson, { id, until }: SchoolRight): boolean =>
  id === schoolId && until !== null && until >= readableUntil(new Date(bookedUntil));

/** The stored fields of a session, from one of its events. The school is the account that sees it beside the member's own. */
const lessonOf = ({ n, audience, object, facts }: BusEvent<SessionObject>): LessonDocument => ({
  _id: object.id,
  readers: [object.account_id],
  memberId: object.member_id,
  n,
  status: object.status,
  attendance: object.attendance,
  schoolId: (facts?.bookedUntil && audience.find((id) => id !== object.account_id)) || null,
  endsAt: facts?.bookedUntil ? new Date(facts.bookedUntil) : null,
});

/** The stored fields of a session that scheduling answers, from before its first event. */
const fetchedLesson = (lesson: BookedLesson): LessonDocument => ({
  _id: lesson.id,
  readers: [lesson.accountId],
  memberId: lesson.memberId,
  n: 0,
  status: lesson.status,
  attendance: lesson.attendance,
  schoolId: lesson.schoolId === lesson.accountId ? null : lesson.schoolId,
  endsAt: new Date(lesson.bookedUntil),
});
