import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { type Session, sessionRescheduled, sessionUpdated } from '@swim/contracts';
import { metadataChange } from '@swim/mongo';
import { AppError, Clock, nextRandomBytes, type RequestContext, staleVersion } from '@swim/platform';
import type { LessonDocument } from '../../calendar/places/lesson.schema.js';
import { LessonsRepository } from '../../lessons/lessons.repository.js';
import { superseded } from '../../lessons/superseded.js';
import type { KnownInstructor } from '../../participants/participant-resolver.service.js';
import { type RejectedSlot, type SlotsRequest, SlotsService } from '../../slots/slots.service.js';
import { SuggestionsService } from '../../slots/suggestions.service.js';
import { SessionClaimsService } from '../cancelling/session-claims.service.js';
import { toSession } from '../storage/session.mapper.js';
import { type MoveLesson, type MovePlan, nextDueOf } from '../storage/session.rules.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { isRescheduled, type MoveTarget, type SessionChanges } from '../storage/session-changes.rules.js';
import { attendanceRejection, type StateRejection, stateRejection } from '../storage/session-states.rules.js';
import { SessionsRepository } from '../storage/sessions.repository.js';
import { FulfilmentService } from './fulfilment.service.js';

/** What a move changes, and what it claims. */
export interface PreparedMove {
  moved: Partial<SessionDocument>;
  lesson: MoveLesson;
  /** The lesson that the session is in. */
  own: LessonDocument;
  request: Omit<SlotsRequest, 'key' | 'fence' | 'plan'>;
  /** The error where the time cannot be claimed; by default with other times nearby. */
  conflict?: (rejected: RejectedSlot[]) => Promise<AppError>;
  /** Whether the time may be taken by a lesson that the session is to join, once it is made. */
  isContested?: () => Promise<boolean>;
}

/**
 * Makes moves of sessions: the new time or place is claimed beside the old one; the session changes over in one write, unless another
 * move has come first; the old claim is released.
 */
@Injectable()
export class SessionMovesService {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(SuggestionsService) private readonly suggestions!: SuggestionsService;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly slots: SlotsService,
    private readonly claims: SessionClaimsService,
    private readonly fulfilment: FulfilmentService,
    private readonly lessons: LessonsRepository,
  ) {}

  async make(move: Move, prepared: PreparedMove, context: RequestContext): Promise<Session> {
    const { session, changes } = move;
    const { moved, lesson, own } = prepared;
    const plan: MovePlan = { kind: 'move', sessionId: session._id, gen: session.gen + 1, lesson };
    const request = { ...prepared.request, key: moveKey(plan, context), fence: context, plan: () => plan };
    const conflictOf =
      prepared.conflict ?? ((rejected: RejectedSlot[]) => this.suggestions.rejection(rejected, request));
    const rejection = async (rejected: RejectedSlot[]) =>
      (await prepared.isContested?.()) ? superseded() : conflictOf(rejected);
    if (context.dryRun) {
      const rejected = await this.slots.preview(request);
      if (rejected.length > 0) throw await rejection(rejected);
      return toSession({ ...session, ...unmoved(session, changes), ...moved, version: session.version + 1 });
    }
    const claimed = await this.slots.claim(request);
    if (!claimed.claim) throw await rejection(claimed.rejected);
    const { _id: claimId } = claimed.claim;
    try {
      if (lesson.kind === 'own' && !(await this.lessons.startMoving(own, session._id, claimId))) throw superseded();
      return await this.changeOver({ ...move, plan }, { ...moved, gen: plan.gen, claimId }, context);
    } catch (error) {
      await this.fulfilment.abandonMove(context, plan, claimId).catch(() => undefined);
      throw error;
    }
  }

  private async changeOver(
    { session, target, changes, plan }: Move & { plan: MovePlan },
    moved: Partial<SessionDocument>,
    context: RequestContext,
  ): Promise<Session> {
    const eventType = isRescheduled(session, target) ? sessionRescheduled : sessionUpdated;
    const { document, earlierAnswer } = await this.sessions.change(context, session, eventType, (now) => {
      // Other changes may have been stored since it was read.
      assertChangeable(now, changes);
      requireMovable(now, context);
      if (now.gen !== session.gen) throw superseded();
      const drop = this.claims.droppedWith(now);
      const after = { ...now, ...moved };
      const dates = { nextDueAt: nextDueOf(after, this.clock.now()), dueAt: this.claims.cleanUpAt() };
      return { ...unmoved(now, changes), ...moved, drop, ...dates };
    });
    // The lesson first: it leaves the old claim with its session.
    const isUndone = await this.fulfilment.endMove(document, plan);
    await this.claims.letGo(document);
    if (isUndone) return toSession(await this.sessions.getVisible(context, session._id));
    return (earlierAnswer as Session | undefined) ?? toSession(document);
  }
}

/** One move: its session as read, and its target. */
export interface Move {
  session: SessionDocument;
  target: MoveTarget;
  changes: SessionChanges;
}

/**
 * The key of a move's claim. Runs of one request share it, so that a later run finds the claim of an earlier one. Other moves have
 * claims of their own, also that of another request with the same Idempotency-Key: a session's claims do not block each other, and
 * the change-over decides which is made.
 */
const moveKey = ({ sessionId, gen }: MovePlan, { opSeed }: RequestContext): string =>
  `${sessionId}#${gen}#${opSeed ?? nextRandomBytes(12).toString('base64url')}`;

/** The later clock of the session and of the instructor's school. */
export const laterOffset = (session: SessionDocument, { clockOffsetMs = 0 }: KnownInstructor['rules']): number =>
  Math.max(session.clockOffsetMs ?? 0, clockOffsetMs);

export const hasTexts = ({ notes, metadata, price_reason: reason }: SessionChanges): boolean =>
  notes != null || metadata !== undefined || reason != null;

/** Whether the changes set a price other than the stored one. */
export const setsPrice = (now: SessionDocument, { price_cents: price }: SessionChanges): boolean =>
  price !== undefined && price !== now.priceCents;

export function assertChangeable(session: SessionDocument, { version }: SessionChanges): void {
  if (version !== undefined && version !== session.version) throw staleVersion(version, session.version);
  rejectIf(stateRejection(session, 'change'));
}

export function requireMovable(session: SessionDocument, { principal }: RequestContext): void {
  rejectIf(stateRejection(session, 'change') ?? attendanceRejection(session, principal));
}

function rejectIf(rejection: StateRejection | null): void {
  if (rejection) throw new AppError('invalid_state', rejection);
}

/** The fields that differ and need no other claim. Throws `too_long` for too many keys of metadata. */
export const unmoved = (
  now: SessionDocument,
  { location, notes, metadata, price_cents, price_reason: reason }: SessionChanges,
): Partial<SessionDocument> => ({
  ...(location === undefined || isDeepStrictEqual(location, now.location) ? {} : { location }),
  ...(notes === undefined || notes === now.notes ? {} : { notes }),
  ...(setsPrice(now, { price_cents }) ? { priceCents: price_cents!, priceIsSet: true as const } : {}),
  ...(reason === undefined || reason === (now.priceReason ?? null) ? {} : { priceReason: reason }),
  ...metadataChange(now.metadata, metadata),
});

/** The fields that differ; null without any: then there is no event, and clients may use the version that they know. */
export function differing(now: SessionDocument, changes: SessionChanges): Partial<SessionDocument> | null {
  const set = unmoved(now, changes);
  return Object.keys(set).length === 0 ? null : set;
}
