import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, sharedClock, systemContext } from '@swim/platform';
import { BackgroundWorkService } from '../../calendar/background-work.service.js';
import type { VacatedTime } from '../../calendar/vacated-time.service.js';
import { type LeftPlace, LessonsRepository } from '../../lessons/lessons.repository.js';
import { VacanciesService } from '../../waitlist/vacancies.service.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { SessionsRepository } from '../storage/sessions.repository.js';
import { LeftLessonsService } from './left-lessons.service.js';
import { SessionCleanUpsRepository } from './session-clean-ups.repository.js';

// The waitlist comes first, but not forever: the time of a cancelled or moved session must become free.
const OFFERING_MS = 60_000;
const PASSING_MS = 2_000;

/** Claims that sessions have left: releases their time. */
@Injectable()
export class SessionClaimsService {
  @Inject(LOGGER) private readonly logger!: Logger;
  @Inject(LeftLessonsService) private readonly leftLessons!: LeftLessonsService;

  /** Sessions whose time this process is offering to the waitlist. */
  private readonly passing = new Set<string>();

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly cleanUps: SessionCleanUpsRepository,
    private readonly vacancies: VacanciesService,
    private readonly background: BackgroundWorkService,
    private readonly lessons: LessonsRepository,
  ) {}

  /** What the session drops with its claim: also those that it has dropped before and that may not be released yet. */
  droppedWith({ claimId, drop }: SessionDocument): string[] {
    return [...drop, claimId];
  }

  /** When recovery processes a session that drops claims now, in case of a crash. */
  cleanUpAt(): Date {
    return this.cleanUps.dueAt();
  }

  /**
   * Releases every claim that the session has dropped. The waitlist is offered the time after the response. Recovery repeats a
   * failure: the change itself is stored.
   */
  async letGo(session: SessionDocument): Promise<void> {
    try {
      const vacated = await this.leaveAll(session);
      if (vacated.length === 0) return await this.cleanUps.finish(session);
      // It may last longer than the request.
      this.background.start(async () => {
        if (await this.passOn(session, vacated)) await this.cleanUps.finish(session);
      });
    } catch (error) {
      this.logger.warn({ err: error, sessionId: session._id }, 'dropped time not released yet');
    }
  }

  /**
   * As `letGo`, for sessions that were cancelled together, or moved with their lesson, which has left its claim as well: most claims are
   * those of a booking or an earlier move, whose sessions leave them at once.
   */
  async letGoAll(sessions: readonly SessionDocument[], lessonIds: readonly string[] = []): Promise<void> {
    if (sessions.length === 0) return;
    try {
      await this.leaveTogether(sessions, lessonIds);
    } catch (error) {
      this.logger.warn({ err: error }, 'dropped time not released yet');
    }
  }

  private async leaveTogether(sessions: readonly SessionDocument[], lessonIds: readonly string[]): Promise<void> {
    const over = (await this.lessons.leave(sessions.flatMap(leavingsOf))).filter(
      ({ status }) => status === 'cancelled',
    );
    const claimOf = new Map(over.map(({ _id, claimId }) => [_id, claimId]));
    const claimsOf = ({ drop, lessonId }: SessionDocument) => [...drop, claimOf.get(lessonId) ?? []].flat();
    const leaving = new Set([...[...sessions, ...over].map(({ _id }) => _id), ...lessonIds]);
    const ended = await this.vacancies.leaveTogether([...new Set(sessions.flatMap(claimsOf))], leaving);
    const { left = [], done = [] } = Object.groupBy(sessions, (session) =>
      session.left.length === 0 && claimsOf(session).every((id) => ended.has(id)) ? 'done' : 'left',
    );
    await this.cleanUps.finishAll(done);
    await Promise.all(left.map((session) => this.letGo(session)));
  }

  /**
   * Removes a session from its lessons and its claims. A lesson leaves a claim with it that is no longer the lesson's, and a private one
   * that has ended its own.
   */
  private async leaveAll(session: SessionDocument): Promise<VacatedTime[]> {
    const { _id: sessionId, lessonId, drop, updatedAt } = session;
    const left = await this.lessons.leave(leavingsOf(session));
    const lessons = left.some(({ _id }) => _id === lessonId)
      ? left
      : [...left, ...(await this.lessons.findAll([lessonId]))];
    const over = lessons.filter(({ status }) => status === 'cancelled');
    const shouldOffer = updatedAt > sharedClock.inMs(-OFFERING_MS);
    const vacated: VacatedTime[] = [];
    for (const claimId of new Set([...drop, ...over.map((lesson) => lesson.claimId)])) {
      const also = lessons.filter((lesson) => lesson.claimId !== claimId || over.includes(lesson));
      const leaving = [sessionId, ...also.map(({ _id }) => _id)];
      const time = await this.vacancies.leave({ leaving, claimId, shouldOffer });
      if (time) vacated.push(time);
    }
    await this.leftLessons.hide(session.left, session.accountId);
    return vacated;
  }

  /** Offers the time and releases it; false when another run of this process is doing that. */
  private async passOn(session: SessionDocument, vacated: VacatedTime[]): Promise<boolean> {
    if (this.passing.has(session._id)) return false;
    this.passing.add(session._id);
    try {
      await this.vacancies.passOn(vacated);
      return true;
    } finally {
      this.passing.delete(session._id);
    }
  }

  /** Recovers one session that is due. */
  async recover(session: SessionDocument): Promise<void> {
    if (session.drop.length > 0) return this.letGoNow(session);
    await this.sessions.changeInwardly(systemContext(session.accountId), session._id, ({ drop }) =>
      drop.length > 0 ? null : { dueAt: null },
    );
  }

  private async letGoNow(session: SessionDocument): Promise<void> {
    if (this.passing.has(session._id) || (await this.isFollowed(session)))
      return void (await this.cleanUps.due.postpone(session, PASSING_MS));
    const vacated = await this.leaveAll(session);
    if (await this.passOn(session, vacated)) await this.cleanUps.finish(session);
  }

  /** Whether the lesson is yet to follow its session: until then it has its time from a claim that the session has dropped. */
  private async isFollowed({ lessonId, claimId, status }: SessionDocument): Promise<boolean> {
    return status !== 'cancelled' && (await this.lessons.findAny(lessonId))?.moving === claimId;
  }
}

/** The lessons in which a session may still have a place that it has given up. */
const leavingsOf = ({ _id: sessionId, lessonId, left, status, claimId, drop }: SessionDocument): LeftPlace[] => {
  const isCancelled = status === 'cancelled';
  const claimIds = isCancelled ? [...drop, claimId] : drop;
  return [...left, ...(isCancelled ? [lessonId] : [])].map((each) => ({ lessonId: each, sessionId, claimIds }));
};
