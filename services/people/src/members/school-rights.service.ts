import { Inject, Injectable } from '@nestjs/common';
import { type BusEvent, ENVIRONMENTS, type Environment, type SessionObject } from '@swim/contracts';
import { Periodic } from '@swim/messaging';
import { AppError, LOGGER, type Logger } from '@swim/platform';
import { AccountsService } from '../accounts/accounts.service.js';
import type { LessonDocument } from './lesson.schema.js';
import { LessonHistory, lessonOf } from './lesson-history.service.js';
import { LessonsRepository } from './lessons.repository.js';
import { MembersRepository } from './members.repository.js';
import { type LastLesson, rightsAfter, rightsWith, type SchoolRight } from './school-rights.rules.js';

const SWEEP_MS = 5_000;
const MAX_TRIES = 12;
const PAGE = 100;

/** Stores members' lessons, and until when each school may therefore read them. */
@Injectable()
export class SchoolRightsService {
  private readonly running = new Map<string, Promise<void>>();
  private readonly waiting = new Map<string, Promise<void>>();
  private isComplete = false;

  constructor(
    private readonly members: MembersRepository,
    private readonly lessons: LessonsRepository,
    private readonly history: LessonHistory,
    private readonly accounts: AccountsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stores the session of an event, unless a later one was consumed before, and updates the rights. */
  async consume({ env, n, audience, object }: BusEvent<SessionObject>): Promise<void> {
    const lesson = lessonOf(object, n, schoolOf(object, audience));
    const key = keyOf(env, lesson.memberId);
    const isAdded = n === 1 && lesson.status !== 'cancelled';
    if (isAdded && !this.running.has(key) && !this.waiting.has(key)) return this.runAlone(env, lesson);
    await this.lessons.keepLatest(env, lesson);
    await this.refresh(env, lesson.memberId);
  }

  /**
   * Ends the rights that a school has by lessons made before an instant, and removes its notes from before `notedBefore`; rights by
   * later lessons stay. Idempotent.
   */
  async endOf(env: Environment, schoolId: string, before: Date, notedBefore: Date): Promise<void> {
    let page: string[] = [];
    do {
      page = await this.members.findIdsOfPupils(env, schoolId, page.at(-1) ?? '', PAGE);
      for (const id of page) {
        await this.lessons.detachSchool(env, id, schoolId, before);
        await this.members.dropNotes(env, id, schoolId, notedBefore);
        await this.refresh(env, id);
      }
    } while (page.length === PAGE);
  }

  /** Stores a new lesson while no computation of its member's rights is running; later requests compute afterwards. */
  private runAlone(env: Environment, lesson: LessonDocument): Promise<void> {
    const key = keyOf(env, lesson.memberId);
    const running = this.begin(env, lesson).finally(() => {
      if (this.running.get(key) === running) this.running.delete(key);
    });
    this.running.set(key, running);
    return running;
  }

  /**
   * A new lesson can only extend a right, so the other lessons are not read. The member was read before the lesson is stored: a
   * computation that has counted the lesson otherwise since (it was cancelled) has written the member. A school that is new to
   * the member may be erased: `compute` checks that.
   */
  private async begin(env: Environment, lesson: LessonDocument): Promise<void> {
    const member = await this.members.recallRights(env, lesson.memberId);
    const isNew = await this.lessons.insertNew(env, lesson);
    const { memberId, schoolId = null, endsAt } = lesson;
    const isKnown = schoolId === null || member?.schools?.some(({ id }) => id === schoolId);
    if (isNew && endsAt && isKnown && member?.schools && !member.erasedAt) {
      if (await this.members.setSchools(env, member, rightsWith(member.schools, { schoolId, endsAt }))) return;
    }
    await this.compute(env, memberId);
  }

  /** Recomputes a member's rights. Calls for one member share the next computation that has not begun. */
  private refresh(env: Environment, memberId: string): Promise<void> {
    const key = keyOf(env, memberId);
    const joined = this.waiting.get(key);
    if (joined !== undefined) return joined;
    const before = this.running.get(key) ?? Promise.resolve();
    const next = before
      .catch(() => undefined)
      .then(() => {
        this.waiting.delete(key);
        this.running.set(key, next);
        return this.compute(env, memberId);
      })
      .finally(() => {
        if (this.running.get(key) === next) this.running.delete(key);
      });
    this.waiting.set(key, next);
    return next;
  }

  /**
   * The member is read before its lessons and written only if it is unchanged since: of several replicas, the last to write
   * has then read the lessons that all others stored. For the same reason it is written also when no right changes.
   */
  private async compute(env: Environment, memberId: string): Promise<void> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const member = await this.members.findAny(env, memberId);
      if (!member || member.erasedAt) return;
      if (!member.schools) await this.history.fetch(env, memberId, member.accountId);
      const known = member.schools ?? [];
      const lessons = await this.withoutErased(env, await this.lessons.findLastBySchool(env, memberId), known);
      if (await this.members.setSchools(env, member, rightsAfter(lessons, known))) return;
    }
    throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
  }

  // An erasure removes a school from every member for good: only a school that is new here may be erased.
  private async withoutErased(env: Environment, lessons: LastLesson[], known: SchoolRight[]): Promise<LastLesson[]> {
    const added = lessons.map(({ schoolId }) => schoolId).filter((school) => !known.some(({ id }) => id === school));
    const erased = added.length === 0 ? [] : await this.accounts.findErasedAmong(env, added);
    return lessons.filter(({ schoolId }) => !erased.includes(schoolId));
  }

  /** Members stored before rights had an end: requests their sessions from scheduling. */
  @Periodic('school rights', SWEEP_MS)
  async complete(): Promise<void> {
    if (this.isComplete) return;
    let found = 0;
    for (const env of ENVIRONMENTS) {
      for (const id of await this.members.findWithoutRights(env)) {
        found++;
        await this.refresh(env, id).catch((error) => {
          this.logger.warn({ err: error, objectId: id }, 'rights of schools not computed');
        });
      }
    }
    this.isComplete = found === 0;
  }
}

const keyOf = (env: Environment, memberId: string): string => `${env}:${memberId}`;

/** The instructor's school: the account that sees the session beside its own. Null for a school's own members. */
const schoolOf = ({ account_id }: SessionObject, audience: readonly string[]): string | null =>
  audience.find((id) => id !== account_id) ?? null;
