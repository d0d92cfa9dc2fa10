import { Inject, Injectable } from '@nestjs/common';
import {
  type ParsedOf,
  priceCents,
  type Session,
  sessionUpdated,
  unrepresentable,
  updateSession,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, type RequestContext } from '@swim/platform';
import { CalendarService, type Claim } from '../../calendar/calendar.service.js';
import { dayIdsOf, taughtSpan } from '../../calendar/claim.rules.js';
import type { LessonDocument } from '../../calendar/places/lesson.schema.js';
import { LessonsRepository } from '../../lessons/lessons.repository.js';
import { repeatSuperseded, superseded } from '../../lessons/superseded.js';
import { ConnectionsService } from '../../participants/connections.service.js';
import { type KnownInstructor, ParticipantResolverService } from '../../participants/participant-resolver.service.js';
import { ErasedSessionsService } from '../cancelling/erased-sessions.service.js';
import { movedTerms } from '../storage/cancellation.rules.js';
import { toSession } from '../storage/session.mapper.js';
import type { ClaimPlan, MoveLesson } from '../storage/session.rules.js';
import type { SessionDocument } from '../storage/session.schema.js';
import {
  isMove,
  isRescheduled,
  type MoveTarget,
  movedTo,
  type SessionChanges,
} from '../storage/session-changes.rules.js';
import { hasStartedFor } from '../storage/session-states.rules.js';
import { SessionsRepository } from '../storage/sessions.repository.js';
import { FulfilmentService } from './fulfilment.service.js';
import { LessonSwitchService } from './lesson-switch.service.js';
import {
  assertChangeable,
  differing,
  hasTexts,
  laterOffset,
  type Move,
  requireMovable,
  SessionMovesService,
  setsPrice,
  unmoved,
} from './session-moves.service.js';
import { requireBookable } from './session-plans.service.js';

/**
 * Partial updates of a session. A change of time or instructor is a move: the new time is claimed beside the old one; the session
 * changes over in one write, unless another move has come first; the old claim is released. A crash before the change-over leaves
 * the session unchanged, and recovery releases the new claim.
 */
@Injectable()
export class RescheduleService {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(ErasedSessionsService) private readonly erased!: ErasedSessionsService;
  @Inject(LessonsRepository) private readonly lessons!: LessonsRepository;
  @Inject(CalendarService) private readonly calendar!: CalendarService;
  @Inject(ConnectionsService) private readonly connections!: ConnectionsService;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly participants: ParticipantResolverService,
    private readonly moves: SessionMovesService,
    private readonly switches: LessonSwitchService,
    private readonly fulfilment: FulfilmentService,
  ) {}

  @Serve(updateSession)
  update(
    { session_id, changes: requested }: ParsedOf<typeof updateSession>,
    context: RequestContext,
  ): Promise<Session> {
    const { notify_participants: isNotified = true, ...changes } = requested;
    return repeatSuperseded(() => this.tryUpdate(session_id, changes, { ...context, isQuiet: !isNotified }));
  }

  private async tryUpdate(session_id: string, changes: SessionChanges, context: RequestContext): Promise<Session> {
    const session = await this.sessions.getVisible(context, session_id);
    const done = await this.sessions.findAnswer(session, context);
    if (done) return (await this.clearedLate(session, changes, context)) ?? (done as Session);
    assertChangeable(session, changes);
    rejectPrice(session, changes, context);
    const target = movedTo(session, changes);
    const isSwitch = changes.lesson_id !== undefined && changes.lesson_id !== session.lessonId;
    if (!isSwitch && !isMove(session, target))
      return this.change(session, await this.storable(session, changes), context);
    requireMovable(session, context);
    if (await this.connections.isVoid(session)) throw new AppError('connection_ended');
    if (isSwitch) return this.switches.switch(session, changes, context);
    return this.move({ session, target, changes }, context);
  }

  private async change(session: SessionDocument, changes: SessionChanges, context: RequestContext): Promise<Session> {
    if (context.dryRun) {
      const set = differing(session, changes);
      return toSession(set ? { ...session, ...set, version: session.version + 1 } : session);
    }
    const { document, earlierAnswer } = await this.sessions.change(context, session, sessionUpdated, (now) => {
      assertChangeable(now, changes);
      // Time or place as it was read may be another by now: then the change is a move.
      if (now.gen !== session.gen) throw superseded();
      return differing(now, changes);
    });
    return (
      (await this.clearedLate(document, changes, context)) ??
      (earlierAnswer as Session | undefined) ??
      toSession(document)
    );
  }

  /** The changes without texts about a member that was erased: the lesson of one goes on if it had begun by then. */
  private async storable({ memberId }: SessionDocument, changes: SessionChanges): Promise<SessionChanges> {
    if (!hasTexts(changes) || (await this.erased.findErased([memberId])).length === 0) return changes;
    const { notes: _notes, metadata: _metadata, price_reason: _reason, ...others } = changes;
    return others;
  }

  /** Removes the texts of a member that was erased while they were being stored; null where there are none. */
  private async clearedLate(
    { _id, accountId, memberId }: SessionDocument,
    changes: SessionChanges,
    context: RequestContext,
  ): Promise<Session | null> {
    const made = { accountId, sessions: [{ memberId }] };
    const isCleared = hasTexts(changes) && (await this.erased.eraseLate(made));
    return isCleared ? toSession(await this.sessions.getVisible(context, _id)) : null;
  }

  private async targetInstructor(
    session: SessionDocument,
    target: MoveTarget,
    context: RequestContext,
  ): Promise<KnownInstructor> {
    const known = await this.participants.instructor(context, target.instructorId);
    // Another school's instructor would mean other readers and rules: that is a new booking.
    if (known.rules.schoolId !== session.schoolId) throw new AppError('not_found', { field: 'instructor_id' });
    return known;
  }

  private async move(move: Move, context: RequestContext): Promise<Session> {
    const { session, target, changes } = move;
    const { accountId, env } = context.principal;
    const { instructor, rules } = await this.targetInstructor(session, target, context);
    const nowMs = accountTime(this.clock, env, laterOffset(session, rules)).getTime();
    if (hasStartedFor(session, accountId, new Date(nowMs))) throw new AppError('already_started');
    const keepsTime = !isRescheduled(session, target);
    if (!keepsTime) requireBookable(target.slot.startMs, nowMs);
    const { pool } = await this.participants.placeOf(context, target.location ?? NOWHERE, rules);
    // Rejects what cannot be stored before anything is taken.
    unmoved(session, changes);
    const { slot, lesson, own, recheck } = await this.lessonOf(move, context);
    const keepsPrice = session.priceIsSet || setsPrice(session, changes);
    const fields = movedFields(session, target, { instructor, nowMs, keepsPrice, accountId });
    const moved = {
      ...fields,
      lessonId: lesson.id,
      ...(lesson.kind === 'own' ? {} : { left: [...session.left, own._id] }),
    };
    const request = { rules, pool, slots: [slot], skip: false, nowMs, keepsTime, ...(recheck && { recheck }) };
    const isContested = lesson.kind === 'joined' ? async () => false : () => this.isTakenBySibling(move);
    return this.moves.make(move, { moved, lesson, own, request, isContested }, context);
  }

  /**
   * The lesson to which a session moves. It takes its own along where it is alone in it, and joins one of its booking that takes place at
   * that time with this instructor.
   */
  private async lessonOf({ session, target }: Move, context: RequestContext) {
    const { slot } = target;
    const own = await this.lessons.findAny(session.lessonId);
    if (!own || own.moving === session.claimId) {
      await this.fulfilment.followMove(session);
      throw superseded();
    }
    const joined = await this.findJoined(session, target);
    if (joined) {
      const place = { gen: joined.gen, bookingId: session.bookingId!, capacity: joined.capacity };
      const lesson: MoveLesson = { id: joined._id, kind: 'joined' };
      const recheck = async () => {
        const now = await this.lessons.findAny(joined._id);
        if (now?.status !== 'scheduled' || now.gen !== joined.gen || now.moving) throw superseded();
      };
      return { own, lesson, slot: { ...slot, lessonId: joined._id, place }, recheck };
    }
    if (!own.isPrivate && context.principal.accountId !== session.schoolId) throw new AppError('shared_lesson');
    const isAlone = own.isPrivate && own.busy.every(({ h }) => h === session._id);
    const lesson: MoveLesson = isAlone
      ? { id: own._id, kind: 'own' }
      : { id: context.newId('lsn'), kind: 'new', capacity: own.isPrivate ? own.capacity : 1 };
    return { own, lesson, slot: { ...slot, lessonId: lesson.id } };
  }

  /** Whether another session of the booking has just moved to exactly this time, or is about to. */
  private async isTakenBySibling({ session, target }: Move): Promise<boolean> {
    const { instructorId, slot } = target;
    const { startMs, endMs } = slot;
    if (session.bookingId === null) return false;
    if (await this.findJoined(session, target)) return true;
    const days = await this.calendar.findDays(dayIdsOf(instructorId, startMs, endMs));
    const claims = await this.calendar.findClaims([...new Set(days.flatMap(({ busy }) => busy.map(({ c }) => c)))]);
    const isThen = (claim: Claim) =>
      claim.elements.some((element) => {
        const taught = taughtSpan(element);
        return element.resource === instructorId && taught.startMs === startMs && taught.endMs === endMs;
      });
    const moving = claims.filter(isThen).flatMap(({ plan }) => {
      const of = plan as ClaimPlan | undefined;
      return of?.kind === 'move' && of.sessionId !== session._id ? of.sessionId : [];
    });
    const siblings = await this.sessions.findByIds(moving);
    return siblings.some(({ bookingId }) => bookingId === session.bookingId);
  }

  private async findJoined({ bookingId, lessonId }: SessionDocument, { slot, instructorId }: MoveTarget) {
    if (bookingId === null) return null;
    const others = await this.lessons.findPrivateAt(bookingId, new Date(slot.startMs));
    const isMeant = ({ _id, end, ...other }: LessonDocument) =>
      _id !== lessonId && end.getTime() === slot.endMs && other.instructorId === instructorId;
    return others.find(isMeant) ?? null;
  }
}

/** What decides the fields of a moved session. */
interface MoveFacts {
  instructor: KnownInstructor['instructor'];
  nowMs: number;
  accountId: string;
  /** The school has set its price. */
  keepsPrice: boolean;
}

/** Rejects the price of a family, and one that no processor takes. */
function rejectPrice(session: SessionDocument, changes: SessionChanges, { principal }: RequestContext): void {
  const { price_cents: price, price_reason: reason } = changes;
  const setsReason = reason !== undefined && reason !== (session.priceReason ?? null);
  if (!setsPrice(session, changes) && !setsReason) return;
  const field = setsPrice(session, changes) ? 'price_cents' : 'price_reason';
  if (principal.accountId !== session.schoolId) throw new AppError('school_only', { field });
  const rejection = unrepresentable('price_cents', price ?? 0, session.currency);
  if (rejection) throw new AppError(rejection.reason, rejection);
}

const NOWHERE = { type: 'home', pool_id: null } as const;

function movedFields(
  session: SessionDocument,
  { instructorId, slot }: MoveTarget,
  { instructor, nowMs, keepsPrice, accountId }: MoveFacts,
) {
  const isOtherInstructor = instructorId !== session.instructorId;
  const kept = !isOtherInstructor && session.terms;
  const { hourlyRateCents, currency } = kept ? { ...kept, currency: session.currency } : instructor;
  const durationMinutes = (slot.endMs - slot.startMs) / 60_000;
  const isRepriced = !keepsPrice && (isOtherInstructor || durationMinutes !== session.durationMinutes);
  // A booking is paid in one currency.
  if (session.bookingId !== null && isRepriced && currency !== session.currency)
    throw new AppError('currency_mismatch', {
      field: 'instructor_id',
      message: `instructor_id must name an instructor with prices in ${session.currency}, the currency of the booking; you sent one with prices in ${currency}.`,
      bounds: { expected: `the id of an instructor with prices in ${session.currency}` },
    });
  return {
    instructorId,
    start: new Date(slot.startMs),
    end: new Date(slot.endMs),
    durationMinutes,
    ...(isRepriced ? { priceCents: priceCents(hourlyRateCents, durationMinutes, currency), currency } : {}),
    ...(session.terms && isOtherInstructor ? { terms: { ...session.terms, hourlyRateCents } } : {}),
    // A new start resets attendance.
    ...(slot.startMs === session.start.getTime() ? {} : { attendance: 'pending' as const }),
    ...movedTerms(session, { startMs: slot.startMs, at: new Date(nowMs), accountId }),
  };
}
