import { Injectable } from '@nestjs/common';
import { type cancelSession, type ParsedOf, type Session, sessionCancelled } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError, Clock } from '@swim/platform';
import { PlanningService } from './planning.service.js';
import { toSession } from './session.mapper.js';
import { cancellationOf, nextStatus } from './session.rules.js';
import type { SessionDocument } from './session.schema.js';
import { SessionClaimsService } from './session-claims.service.js';
import { SessionsRepository } from './sessions.repository.js';

/** Cancels sessions: the session says so first, then its time is let go. */
@Injectable()
export class CancellationService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly claims: SessionClaimsService,
    private readonly planning: PlanningService,
    private readonly clock: Clock,
  ) {}

  /** Cancelling twice answers the same; a completed session is `invalid_state`. */
  async cancel(input: ParsedOf<typeof cancelSession>, call: Call): Promise<Session> {
    const session = await this.claims.settled(call, input.session_id);
    if (!isOpen(session)) return toSession(session);
    const cancellation = cancellationOf(session, {
      reason: input.reason ?? null,
      notify: input.notify_participants,
      cancelledBy: call.principal.accountId,
      bySchool: call.principal.accountId === session.schoolId && session.accountId !== session.schoolId,
      now: this.clock.now(),
      policies: await this.planning.findPolicies(call, session.instructorId),
    });
    if (call.dryRun) return toSession({ ...session, status: 'cancelled', cancellation, version: session.version + 1 });
    const { document, earlierAnswer } = await this.sessions.change(call, session._id, sessionCancelled, (now) => {
      if (!isOpen(now)) return null;
      if (this.sessions.isMoving(now)) throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      return {
        status: 'cancelled',
        cancellation,
        move: null,
        completeAt: null,
        drop: [...now.drop, now.claimId],
        dueAt: this.sessions.cleanUpAt(),
      };
    });
    await this.claims.letGo(call, document);
    return (earlierAnswer as Session | undefined) ?? toSession(document);
  }
}

function isOpen(session: SessionDocument): boolean {
  if (!nextStatus(session.status, 'cancel'))
    throw new AppError('invalid_state', { details: { status: session.status } });
  return session.status === 'scheduled';
}
