import { Inject, Injectable } from '@nestjs/common';
import {
  type Lesson,
  type LessonObject,
  lessonRescheduled,
  lessonUpdated,
  type ParsedOf,
  updateLesson,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import {
  AppError,
  accountTime,
  Clock,
  causeOf,
  invalidState,
  LOGGER,
  type Logger,
  nextRandomBytes,
  type RequestContext,
  sharedClock,
} from '@swim/platform';
import type { Claim } from '../calendar/calendar.service.js';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { LessonsRepository } from '../lessons/lessons.repository.js';
import { repeatSuperseded, superseded } from '../lessons/superseded.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { FulfilmentService } from '../sessions/making/fulfilment.service.js';
import { LessonMovesService } from '../sessions/making/lesson-moves.service.js';
import { requireBookable } from '../sessions/making/session-plans.service.js';
import { LessonReadingService, type LessonSession } from '../sessions/reading/lesson-reading.service.js';
import { type ClaimPlan, completeAt, type LessonMovePlan } from '../sessions/storage/session.rules.js';
import { type SlotsRequest, SlotsService } from '../slots/slots.service.js';
import {
  assertChangeable,
  assertTaught,
  classMark,
  differing,
  isMove,
  isRescheduled,
  type LessonChanges,
  type LessonTarget,
  type Taught,
  targetOf,
} from './lesson-changes.js';
import { rulesForSchool, schoolInstructor } from './lesson-making.service.js';
import { OpenPlacesService } from './open-places.service.js';

const NOWHERE = { type: 'home', pool_id: null } as const;
// Another process goes on by then where this one is killed: sessions follow their lesson within a second.
const FOLLOW_MS = 300;

/** A requested change; `classSeed` is the work on its class that makes it, `taught` what a substitution hands over. */
interface Requested {
  id: string;
  changes: LessonChanges;
  classSeed?: string | undefined;
  taught?: Taught | undefined;
}

/** One move: the lesson as read, its target, and its sessions. */
interface Move {
  lesson: LessonDocument;
  target: LessonTarget;
  changes: LessonChanges;
  classSeed: string | undefined;
  sessions: LessonSession[];
}

/** Partial updates of a lesson. A change of time, length, instructor or place moves all of its sessions or none. */
@Injectable()
export class LessonChangeService {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(LOGGER) private readonly logger!: Logger;
  @Inject(FulfilmentService) private readonly fulfilment!: FulfilmentService;
  @Inject(OpenPlacesService) private readonly openPlaces!: OpenPlacesService;

  constructor(
    private readonly lessons: LessonsRepository,
    private readonly reading: LessonReadingService,
    private readonly participants: ParticipantResolverService,
    private readonly slots: SlotsService,
    private readonly moves: LessonMovesService,
  ) {}

  @Serve(updateLesson)
  update(
    { lesson_id: id, changes: requested }: ParsedOf<typeof updateLesson>,
    request: RequestContext,
  ): Promise<Lesson> {
    const { notify_participants: isNotified = !request.isQuiet, ...changes } = requested;
    const context = { ...request, isQuiet: !isNotified };
    return repeatSuperseded(() => this.tryUpdate({ id, changes }, context));
  }

  /** Changes a lesson as a work on its class has it: the fields do not become the lesson's own. */
  updateWithClass(id: string, changes: LessonChanges, classSeed: string, context: RequestContext): Promise<Lesson> {
    return repeatSuperseded(() => this.tryUpdate({ id, changes, classSeed }, context));
  }

  /** Gives a lesson to a substitute. What the school has decided about it meanwhile stays: `invalid_state`. */
  handOver(id: string, instructor_id: string, taught: Taught, context: RequestContext): Promise<Lesson> {
    return repeatSuperseded(() => this.tryUpdate({ id, changes: { instructor_id }, taught }, context));
  }

  private async tryUpdate({ id, changes, classSeed, taught }: Requested, context: RequestContext): Promise<Lesson> {
    const lesson = await this.lessons.getVisible(context, id);
    if (lesson.schoolId !== context.principal.accountId) throw new AppError('school_only');
    const done = await this.lessons.findAnswer(lesson, context);
    if (done) {
      await this.follow(lesson);
      return this.answered(lesson, done as LessonObject, context);
    }
    assertChangeable(lesson, changes);
    const target = targetOf(lesson, changes);
    if (!isMove(lesson, target)) return this.change(lesson, { changes, classSeed }, context);
    // The decision is made on the lesson as it is read here: see `isAsRead`.
    if (taught) assertTaught(lesson, taught);
    return this.move({ lesson, target, changes, classSeed, sessions: [] }, context);
  }

  private async change(
    lesson: LessonDocument,
    { changes, classSeed }: Omit<Requested, 'id'>,
    context: RequestContext,
  ): Promise<Lesson> {
    if (context.dryRun) return this.imagined(lesson, differing(lesson, changes), context);
    const { document, earlierAnswer } = await this.lessons.change(context, lesson, lessonUpdated, (now) => {
      assertChangeable(now, changes);
      // Time or place as it was read may be another by now: then the change is a move.
      if (now.gen !== lesson.gen) throw superseded();
      const set = differing(now, changes);
      return Object.keys(set).length === 0 ? null : { ...set, ...classMark(now, set, classSeed) };
    });
    return this.answered(document, earlierAnswer as LessonObject | undefined, context);
  }

  private async move(move: Move, context: RequestContext): Promise<Lesson> {
    const { lesson, target, changes } = move;
    const { instructor, rules } = await schoolInstructor(this.participants, target.instructorId, context);
    if (instructor.currency !== lesson.currency)
      throw new AppError('currency_mismatch', {
        field: 'instructor_id',
        bounds: { expected: `the id of an instructor with prices in ${lesson.currency}` },
      });
    const nowMs = accountTime(this.clock, context.principal.env, rules.clockOffsetMs).getTime();
    const keepsTime = !isRescheduled(lesson, target);
    if (!keepsTime) requireBookable(target.startMs, nowMs);
    const { pool } = await this.participants.placeOf(context, target.location ?? NOWHERE, rules);
    const sessions = await this.sessionsOf(lesson, context);
    const { startMs, endMs } = target;
    const places = sessions.map(({ _id: id, memberId }) => ({ id, memberId }));
    const plan: LessonMovePlan = {
      kind: 'lesson-move',
      lessonId: lesson._id,
      from: lesson.claimId,
      cause: causeOf(context),
    };
    const request: SlotsRequest = {
      key: `${lesson._id}#${lesson.gen + 1}#${context.opSeed ?? nextRandomBytes(12).toString('base64url')}`,
      fence: context,
      plan: () => plan,
      rules: rulesForSchool(rules, { outsideHours: changes.outside_hours ?? false }),
      pool,
      slots: [{ startMs, endMs, sessions: places, lessonId: lesson._id }],
      skip: false,
      nowMs,
      keepsTime,
    };
    if (context.dryRun) {
      await this.slots.checkOne(request).catch(namingSession(sessions));
      return this.imagined(lesson, { ...differing(lesson, changes), ...movedFields(lesson, target) }, context);
    }
    const claim = await this.slots.claimOne(request).catch(namingSession(sessions));
    return this.changeOver({ ...move, sessions }, { claim, plan }, context);
  }

  /** The sessions that have the places of a lesson. Holds and offers in it end. */
  private async sessionsOf(lesson: LessonDocument, { dryRun }: RequestContext): Promise<LessonSession[]> {
    const found = await this.reading.findSessions(lesson.busy.map(({ h }) => h));
    if (dryRun) return found.filter(({ status }) => status === 'scheduled');
    // A session is being made, which this run does as well, has a hold instead, is on its way here or elsewhere, or has yet to follow an earlier move.
    const placed = new Map(lesson.busy.map(({ h, c }) => [h, c]));
    const isSettled = ({ _id, lessonId, claimId, status }: LessonSession) =>
      status === 'cancelled' || (lessonId === lesson._id && claimId === placed.get(_id));
    if (found.length < lesson.busy.length || !found.every(isSettled)) {
      const made = new Set(found.map(({ _id }) => _id));
      for (const claim of await this.openPlaces.end(lesson))
        if (isOfSessions(claim) && !claim.holders.every((id) => made.has(id))) await this.fulfilment.fulfil(claim);
      await this.follow(lesson);
      throw superseded();
    }
    for (const { status, attendanceIsFinal } of found)
      if (status === 'completed' || attendanceIsFinal)
        throw invalidState('Only a lesson whose sessions are all to take place can be moved', status);
    return found.filter(({ status }) => status === 'scheduled');
  }

  private async changeOver(
    { lesson, target, changes, classSeed, sessions }: Move,
    { claim, plan }: { claim: Claim; plan: LessonMovePlan },
    context: RequestContext,
  ): Promise<Lesson> {
    const held = new Set(claim.holders);
    try {
      if (sessions.some(({ _id }) => !held.has(_id))) throw superseded();
      const event = isRescheduled(lesson, target) ? lessonRescheduled : lessonUpdated;
      const { document, earlierAnswer } = await this.lessons.change(context, lesson, event, (now) => {
        assertChangeable(now, changes);
        if (!isAsRead(now, lesson) || now.gone.includes(claim._id)) throw superseded();
        const to = movedFields(now, target);
        const busy = now.busy.map((place) =>
          held.has(place.h) ? { ...place, s: to.start, e: to.end, c: claim._id } : place,
        );
        const dueAt = sharedClock.inMs(FOLLOW_MS);
        const set = { ...differing(now, changes), ...to };
        const mark = classMark(now, set, classSeed);
        return { ...set, ...mark, busy, claimId: claim._id, gen: now.gen + 1, dueAt };
      });
      await this.follow(document, claim);
      return this.answered(document, earlierAnswer as LessonObject | undefined, context);
    } catch (error) {
      await this.moves.abandon(plan, claim._id).catch(() => undefined);
      throw error;
    }
  }

  // The lesson has moved: what fails is left to recovery.
  private async follow(lesson: LessonDocument, claim?: Claim): Promise<void> {
    try {
      this.moves.start(await this.moves.follow(lesson, claim));
    } catch (error) {
      this.logger.warn({ err: error, objectId: lesson._id }, 'sessions have not followed their lesson yet');
    }
  }

  private async answered(
    lesson: LessonDocument,
    earlier: LessonObject | undefined,
    context: RequestContext,
  ): Promise<Lesson> {
    return { ...(await this.reading.answer(lesson, context)), ...earlier };
  }

  private async imagined(
    lesson: LessonDocument,
    set: Partial<LessonDocument>,
    context: RequestContext,
  ): Promise<Lesson> {
    const isChanged = Object.keys(set).length > 0;
    return this.reading.answer({ ...lesson, ...set, version: lesson.version + (isChanged ? 1 : 0) }, context);
  }
}

/** Whether a claim is of a booking whose sessions may not be made yet. */
const isOfSessions = ({ plan }: Claim): boolean => (plan as ClaimPlan | undefined)?.kind === 'sessions';

/** Whether neither the time of a lesson nor who has its places has changed. */
const isAsRead = (now: LessonDocument, read: LessonDocument): boolean =>
  now.gen === read.gen &&
  now.moving === null &&
  now.busy.length === read.busy.length &&
  now.busy.every(({ h, c }) => read.busy.some((place) => place.h === h && place.c === c));

function movedFields({ clockOffsetMs = 0 }: LessonDocument, { instructorId, startMs, endMs, location }: LessonTarget) {
  return {
    instructorId,
    location,
    // Nothing moves into closed time: a closure that has come since marks it again.
    closed: [],
    start: new Date(startMs),
    end: new Date(endMs),
    durationMinutes: (endMs - startMs) / 60_000,
    nextDueAt: completeAt({ endMs: endMs - clockOffsetMs }),
  };
}

/** Names the session whose member is busy by its own id, instead of the member's. */
const namingSession =
  (sessions: readonly LessonSession[]) =>
  (error: unknown): never => {
    if (!(error instanceof AppError) || error.reason !== 'member_busy') throw error;
    const { member_id, reason: _, field = 'date', ...details } = error.details as Record<string, unknown>;
    const busy = sessions.find(({ memberId }) => memberId === member_id);
    throw new AppError('member_busy', { field: String(field), details: { ...details, session_id: busy?._id } });
  };
