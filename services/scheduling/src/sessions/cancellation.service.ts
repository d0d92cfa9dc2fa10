import { Injectable } from '@nestjs/common';
import {
  type CancellationQuote,
  type cancelSession,
  type ParsedOf,
  type Session,
  sessionCancelled,
} from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError, Clock } from '@swim/platform';
import { type CancellationFacts, cancellationOf, cancellationTerms, feeAskedCents } from './cancellation.rules.js';
import { CoverageService } from './coverage.service.js';
import { PlanningService } from './planning.service.js';
import { toQuote, toSession } from './session.mapper.js';
import { nextStatus } from './session.rules.js';
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
    private readonly coverage: CoverageService,
    private readonly clock: Clock,
  ) {}

  /** What `cancel` would do now; a session that has ended is `invalid_state`. */
  async quote(id: string, call: Call): Promise<CancellationQuote> {
    const session = await this.claims.settled(call, id);
    if (session.status !== 'scheduled') throw invalidState(session);
    const facts = await this.factsOf(session, call);
    const covered = await this.coverage.coveredCents(session, call);
    return toQuote(session, cancellationTerms(session, facts, covered));
  }

  /** Cancelling twice answers the same; a completed session is `invalid_state`. */
  async cancel(input: ParsedOf<typeof cancelSession>, call: Call): Promise<Session> {
    const session = await this.claims.settled(call, input.session_id);
    if (!isOpen(session)) return toSession(session);
    const facts = await this.factsOf(session, call);
    // Booking is asked only where something may be kept, so that most are cancelled without it.
    const covered = feeAskedCents(session, facts) > 0 ? await this.coverage.coveredCents(session, call) : 0;
    const said = { reason: input.reason ?? null, notify: input.notify_participants };
    const cancellation = cancellationOf(cancellationTerms(session, facts, covered), facts, said);
    if (call.dryRun) return toSession({ ...session, status: 'cancelled', cancellation, version: session.version + 1 });
    const { document, earlierAnswer } = await this.sessions.change(call, session._id, sessionCancelled, (now) => {
      if (!isOpen(now)) return null;
      // A session that has moved since it was read has other terms.
      if (this.sessions.isMoving(now) || now.gen !== session.gen)
        throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
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

  private async factsOf(session: SessionDocument, call: Call): Promise<CancellationFacts> {
    const policies = await this.planning.findPolicies(call, session.instructorId);
    return { now: this.clock.now(), accountId: call.principal.accountId, policies };
  }
}

const invalidState = ({ status }: SessionDocument) => new AppError('invalid_state', { details: { status } });

function isOpen(session: SessionDocument): boolean {
  if (!nextStatus(session.status, 'cancel')) throw invalidState(session);
  return session.status === 'scheduled';
}
