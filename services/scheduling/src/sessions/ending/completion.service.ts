import { Injectable } from '@nestjs/common';
import {
  type AttendanceAnswer,
  completeSession,
  type ParsedOf,
  type RecordedAttendance,
  recordAttendance,
  recordLessonAttendance,
  type Session,
  sessionAttendanceRecorded,
  sessionCompleted,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, type RequestContext } from '@swim/platform';
import { LessonsRepository } from '../../lessons/lessons.repository.js';
import { OwnLessonsService } from '../reading/own-lessons.service.js';
import { toSession } from '../storage/session.mapper.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { completion, type SessionAction, stateRejection } from '../storage/session-states.rules.js';
import { SessionsRepository } from '../storage/sessions.repository.js';

const MOST_AHEAD_MS = 60_000;

/** An attendance, and when it was noted; null where that is now. */
interface Noted {
  attendance: Session['attendance'];
  at: Date | null;
}

/** Completion and attendance of sessions. The school records both, and only once the session has begun. */
@Injectable()
export class CompletionService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly lessons: LessonsRepository,
    private readonly own: OwnLessonsService,
    private readonly clock: Clock,
  ) {}

  @Serve(completeSession)
  async complete({ session_id: id }: ParsedOf<typeof completeSession>, context: RequestContext): Promise<Session> {
    const session = await this.sessions.getVisible(context, id);
    requireSchool(session, context);
    if (context.dryRun)
      return toSession({ ...session, ...this.completed(session, context), version: session.version + 1 });
    const { document, earlierAnswer } = await this.sessions.change(context, id, sessionCompleted, (now) =>
      this.completed(now, context),
    );
    return (earlierAnswer as Session | undefined) ?? toSession(document);
  }

  @Serve(recordAttendance)
  async attend(
    { session_id: id, attendance }: ParsedOf<typeof recordAttendance>,
    context: RequestContext,
  ): Promise<Session> {
    const session = await this.sessions.getVisible(context, id);
    requireSchool(session, context);
    await this.own.requireOwn(session, context);
    this.requireAttendable(session, attendance, context);
    const version = session.version + (session.attendance === attendance ? 0 : 1);
    if (context.dryRun) return toSession({ ...session, attendance, version });
    const { document, earlierAnswer } = await this.note(session, { attendance, at: null }, context);
    return (earlierAnswer as Session | undefined) ?? toSession(document);
  }

  /** Records the attendance of sessions of one lesson, each by itself. */
  @Serve(recordLessonAttendance)
  async attendAll(
    { lesson_id, entries, recorded_at }: ParsedOf<typeof recordLessonAttendance>,
    context: RequestContext,
  ): Promise<RecordedAttendance> {
    const lesson = await this.lessons.getVisible(context, lesson_id);
    requireSchool(lesson, context);
    await this.own.requireOwn(lesson, context);
    const at = recorded_at === undefined ? null : new Date(recorded_at);
    if (at && at.getTime() > this.nowOf(lesson, context).getTime() + MOST_AHEAD_MS)
      throw new AppError('out_of_range', {
        field: 'recorded_at',
        bounds: { expected: 'at most a minute ahead of the clock of the school' },
      });
    const answers: AttendanceAnswer[] = [];
    for (const { session_id, attendance } of entries) {
      const answer = await this.attendIn(lesson_id, session_id, { attendance, at }, context);
      answers.push({ session_id, ...answer });
    }
    return { lesson_id, entries: answers };
  }

  private async attendIn(
    lessonId: string,
    sessionId: string,
    noted: Noted,
    context: RequestContext,
  ): Promise<Pick<AttendanceAnswer, 'status' | 'reason'>> {
    try {
      const session = await this.sessions.getVisible(context, sessionId);
      if (session.lessonId !== lessonId) return { status: 'rejected', reason: 'not_found' };
      this.requireAttendable(session, noted.attendance, context);
      if (isOutdated(session, noted)) return { status: 'unchanged', reason: 'recorded_later' };
      if (context.dryRun) return { status: session.attendance === noted.attendance ? 'unchanged' : 'recorded' };
      const { document, earlierAnswer, isRecorded } = await this.note(session, noted, context);
      if (earlierAnswer !== undefined || isRecorded) return { status: 'recorded' };
      return isOutdated(document, noted) ? { status: 'unchanged', reason: 'recorded_later' } : { status: 'unchanged' };
    } catch (error) {
      const reason = error instanceof AppError ? REJECTIONS.get(error.reason) : undefined;
      if (reason) return { status: 'rejected', reason };
      throw error;
    }
  }

  /** Stores an attendance, unless a later one is stored. */
  private async note(session: SessionDocument, noted: Noted, context: RequestContext) {
    const lesson = await this.lessons.findAny(session.lessonId);
    const schoolNow = this.nowOf(lesson ?? session, context);
    const { attendance } = noted;
    const laterOf = (now: SessionDocument) => {
      const { attendanceAt } = now;
      return noted.at ?? (attendanceAt && attendanceAt > schoolNow ? attendanceAt : schoolNow);
    };
    let isRecorded = false;
    const changed = await this.sessions.change(context, session, sessionAttendanceRecorded, (now) => {
      this.requireAttendable(now, attendance, context);
      isRecorded = now.attendance !== attendance && !isOutdated(now, noted);
      return isRecorded ? { attendance, attendanceAt: laterOf(now) } : null;
    });
    // What was noted again counts from then on: an attendance that was noted before it and comes later does not.
    if (!isRecorded && changed.earlierAnswer === undefined)
      await this.sessions.changeInwardly(context, changed.document, (now) =>
        now.attendance !== attendance || (now.attendanceAt && now.attendanceAt >= laterOf(now))
          ? null
          : { attendanceAt: laterOf(now) },
      );
    return { ...changed, isRecorded };
  }

  // The same attendance again changes nothing, also when it is final.
  private requireAttendable(
    session: SessionDocument,
    attendance: Session['attendance'],
    context: RequestContext,
  ): void {
    const { attendanceIsFinal: _, ...changeable } = session;
    this.requireAllowed(session.attendance === attendance ? changeable : session, 'attend', context);
  }

  private completed(session: SessionDocument, context: RequestContext): ReturnType<typeof completion> {
    this.requireAllowed(session, 'complete', context);
    return completion(session);
  }

  private requireAllowed(session: SessionDocument, action: SessionAction, context: RequestContext): void {
    const rejection = stateRejection(session, action);
    if (rejection) throw new AppError('invalid_state', rejection);
    if (session.start > this.nowOf(session, context)) throw new AppError('not_started');
  }

  private nowOf({ clockOffsetMs }: Pick<SessionDocument, 'clockOffsetMs'>, { principal }: RequestContext): Date {
    return accountTime(this.clock, principal.env, clockOffsetMs);
  }
}

/** Why an entry is rejected, by what is wrong with its session. */
const REJECTIONS = new Map<string, AttendanceAnswer['reason']>([
  ['not_started', 'not_started'],
  ['invalid_state', 'invalid_state'],
  ['resource_not_found', 'not_found'],
]);

/** Whether an attendance that was noted later is stored. */
const isOutdated = ({ attendanceAt }: SessionDocument, { at }: Noted): boolean =>
  at !== null && attendanceAt !== undefined && at < attendanceAt;

function requireSchool({ schoolId }: Pick<SessionDocument, 'schoolId'>, context: RequestContext): void {
  if (schoolId !== context.principal.accountId) throw new AppError('school_only');
}
