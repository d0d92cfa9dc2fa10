import { Injectable } from '@nestjs/common';
import {
  completeSession,
  type ParsedOf,
  recordAttendance,
  type Session,
  sessionAttendanceRecorded,
  sessionCompleted,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, type RequestContext } from '@swim/platform';
import { toSession } from '../storage/session.mapper.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { completion, type SessionAction, stateRejection } from '../storage/session-states.rules.js';
import { SessionsRepository } from '../storage/sessions.repository.js';

/** Completion and attendance of a session. The school records both, and only once the session has begun. */
@Injectable()
export class CompletionService {
  constructor(
    private readonly sessions: SessionsRepository,
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
    this.requireAttendable(session, attendance, context);
    const version = session.version + (session.attendance === attendance ? 0 : 1);
    if (context.dryRun) return toSession({ ...session, attendance, version });
    const { document, earlierAnswer } = await this.sessions.change(context, id, sessionAttendanceRecorded, (now) => {
      this.requireAttendable(now, attendance, context);
      return now.attendance === attendance ? null : { attendance };
    });
    return (earlierAnswer as Session | undefined) ?? toSession(document);
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

  private requireAllowed(session: SessionDocument, action: SessionAction, { principal }: RequestContext): void {
    const rejection = stateRejection(session, action);
    if (rejection) throw new AppError('invalid_state', rejection);
    const now = accountTime(this.clock, principal.env, session.clockOffsetMs);
    if (session.start > now) throw new AppError('not_started');
  }
}

function requireSchool(session: SessionDocument, context: RequestContext): void {
  if (session.schoolId !== context.principal.accountId) throw new AppError('school_only');
}
