import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import {
  currentEnvironment,
  DelayedRun,
  inEnvironment,
  LOGGER,
  type Logger,
  type RequestContext,
  sharedClock,
  systemContext,
} from '@swim/platform';
import { CalendarService, type Claim } from '../../calendar/calendar.service.js';
import { isLesson } from '../../calendar/claim.rules.js';
import { nobodyWaits, VacatedTimeService } from '../../calendar/vacated-time.service.js';
import { HoldReleaseService } from '../../holds/hold-release.service.js';
import { ClassesRepository } from '../../lessons/classes/classes.repository.js';
import { LessonFulfilmentService } from '../../lessons/lesson-fulfilment.service.js';
import { LessonsRepository } from '../../lessons/lessons.repository.js';
import { ConnectionsService } from '../../participants/connections.service.js';
import { LateSessionsService, type MadeSessions } from '../cancelling/late-sessions.service.js';
import { SessionClaimsService } from '../cancelling/session-claims.service.js';
import {
  type ClaimPlan,
  type MoveLesson,
  type MovePlan,
  privateLessonsOf,
  type SessionPlan,
  sessionsOf,
} from '../storage/session.rules.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { madeAtOf, SessionsRepository } from '../storage/sessions.repository.js';
import { LessonMovesService } from './lesson-moves.service.js';

// Longer than the move of a session takes, and than a claim waits to be marked as fulfilled.
const RECOVERING_MS = 5_000;
// The pauses of a claim whose sessions could not be published. The longest is well below the time for which notification keeps later
// events of a session until it has the first.
const UNPUBLISHED_MS = 30_000;
const LONGEST_UNPUBLISHED_MS = 120_000;
// The latter follows the former, or the copies of published events, which take a second and a half: well before recovery processes a
// claim (FULFIL_GRACE_MS).
const CHECK_MS = 1_000;
const MARK_MS = 200;

/** Sessions made for members under a claim, and whether they are published. */
interface Made extends MadeSessions {
  isPublished: Promise<boolean>;
}

/** By claim. */
type MadeOf = Map<string, Made>;

// A plan may wait for a second: what else it holds would become old in memory.
const membersOf = ({ accountId, schoolId, connection, sessions }: SessionPlan): MadeSessions => ({
  accountId,
  schoolId,
  connection,
  sessions: sessions.map(({ memberId }) => ({ memberId })),
});

/** Makes the sessions or the move of a confirmed claim, the first time or after a crash. */
@Injectable()
export class FulfilmentService implements BeforeApplicationShutdown {
  @Inject(LOGGER) private readonly logger!: Logger;
  @Inject(LessonsRepository) private readonly lessons!: LessonsRepository;
  @Inject(ClassesRepository) private readonly classes!: ClassesRepository;
  @Inject(LessonFulfilmentService) private readonly makers!: LessonFulfilmentService;
  @Inject(ConnectionsService) private readonly connections!: ConnectionsService;
  @Inject(LateSessionsService) private readonly late!: LateSessionsService;
  @Inject(SessionClaimsService) private readonly claims!: SessionClaimsService;
  @Inject(LessonMovesService) private readonly lessonMoves!: LessonMovesService;
  private readonly unchecked: Record<Environment, MadeOf> = { live: new Map(), test: new Map() };
  private readonly unmarked: Record<Environment, Set<string>> = { live: new Set(), test: new Set() };
  private readonly checking = new DelayedRun(CHECK_MS, () => this.check());
  private readonly marking = new DelayedRun(MARK_MS, () => this.mark());
  private failedAtMs = Number.NEGATIVE_INFINITY;
  /** Claims whose sessions this process is publishing. */
  private readonly publishing = new Map<string, Promise<boolean>>();

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly calendar: CalendarService,
    private readonly vacated: VacatedTimeService,
    private readonly holds: HoldReleaseService,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.publishing.values());
    await this.checking.flush();
    await this.marking.flush();
  }

  /** Makes the sessions of a confirmed claim, or returns the existing ones. */
  async fulfil(claim: Claim): Promise<SessionDocument[]> {
    const plan = claim.plan as SessionPlan | undefined;
    if (!plan) return this.sessions.findByIds(claim.holders.filter((id) => !isLesson(id)));
    await this.connections.connect(
      plan,
      plan.sessions.map(({ memberId }) => memberId),
    );
    await this.makeLessons(plan, claim._id);
    const { documents, published } = await this.sessions.insertPlanned(plan, claim._id);
    const isPublished = this.watch(claim._id, published);
    await this.leaveOthers(claim, documents);
    if (plan.holdId && plan.bookingId) await this.holds.converted(plan.holdId, plan.bookingId);
    this.unchecked[currentEnvironment()].set(claim._id, { ...membersOf(plan), isPublished });
    this.checking.request();
    return documents;
  }

  /**
   * The session that an earlier run of the same request has committed under this key, also when it has left its claim since; null when
   * none has: from now on none can.
   */
  async fulfilEarlier(
    key: string,
    { sessionId, attempt }: { sessionId: string; attempt: number },
  ): Promise<SessionDocument | null> {
    const live = await this.calendar.supersede(key, attempt);
    const isPlanned = live?.state === 'confirmed' && live.plan !== undefined;
    const [made] = isPlanned ? await this.fulfil(live) : await this.sessions.findByIds([sessionId]);
    return made ?? null;
  }

  /** The sessions made under a claim's key, also those that have left the claim since. */
  findMade(key: string): Promise<SessionDocument[]> {
    return this.sessions.findMade(key);
  }

  /** Ends a move that its session records; returns whether the session was cancelled, as its member is erased or not connected any more. */
  async endMove(moved: SessionDocument, plan: MovePlan): Promise<boolean> {
    const { _id, claimId } = moved;
    await this.moveLesson(moved, plan.lesson);
    // The lesson may have been made or moved after its session was cancelled.
    const [now] = await this.sessions.findByIds([_id]);
    if (now?.status === 'cancelled') await this.claims.letGo(now);
    // Either may have happened during the lesson, and the lesson be moved to the future afterwards.
    const isUndone = await this.late.undoMoved([moved]);
    this.markLater(claimId);
    return isUndone;
  }

  /** Has the lesson of a session follow its last move, which may be interrupted. */
  async followMove(session: SessionDocument): Promise<void> {
    const plan = (await this.calendar.findClaim(session.claimId))?.plan as ClaimPlan | undefined;
    if (plan?.kind === 'move') await this.moveLesson(session, plan.lesson);
  }

  private async moveLesson(moved: SessionDocument, { id, kind, capacity = 1 }: MoveLesson): Promise<void> {
    if (kind === 'joined') return this.lessons.show([id], moved.accountId);
    const [made] = privateLessonsOf([moved]);
    if (kind === 'new') return this.lessons.insertPrivate([{ ...made!, _id: id, capacity }], sharedClock.now());
    const { instructorId, location, start, end, durationMinutes, priceCents, currency, status, nextDueAt } = made!;
    const to = { instructorId, location, start, end, durationMinutes, priceCents, currency, status, nextDueAt };
    await this.lessons.endMoving(id, moved.claimId, to);
  }

  /**
   * Releases the claim of a move, unless its session has moved to it. The move's generation is used up first: a change-over that is
   * on its way fails then.
   */
  async abandonMove(context: RequestContext, { sessionId, gen, lesson }: MovePlan, claimId: string): Promise<void> {
    await this.sessions.changeInwardly(context, sessionId, (now) => {
      return now.claimId === claimId || now.gen >= gen ? null : { gen };
    });
    const [session] = await this.sessions.findByIds([sessionId]);
    // What a session has dropped is offered to the waitlist before it is released.
    const isMade = session && (session.claimId === claimId || session.drop.includes(claimId));
    if (isMade) return;
    if (lesson.kind === 'own') await this.lessons.stopMoving(lesson.id, claimId);
    await this.calendar.release(claimId);
  }

  /** Recovers one claim that is due. */
  async recover(claim: Claim): Promise<void> {
    if (claim.state === 'released') return this.calendar.clear(claim);
    if (claim.state !== 'confirmed') return void (await this.calendar.releaseIfLapsed(claim));
    const plan = claim.plan as ClaimPlan | undefined;
    if (plan?.kind === 'lesson') return void (await this.makers.fulfil(claim, plan));
    if (plan?.kind === 'class-lessons') return this.makers.fulfilAll(claim, plan);
    if (plan?.kind === 'lesson-move') return this.lessonMoves.recover(claim, plan);
    if (plan?.kind === 'move') await this.recoverMove(claim, plan);
    else if (!this.publishing.has(claim._id)) await this.fulfil(claim);
    // It is marked as fulfilled a moment later: until then the next sweep would do the same again.
    await this.calendar.unfinished.postpone(claim, this.isFailing() ? this.unpublishedMs(claim) : RECOVERING_MS);
  }

  // The session records whether the move was made: it is the commit record of moves.
  private async recoverMove({ _id }: Claim, plan: MovePlan): Promise<void> {
    const [session] = await this.sessions.findByIds([plan.sessionId]);
    if (session?.claimId === _id) await this.endMove(session, plan);
    else if (session) await this.abandonMove(systemContext(session.accountId), plan, _id);
    else await this.calendar.release(_id);
  }

  /** Makes the private lessons of a plan, before their sessions, and shows the others to the account. */
  private async makeLessons(plan: SessionPlan, claimId: string): Promise<void> {
    const madeAt = madeAtOf(plan);
    const shared = new Set(plan.sessions.flatMap(({ lessonId, of }) => (of ? lessonId : [])));
    if (shared.size > 0) await this.lessons.show([...shared], plan.accountId);
    if (plan.classId) await this.classes.show(plan.classId, plan.accountId);
    const own = sessionsOf(plan, claimId, madeAt.getTime()).filter(({ lessonId }) => !shared.has(lessonId));
    if (own.length > 0) await this.lessons.insertPrivate(privateLessonsOf(own), madeAt);
  }

  // Another run of the same request has made the sessions under a claim of its own: this claim has no owner.
  private async leaveOthers(claim: Claim, sessions: SessionDocument[]): Promise<void> {
    const others = sessions.filter(({ claimId, drop }) => claimId !== claim._id && !drop.includes(claim._id));
    if (others.length === 0) return;
    const lessons = (await this.lessons.findAll(claim.holders.filter(isLesson))).filter(
      ({ claimId }) => claimId !== claim._id,
    );
    const leaving = [...others, ...lessons].map(({ _id }) => _id);
    await this.vacated.leave(claim._id, leaving, nobodyWaits);
  }

  /** Whether sessions are published; logs a failure, which recovery repeats, since the claim keeps its plan. */
  private watch(claimId: string, published: Promise<void>): Promise<boolean> {
    const isPublished = published
      .then(
        () => true,
        (error) => {
          this.failedAtMs = performance.now();
          this.logger.warn({ err: error, claimId }, 'new sessions not published yet');
          return false;
        },
      )
      .finally(() => this.publishing.delete(claimId));
    this.publishing.set(claimId, isPublished);
    return isPublished;
  }

  /**
   * The longer a claim waits already, the rarer it is tried: all claims that were made during an outage of JetStream are, and those whose
   * sessions are not made yet must not wait for them.
   */
  private unpublishedMs({ createdAt }: Claim): number {
    const ageMs = sharedClock.nowMs() - createdAt.getTime();
    return Math.min(Math.max(UNPUBLISHED_MS, ageMs / 2), LONGEST_UNPUBLISHED_MS);
  }

  private isFailing(): boolean {
    return performance.now() - this.failedAtMs < UNPUBLISHED_MS;
  }

  // Outside the request and batched: after a crash, recovery makes the sessions again, and marks the claim.
  private markLater(claimId: string): void {
    this.unmarked[currentEnvironment()].add(claimId);
    this.marking.request();
  }

  private async check(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const made = this.unchecked[env];
      this.unchecked[env] = new Map();
      await inEnvironment(env, () => this.checkMembers(made)).catch((error) =>
        this.logger.warn({ err: error }, 'claims not marked as fulfilled yet'),
      );
    }
  }

  /** A claim is fulfilled once its sessions are published, and none of them has come late. */
  private async checkMembers(made: MadeOf): Promise<void> {
    if (made.size === 0) return;
    const current = new Set(await this.late.undo([...made.values()]));
    for (const [claimId, each] of made)
      if (current.has(each)) void each.isPublished.then((is) => (is ? this.markLater(claimId) : undefined));
  }

  private async mark(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const claimIds = [...this.unmarked[env]];
      this.unmarked[env].clear();
      if (claimIds.length === 0) continue;
      await inEnvironment(env, () => this.markFulfilled(claimIds)).catch((error) =>
        this.logger.warn({ err: error }, 'claims not marked as fulfilled yet'),
      );
    }
  }

  private async markFulfilled(claimIds: string[]): Promise<void> {
    const marked = await this.calendar.markFulfilled(claimIds);
    if (marked < claimIds.length) await this.vacated.endOver(claimIds);
  }
}
