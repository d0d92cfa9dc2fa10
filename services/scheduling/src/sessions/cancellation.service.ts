import { Injectable } from '@nestjs/common';
import {
  type CancellationQuote,
  type cancelSession,
  type ParsedOf,
  type Session,
  sessionCancelled,
} from '@swim/contracts';
import { AppError, Clock, type RequestContext } from '@swim/platform';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { type CancellationFacts, cancellationOf, cancellationTerms, feeDueCents } from './cancellation.rules.js';
import { PaidAmountsService } from './paid-amounts.service.js';
import { toQuote, toSession } from './session.mapper.js';
import { nextStatus } from './session.rules.js';
import type { SessionDocument } from './session.schema.js';
import { SessionClaimsService } from './session-claims.service.js';
import { SessionsRepository } from './sessions.repository.js';

/** Cancels sessions: first the session's document, then its time. */
@Injectable()
export class CancellationService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly claims: SessionClaimsService,
    private readonly participants: ParticipantResolverService,
    private readonly paidAmounts: PaidAmountsService,
    private readonly clock: Clock,
  ) {}

  /** The effect of `cancel` now; a session that has ended is `invalid_state`. */
  async quote(id: string, context: RequestContext): Promise<CancellationQuote> {
    const session = await this.claims.current(context, id);
    if (session.status !== 'scheduled') throw invalidState(session);
    const facts = await this.factsOf(session, context);
    const covered = await this.paidAmounts.coveredCents(session, context);
    return toQuote(session, cancellationTerms(session, facts, covered));
  }

  /** Idempotent; a completed session is `invalid_state`. */
  async cancel(input: ParsedOf<typeof cancelSession>, context: RequestContext): Promise<Session> {
    const session = await this.claims.current(context, input.session_id);
    if (!isOpen(session)) return toSession(session);
    const facts = await this.factsOf(session, context);
    // Requests the paid amount only when there may be a fee: most cancellations do not depend on booking.
    const covered = feeDueCents(session, facts) > 0 ? await this.paidAmounts.coveredCents(session, context) : 0;
    const said = { reason: input.reason ?? null, notify: input.notify_participants };
    const cancellation = cancellationOf(cancellationTerms(session, facts, covered), facts, said);
    if (context.dryRun)
      return toSession({ ...session, status: 'cancelled', cancellation, version: session.version + 1 });
    const { document, earlierAnswer } = await this.sessions.change(context, session, sessionCancelled, (now) => {
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
    await this.claims.letGo(context, document);
    return (earlierAnswer as Session | undefined) ?? toSession(document);
  }

  private async factsOf(session: SessionDocument, context: RequestContext): Promise<CancellationFacts> {
    const policies = await this.participants.findPolicies(context, session.instructorId);
    return { now: this.clock.now(), accountId: context.principal.accountId, policies };
  }
}

const invalidState = ({ status }: SessionDocument) => new AppError('invalid_state', { details: { status } });

function isOpen(session: SessionDocument): boolean {
  if (!nextStatus(session.status, 'cancel')) throw invalidState(session);
  return session.status === 'scheduled';
}
