import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { DelayedRun, LOGGER, type Logger, Recent, type RequestContext, systemContext } from '@swim/platform';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import { nobodyWaits, VacatedTimeService } from '../calendar/vacated-time.service.js';
import { HoldReleaseService } from '../holds/hold-release.service.js';
import { ErasedSessionsService, type MadeForMembers } from './erased-sessions.service.js';
import { type ClaimPlan, generation, type MovePlan, type SessionPlan } from './session.rules.js';
import type { SessionDocument } from './session.schema.js';
import { SessionsRepository } from './sessions.repository.js';

// Longer than the move of a session takes, and than a claim waits to be marked as fulfilled; the pause while nothing can be published.
const RECOVERING_MS = 5_000;
// With the copies of published events, which take a second and a half, well before recovery processes a claim (FULFIL_GRACE_MS).
const MARK_MS = 200;
// Of a whole course, whose lessons are cancelled at once.
const ANNOUNCED = 1_000;

/** Makes the sessions or the move of a confirmed claim, the first time or after a crash. */
@Injectable()
export class FulfilmentService implements BeforeApplicationShutdown {
  @Inject(LOGGER) private readonly logger!: Logger;
  /** Claim → the sessions that have its time. */
  private readonly unmarked: Record<Environment, Map<string, MadeForMembers>> = { live: new Map(), test: new Map() };
  private readonly marking = new DelayedRun(MARK_MS, () => this.mark());
  /** Claims whose sessions are being published. */
  private readonly publishing = new Set<Promise<void>>();
  /** Claim → the announcement of its sessions before one of them left it. */
  private readonly announced = new Recent<Promise<void>>(ANNOUNCED);

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly calendar: CalendarService,
    private readonly vacated: VacatedTimeService,
    private readonly holds: HoldReleaseService,
    private readonly erased: ErasedSessionsService,
  ) {
    vacated.beforeEnd((env, claim) => this.announceOnce(env, claim));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.publishing);
    await this.marking.flush();
  }

  /** Makes the sessions of a confirmed claim, or returns the existing ones. */
  async fulfil(env: Environment, claim: Claim): Promise<SessionDocument[]> {
    const plan = claim.plan as SessionPlan | undefined;
    if (!plan) return this.sessions.findByIds(env, claim.holders);
    const { documents, published } = await this.sessions.insertPlanned(env, plan, claim._id);
    // Recovery repeats it: the claim keeps its plan.
    const isPublished = published.then(
      () => true,
      (error) => {
        this.logger.warn({ err: error, claimId: claim._id }, 'new sessions not published yet');
        return false;
      },
    );
    await this.leaveOthers(env, claim, documents);
    if (plan.holdId && plan.bookingId) await this.holds.converted(env, plan.holdId, plan.bookingId);
    this.markOnce(isPublished, () => this.markLater(env, claim._id, plan));
    return documents;
  }

  /** The sessions of an earlier run of the same request, if it committed; from now on it cannot. */
  async fulfilEarlier(env: Environment, key: string, attempt: number): Promise<SessionDocument[] | null> {
    const live = await this.calendar.supersede(env, key, attempt);
    return live?.state === 'confirmed' ? this.fulfil(env, live) : null;
  }

  /** The sessions made under a claim's key, also those that have left the claim since. */
  findMade(env: Environment, key: string): Promise<SessionDocument[]> {
    return this.sessions.findMade(env, key);
  }

  /** Ends a move that its session records: cancels the lesson of a member that was erased meanwhile; returns whether it was. */
  async endMove(env: Environment, { accountId, memberId, claimId }: SessionDocument): Promise<boolean> {
    // A member may have been erased during the lesson, and the lesson be moved to the future afterwards.
    const isErased = await this.erased.eraseLate(env, { accountId, sessions: [{ memberId }] });
    this.markLater(env, claimId, { accountId, sessions: [] });
    return isErased;
  }

  /**
   * Releases the claim of a move, unless its session has moved to it. The move's generation is used up first: a change-over that is
   * on its way fails then.
   */
  async abandonMove(context: RequestContext, { sessionId, gen }: MovePlan, claimId: string): Promise<void> {
    const { env } = context.principal;
    await this.sessions.changeInwardly(context, sessionId, (now) => {
      const used = gen ?? now.gen + 1;
      return now.claimId === claimId || now.gen >= used ? null : generation(used);
    });
    const [session] = await this.sessions.findByIds(env, [sessionId]);
    // What a session has dropped is offered to the waitlist before it is released.
    const isMade = session && (session.claimId === claimId || session.drop.includes(claimId));
    if (!isMade) await this.calendar.release(env, claimId);
  }

  /** Recovers one claim that is due. */
  async recover(env: Environment, claim: Claim): Promise<void> {
    if (claim.state === 'released') return this.calendar.clear(env, claim);
    if (claim.state !== 'confirmed') return void (await this.calendar.releaseIfLapsed(env, claim));
    const plan = claim.plan as ClaimPlan | undefined;
    if (plan?.kind === 'move') await this.recoverMove(env, claim, plan);
    else await this.fulfil(env, claim);
    // It is marked as fulfilled a moment later: until then the next sweep would do the same again.
    await this.calendar.postpone(env, claim, RECOVERING_MS);
  }

  // The session records whether the move was made: it is the commit record of moves.
  private async recoverMove(env: Environment, { _id }: Claim, plan: MovePlan): Promise<void> {
    const [session] = await this.sessions.findByIds(env, [plan.sessionId]);
    if (session?.claimId === _id) await this.endMove(env, session);
    else if (session) await this.abandonMove(systemContext(env, session.accountId), plan, _id);
    else await this.calendar.release(env, _id);
  }

  // Another run of the same request has made the sessions under a claim of its own: this claim has no owner.
  private async leaveOthers(env: Environment, claim: Claim, sessions: SessionDocument[]): Promise<void> {
    for (const { _id, claimId, drop } of sessions) {
      if (claimId !== claim._id && !drop.includes(claim._id))
        await this.vacated.leave(env, claim._id, _id, nobodyWaits);
    }
  }

  private markOnce(isPublished: Promise<boolean>, mark: () => void): void {
    const work = isPublished.then((is) => (is ? mark() : undefined)).finally(() => this.publishing.delete(work));
    this.publishing.add(work);
  }

  /** Publishes the sessions of a claim that still has its plan: nothing could publish them once it is gone. */
  private announceOnce(env: Environment, { _id, plan }: Claim): Promise<void> {
    const planned = plan as ClaimPlan | undefined;
    if (planned?.kind !== 'sessions') return Promise.resolve();
    const running = this.announced.get(_id) ?? this.sessions.announcePlanned(env, planned, _id);
    this.announced.set(_id, running);
    running.catch(() => this.announced.forget(_id));
    return running;
  }

  // Outside the request and batched: after a crash, recovery finds the sessions made and marks the claim.
  private markLater(env: Environment, claimId: string, made: MadeForMembers): void {
    this.unmarked[env].set(claimId, made);
    this.marking.request();
  }

  private async mark(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const made = this.unmarked[env];
      this.unmarked[env] = new Map();
      await this.markFulfilled(env, made).catch((error) =>
        this.logger.warn({ err: error }, 'claims not marked as fulfilled yet'),
      );
    }
  }

  /** A claim is fulfilled once no session of it belongs to a member that was erased meanwhile. */
  private async markFulfilled(env: Environment, made: ReadonlyMap<string, MadeForMembers>): Promise<void> {
    if (made.size === 0) return;
    const memberIds = [...made.values()].flatMap(({ sessions }) => sessions.map(({ memberId }) => memberId));
    const erased = new Set(await this.erased.findErased(env, memberIds));
    const current: string[] = [];
    for (const [claimId, each] of made) {
      if (!each.sessions.some(({ memberId }) => erased.has(memberId)) || (await this.undo(env, each)))
        current.push(claimId);
    }
    await this.calendar.markFulfilled(env, current);
  }

  private async undo(env: Environment, made: MadeForMembers): Promise<boolean> {
    try {
      return await this.erased.eraseLate(env, made);
    } catch (error) {
      this.logger.warn({ err: error }, 'sessions of an erased member not cancelled yet');
      return false;
    }
  }
}
