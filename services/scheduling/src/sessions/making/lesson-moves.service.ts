import { Inject, Injectable } from '@nestjs/common';
import { sessionRescheduled, sessionUpdated } from '@swim/contracts';
import { asSystem } from '@swim/mongo';
import { Clock, type RequestContext } from '@swim/platform';
import { BackgroundWorkService } from '../../calendar/background-work.service.js';
import { CalendarService, type Claim } from '../../calendar/calendar.service.js';
import { isLesson } from '../../calendar/claim.rules.js';
import type { LessonDocument } from '../../calendar/places/lesson.schema.js';
import { VacatedTimeService } from '../../calendar/vacated-time.service.js';
import { LessonsRepository } from '../../lessons/lessons.repository.js';
import { contextOfPlan } from '../../lessons/plan-context.js';
import { VacanciesService } from '../../waitlist/vacancies.service.js';
import { LateSessionsService } from '../cancelling/late-sessions.service.js';
import { SessionClaimsService } from '../cancelling/session-claims.service.js';
import { type LessonMovePlan, nextDueOf } from '../storage/session.rules.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { SessionsRepository } from '../storage/sessions.repository.js';

const scope = asSystem('sessions follow their lesson, whose access was checked');

/**
 * Moves of lessons with their sessions. One claim takes the new time for all of them; the lesson changes over to it in one write, which
 * decides; its sessions follow. Until then nothing has moved, and the claim can be abandoned.
 */
@Injectable()
export class LessonMovesService {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(VacatedTimeService) private readonly vacated!: VacatedTimeService;
  @Inject(LateSessionsService) private readonly late!: LateSessionsService;
  @Inject(BackgroundWorkService) private readonly background!: BackgroundWorkService;

  constructor(
    private readonly lessons: LessonsRepository,
    private readonly sessions: SessionsRepository,
    private readonly calendar: CalendarService,
    private readonly claims: SessionClaimsService,
    private readonly vacancies: VacanciesService,
  ) {}

  /** Releases the claim of a move, unless its lesson has changed over to it; returns the lesson if it has. Idempotent. */
  async abandon({ lessonId }: LessonMovePlan, claimId: string): Promise<LessonDocument | null> {
    // A change-over that is on its way fails from now on.
    await this.lessons.stopMoving(lessonId, claimId);
    const lesson = await this.lessons.findAny(lessonId);
    if (lesson?.claimId === claimId) return lesson;
    await this.calendar.release(claimId);
    return null;
  }

  /** Carries out or abandons the move of a claim that a crash has interrupted. */
  async recover(claim: Claim, plan: LessonMovePlan): Promise<void> {
    const found = await this.lessons.findAny(plan.lessonId);
    const lesson = found?.claimId === claim._id ? found : await this.abandon(plan, claim._id);
    if (lesson) await (await this.follow(lesson, claim))();
  }

  /**
   * Has all sessions follow a lesson to its claim, and releases what they had before; returns what may last longer than a request.
   * Idempotent.
   */
  async follow(lesson: LessonDocument, known?: Claim): Promise<() => Promise<void>> {
    const claim = known ?? (await this.calendar.findClaim(lesson.claimId));
    const plan = claim?.plan as LessonMovePlan | undefined;
    if (!claim || plan?.kind !== 'lesson-move') return this.leaveIfOver(lesson);
    const context = contextOfPlan(plan.cause);
    const sessions = await this.sessions.findByIds(claim.holders.filter((id) => !isLesson(id)));
    const followed = await Promise.all(sessions.map((session) => this.followOne(session, lesson, context)));
    await this.claims.letGoAll(followed.flat(), [lesson._id]);
    // A member may have been erased during the lesson, or its connection have ended, and the lesson be moved to the future afterwards.
    await this.late.undoMoved(sessions);
    const time = await this.vacancies.leave({ leaving: [lesson._id], claimId: plan.from, shouldOffer: true });
    return async () => {
      if (time) await this.vacancies.passOn([time]);
      if ((await this.calendar.markFulfilled([claim._id])) === 0) await this.vacated.endOver([claim._id]);
      await this.end(lesson);
    };
  }

  /** Starts what may last longer than a request. */
  start(rest: () => Promise<void>): void {
    this.background.start(rest);
  }

  /** Takes its time from a private lesson that ended when a claim gave back its last place. */
  private async leaveIfOver(lesson: LessonDocument): Promise<() => Promise<void>> {
    const { _id, claimId, status } = lesson;
    const isOver = status === 'cancelled';
    const time = isOver ? await this.vacancies.leave({ leaving: [_id], claimId, shouldOffer: true }) : null;
    return async () => {
      if (time) await this.vacancies.passOn([time]);
      await this.end(lesson);
    };
  }

  private async end(lesson: LessonDocument): Promise<void> {
    // A cancellation that has come since goes on.
    if (!lesson.ending) await this.lessons.unfollowed.end(lesson);
  }

  /** Returns the session once it has followed, with what it has dropped. */
  private async followOne(
    session: SessionDocument,
    lesson: LessonDocument,
    context: RequestContext,
  ): Promise<SessionDocument[]> {
    const { _id, claimId } = session;
    if (claimId === lesson.claimId) return [];
    const isRescheduled =
      session.instructorId !== lesson.instructorId ||
      session.start.getTime() !== lesson.start.getTime() ||
      session.end.getTime() !== lesson.end.getTime();
    const event = isRescheduled ? sessionRescheduled : sessionUpdated;
    const decide = (now: SessionDocument) => (isIn(lesson, now) ? this.moved(now, lesson) : null);
    const { document } = await this.sessions.change(context, session, event, decide, scope);
    if (document.claimId === lesson.claimId) return [document];
    // It was cancelled, completed or moved away after its lesson had changed over.
    await this.lessons.leave([{ lessonId: lesson._id, sessionId: _id, claimIds: [lesson.claimId] }]);
    await this.vacancies.leave({ leaving: [_id], claimId: lesson.claimId, shouldOffer: false });
    return [];
  }

  private moved(now: SessionDocument, lesson: LessonDocument): Partial<SessionDocument> {
    const { instructorId, location, start, end, durationMinutes, claimId } = lesson;
    const to = { instructorId, location, start, end, durationMinutes, claimId };
    return {
      ...to,
      // A new start resets attendance.
      ...(start.getTime() === now.start.getTime() ? {} : { attendance: 'pending' as const }),
      freeUntilStart: true,
      followed: { lessonId: lesson._id, gen: lesson.gen },
      gen: now.gen + 1,
      drop: this.claims.droppedWith(now),
      nextDueAt: nextDueOf({ ...now, ...to }, this.clock.now()),
      dueAt: this.claims.cleanUpAt(),
    };
  }
}

/** A late run has read the lesson before a later move of it, which the session may have followed. */
const isIn = ({ _id, claimId, gen }: LessonDocument, session: SessionDocument): boolean =>
  session.lessonId === _id &&
  session.status === 'scheduled' &&
  !session.attendanceIsFinal &&
  session.claimId !== claimId &&
  (session.followed?.lessonId !== _id || session.followed.gen < gen);
