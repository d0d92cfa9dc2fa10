import { Injectable } from '@nestjs/common';
import {
  type CancellationQuote,
  cancelSession,
  cancelSessions,
  type ParsedOf,
  quoteCancellation,
  quoteCancellations,
  type Session,
  sessionCancelled,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, invalidState, type RequestContext } from '@swim/platform';
import { repeatSuperseded, superseded } from '../../lessons/superseded.js';
import { ParticipantResolverService } from '../../participants/participant-resolver.service.js';
import {
  type CancellationFacts,
  cancellationOf,
  cancellationTerms,
  coveredCents,
  feeDueCents,
  feesById,
  givesCredits,
} from '../storage/cancellation.rules.js';
import { toQuote, toSession } from '../storage/session.mapper.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { attendanceRejection, hasStartedFor, stateRejection } from '../storage/session-states.rules.js';
import { SessionsRepository } from '../storage/sessions.repository.js';
import { PaidAmountsService, UNPAID } from './paid-amounts.service.js';
import { SessionClaimsService } from './session-claims.service.js';

const AT_ONCE = 8;

/** The lesson that its school has cancelled, and the closure for which it did, if any. */
interface Within {
  lessonId: string;
  closureId: string | undefined;
}

type Cancelled = Pick<SessionDocument, 'cancellation' | 'closureId'>;

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
  @Serve(quoteCancellation)
  async quote(
    { session_id: id }: ParsedOf<typeof quoteCancellation>,
    context: RequestContext,
  ): Promise<CancellationQuote> {
    const session = await this.sessions.getVisible(context, id);
    if (!isOpen(session, context)) throw invalidState('Only a scheduled session can be cancelled', session.status);
    this.requireNotStarted(session, context);
    const facts = await this.factsOf(session, context);
    return toQuote(session, cancellationTerms(session, facts, await this.paidAmounts.of(session, context)));
  }

  /** Idempotent; a completed session is `invalid_state`. */
  @Serve(cancelSession)
  cancel(input: ParsedOf<typeof cancelSession>, context: RequestContext): Promise<Session> {
    return repeatSuperseded(() => this.tryCancel(input, context));
  }

  /**
   * Cancels a session if it is still in this lesson, which its school has cancelled. One that is over stays as it is; one that gives no
   * makeup credit is refunded.
   */
  async cancelIn(within: Within, input: ParsedOf<typeof cancelSession>, context: RequestContext): Promise<void> {
    try {
      await repeatSuperseded(() => this.tryCancel(input, context, within));
    } catch (error) {
      // A reset may have taken it from the school.
      const isOver = error instanceof AppError && ['invalid_state', 'resource_not_found'].includes(error.reason);
      if (!isOver) throw error;
    }
  }

  private async tryCancel(
    input: ParsedOf<typeof cancelSession>,
    context: RequestContext,
    within?: Within,
  ): Promise<Session> {
    const session = await this.sessions.getVisible(context, input.session_id);
    if (within && session.lessonId !== within.lessonId) return toSession(session);
    if (!isOpen(session, context)) return toSession(session);
    this.requireNotStarted(session, context);
    const facts = await this.factsOf(session, context);
    const wantsCredit = input.refund_as === 'credit' && session.bookingId !== null;
    const asCredit = wantsCredit && givesCredits(facts);
    if (wantsCredit && !asCredit && !within) throw new AppError('credits_not_offered', { field: 'refund_as' });
    // Requests the paid amount only when the cancellation depends on it: most do not.
    const isPaidFor = asCredit || feeDueCents(session, facts) > 0;
    const terms = cancellationTerms(session, facts, isPaidFor ? await this.paidAmounts.of(session, context) : UNPAID);
    const creditId = asCredit && terms.makeupCredit ? context.newId('crd') : null;
    const said = { reason: input.reason ?? null, notify: input.notify_participants, creditId };
    const cancellation = cancellationOf(terms, facts, said);
    const closureId = within?.closureId;
    if (context.dryRun)
      return toSession({ ...session, status: 'cancelled', cancellation, version: session.version + 1 });
    return this.store(session, { cancellation, ...(closureId && { closureId }) }, context);
  }

  /** The effect of cancelling all sessions of a booking that have not begun; both as of `at`, if given. */
  @Serve(quoteCancellations)
  async quoteAll(
    { bookingId, terms, at }: ParsedOf<typeof quoteCancellations>,
    context: RequestContext,
  ): Promise<CancellationQuote[]> {
    const { accountId } = context.principal;
    const sessions = await this.sessions.findOfBookings(context, [bookingId]);
    const timeOf = (session: SessionDocument) => (at ? new Date(at) : this.nowOf(session, context));
    const toCome = sessions.filter((session) => session.status === 'scheduled' && session.start > timeOf(session));
    return toCome.map((session) => {
      const facts = { now: timeOf(session), accountId, policies: terms };
      const covered = coveredCents(sessions, session._id, terms.paidCents, feesById(terms.missedFees));
      // Which part of it is refunded, and which goes back to a credit, is the booking's to say.
      const returned = (feeCents: number) => ({ refundCents: Math.max(covered - feeCents, 0), creditCents: 0 });
      return toQuote(session, cancellationTerms(session, facts, { owesFees: true, returned }));
    });
  }

  /** Cancels sessions of a booking with the given fees, and then frees their places together, so that all of them are offered. Idempotent. */
  @Serve(cancelSessions)
  async cancelAll(input: ParsedOf<typeof cancelSessions>, context: RequestContext): Promise<Session[]> {
    const cancelled: Session[] = [];
    for (let from = 0; from < input.sessions.length; from += AT_ONCE) {
      const some = input.sessions.slice(from, from + AT_ONCE);
      const work = some.map((quoted) => repeatSuperseded(() => this.cancelQuoted(quoted, input, context)));
      cancelled.push(...(await Promise.all(work)));
    }
    const left = await this.sessions.findByIds(cancelled.map(({ id }) => id));
    await this.claims.letGoAll(left.filter(({ drop }) => drop.length > 0));
    return cancelled;
  }

  private async cancelQuoted(
    { id, late, feeCents, creditId = null }: ParsedOf<typeof cancelSessions>['sessions'][number],
    { reason, notifyParticipants }: ParsedOf<typeof cancelSessions>,
    context: RequestContext,
  ): Promise<Session> {
    const session = await this.sessions.getVisible(context, id);
    if (session.status !== 'scheduled' || session.attendanceIsFinal) return toSession(session);
    const facts = { now: this.nowOf(session, context), accountId: context.principal.accountId };
    const cancellation = cancellationOf({ late, feeCents }, facts, { reason, notify: notifyParticipants, creditId });
    try {
      // The sessions of one request share its operation: an answer stored with one of them is not the request's.
      const one = { ...context, opId: null };
      return toSession((await this.mark(session, { cancellation }, one)).document);
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'invalid_state') throw error;
      // It was completed meanwhile, or its attendance became final.
      return toSession(await this.sessions.getVisible(context, id));
    }
  }

  private async store(session: SessionDocument, cancelled: Cancelled, context: RequestContext): Promise<Session> {
    const { document, earlierAnswer } = await this.mark(session, cancelled, context);
    // Work on many sessions lets them go together.
    if (!context.isBulk) await this.claims.letGo(document);
    return (earlierAnswer as Session | undefined) ?? toSession(document);
  }

  /** Cancels a session, and leaves its place and its time to be released next. */
  private mark(session: SessionDocument, cancelled: Cancelled, context: RequestContext) {
    return this.sessions.change(context, session, sessionCancelled, (now) => {
      if (!isOpen(now, context)) return null;
      // A session that has moved since it was read has other terms.
      if (now.gen !== session.gen) throw superseded();
      return {
        status: 'cancelled',
        ...cancelled,
        nextDueAt: null,
        drop: this.claims.droppedWith(now),
        dueAt: this.claims.cleanUpAt(),
      };
    });
  }

  private async factsOf(session: SessionDocument, context: RequestContext): Promise<CancellationFacts> {
    const policies = session.terms ?? (await this.participants.findPolicies(context, session.instructorId));
    return { now: this.nowOf(session, context), accountId: context.principal.accountId, policies };
  }

  private requireNotStarted(session: SessionDocument, context: RequestContext): void {
    if (hasStartedFor(session, context.principal.accountId, this.nowOf(session, context)))
      throw new AppError('already_started');
  }

  private nowOf({ clockOffsetMs }: SessionDocument, { principal }: RequestContext): Date {
    return accountTime(this.clock, principal.env, clockOffsetMs);
  }
}

function isOpen(session: SessionDocument, { principal }: RequestContext): boolean {
  const rejection = stateRejection(session, 'cancel') ?? attendanceRejection(session, principal);
  if (rejection) throw new AppError('invalid_state', rejection);
  return session.status === 'scheduled';
}
