import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { LOGGER } from '@swim/messaging';
import type { Logger } from '@swim/platform';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import { HoldEndsService } from '../holds/hold-ends.service.js';
import { ErasedSessionsService } from './erased-sessions.service.js';
import type { ClaimPlan, SessionPlan } from './session.rules.js';
import type { SessionDocument } from './session.schema.js';
import { SessionsRepository } from './sessions.repository.js';

/** Makes of a confirmed claim what it was taken for, the first time or after a crash. */
@Injectable()
export class SettlementService implements BeforeApplicationShutdown {
  private readonly marking = new Set<Promise<void>>();

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly calendar: CalendarService,
    private readonly holds: HoldEndsService,
    private readonly erased: ErasedSessionsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.marking);
  }

  /** Makes the sessions of a confirmed claim, or answers those that are there. */
  async settle(env: Environment, claim: Claim): Promise<SessionDocument[]> {
    const plan = claim.plan as SessionPlan | undefined;
    if (!plan) return this.sessions.findByIds(env, claim.holders);
    const made = await this.sessions.insertPlanned(env, plan, claim._id);
    const wasErased = await this.erased.eraseLate(env, plan);
    const sessions = wasErased ? await this.sessions.findByIds(env, claim.holders) : made;
    if (plan.holdId && plan.bookingId) await this.holds.converted(env, plan.holdId, plan.bookingId);
    // Off the request's path: when this is lost, recovery finds the sessions made and marks the claim.
    const marking: Promise<void> = this.calendar
      .markSettled(env, claim._id)
      .catch((error) => this.logger.warn({ err: error }, 'claim not marked settled yet'))
      .finally(() => this.marking.delete(marking));
    this.marking.add(marking);
    return sessions;
  }

  /** The sessions of an earlier run of the same work, if it came as far as its commit. */
  async settleEarlier(env: Environment, key: string): Promise<SessionDocument[] | null> {
    const live = await this.calendar.findLive(env, key);
    return live?.state === 'confirmed' ? this.settle(env, live) : null;
  }

  /** Recovery of one claim whose time to be looked after has come. */
  async recover(env: Environment, claim: Claim): Promise<void> {
    if (claim.state === 'released') return this.calendar.clear(env, claim);
    if (claim.state !== 'confirmed') return void (await this.calendar.releaseIfLapsed(env, claim));
    const plan = claim.plan as ClaimPlan | undefined;
    if (plan?.kind === 'move') return this.recoverMove(env, claim, plan.sessionId);
    await this.settle(env, claim);
  }

  // The session says whether the move was made: it is the commit record of moves.
  private async recoverMove(env: Environment, claim: Claim, sessionId: string): Promise<void> {
    const [session] = await this.sessions.findByIds(env, [sessionId]);
    if (session?.claimId === claim._id) return this.calendar.markSettled(env, claim._id);
    if (session?.move && `${sessionId}#${session.move.gen}` === claim.key) return;
    await this.calendar.release(env, claim._id);
  }
}
