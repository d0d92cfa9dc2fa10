import { Inject, Injectable } from '@nestjs/common';
import { describeParticipants, type PlacedMember, type Session, teachingRulesOf } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { AppError, accountTime, Clock, type RequestContext } from '@swim/platform';
import type { LessonDocument } from '../../calendar/places/lesson.schema.js';
import { LessonsRepository } from '../../lessons/lessons.repository.js';
import { PlaceConflictsService } from '../../lessons/place-conflicts.service.js';
import { PlaceRequestsService } from '../../lessons/place-requests.service.js';
import { superseded } from '../../lessons/superseded.js';
import { freeUntil, movedTerms } from '../storage/cancellation.rules.js';
import type { SessionDocument } from '../storage/session.schema.js';
import type { MoveTarget, SessionChanges } from '../storage/session-changes.rules.js';
import { hasStartedFor } from '../storage/session-states.rules.js';
import { FulfilmentService } from './fulfilment.service.js';
import { laterOffset, SessionMovesService, unmoved } from './session-moves.service.js';
import { requireBookable } from './session-plans.service.js';

/** Moves a session to another lesson of its school: first the place there, then the session, then the place that it had. */
@Injectable()
export class LessonSwitchService {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(FulfilmentService) private readonly fulfilment!: FulfilmentService;

  constructor(
    private readonly lessons: LessonsRepository,
    private readonly places: PlaceRequestsService,
    private readonly conflicts: PlaceConflictsService,
    private readonly moves: SessionMovesService,
    private readonly rpc: RpcClient,
  ) {}

  async switch(session: SessionDocument, changes: SessionChanges, context: RequestContext): Promise<Session> {
    rejectOthers(session, changes);
    const own = await this.lessons.findAny(session.lessonId);
    if (!own || own.moving === session.claimId) {
      await this.fulfilment.followMove(session);
      throw superseded();
    }
    const [lesson] = await this.lessons.findVisible(context, [changes.lesson_id!]);
    if (lesson?.schoolId !== session.schoolId) throw new AppError('not_found', { field: 'lesson_id' });
    if (lesson.currency !== session.currency) throw new AppError('currency_mismatch', { field: 'lesson_id' });
    const { rules, member } = await this.participantsOf(session, lesson, context);
    const nowMs = accountTime(this.clock, context.principal.env, laterOffset(session, rules)).getTime();
    if (hasStartedFor(session, context.principal.accountId, new Date(nowMs))) throw new AppError('already_started');
    requireBookable(lesson.start.getTime(), nowMs, 'lesson_id');
    unmoved(session, changes);
    const slot = { lessonId: lesson._id, sessions: [{ id: session._id, memberId: session.memberId }] };
    const requested = { slots: [slot], members: [member], rules, nowMs };
    const claimed = await this.places.requestOf(requested, context, 'lesson_id');
    const prepared = {
      moved: {
        ...movedInto(lesson, session, { nowMs, accountId: context.principal.accountId }),
        left: [...session.left, own._id],
      },
      lesson: { id: lesson._id, kind: 'joined' as const },
      own,
      request: { ...claimed, rules, skip: false, nowMs },
      conflict: (rejected: Parameters<PlaceConflictsService['error']>[0]) =>
        this.conflicts.error(rejected, claimed, requested, context, 'lesson_id'),
    };
    return this.moves.make({ session, target: targetOf(lesson, session), changes }, prepared, context);
  }

  private async participantsOf(session: SessionDocument, lesson: LessonDocument, context: RequestContext) {
    const asked = { instructorId: lesson.instructorId, memberIds: [session.memberId], withAges: true };
    const participants = await this.rpc.call(describeParticipants, asked, context);
    const { instructor, members } = participants;
    if (!instructor || !members[0]) throw new AppError('not_found', { field: 'lesson_id' });
    const { id, level, dateOfBirth } = members[0];
    const member: PlacedMember = { id, level, dateOfBirth: dateOfBirth! };
    return { rules: teachingRulesOf(instructor, participants), member };
  }
}

/** Time, instructor and place are those of the lesson: a request may repeat what the session has, and no more. */
function rejectOthers(
  { start, durationMinutes, instructorId, location }: SessionDocument,
  { date, duration_minutes, instructor_id, location: requested }: SessionChanges,
): void {
  const isOther =
    (date !== undefined && Date.parse(date) !== start.getTime()) ||
    (duration_minutes ?? durationMinutes) !== durationMinutes ||
    (instructor_id ?? instructorId) !== instructorId ||
    (requested !== undefined && requested?.pool_id !== (location?.pool_id ?? null));
  if (isOther) throw new AppError('mutually_exclusive', { field: 'lesson_id' });
}

const targetOf = (lesson: LessonDocument, { _id: id, memberId }: SessionDocument): MoveTarget => ({
  instructorId: lesson.instructorId,
  slot: { startMs: lesson.start.getTime(), endMs: lesson.end.getTime(), sessions: [{ id, memberId }] },
  location: lesson.location,
});

/** The fields of the session in its new lesson. The new price counts, but once cancelling costs a fee never a lower one. */
function movedInto(
  lesson: LessonDocument,
  session: SessionDocument,
  { nowMs, accountId }: { nowMs: number; accountId: string },
): Partial<SessionDocument> {
  const now = new Date(nowMs);
  const isLate = session.bookingId !== null && now > freeUntil(session, { policies: session.terms ?? null });
  const newCents = isLate ? Math.max(session.priceCents, lesson.priceCents) : lesson.priceCents;
  const priceCents = session.priceIsSet ? session.priceCents : newCents;
  const isOtherStart = lesson.start.getTime() !== session.start.getTime();
  return {
    lessonId: lesson._id,
    instructorId: lesson.instructorId,
    location: lesson.location,
    start: lesson.start,
    end: lesson.end,
    durationMinutes: lesson.durationMinutes,
    priceCents,
    ...(isOtherStart ? { attendance: 'pending' } : {}),
    ...movedTerms(session, { startMs: lesson.start.getTime(), at: now, accountId, toOtherLesson: true }),
  };
}
