import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { type Call, LOGGER, systemCall } from '@swim/messaging';
import { AppError, type Logger } from '@swim/platform';
import { CalendarService, CLAIM_LEASE_MS } from '../calendar/calendar.service.js';
import { OffersService } from '../waitlist/offers.service.js';
import { nextGen } from './session.rules.js';
import type { SessionDocument } from './session.schema.js';
import { SessionsRepository } from './sessions.repository.js';

const PATIENCE_MS = 300;
const POLL_MS = 20;
// Who waits is asked first, but not for ever: the time of a session that is over must come free.
const ASKING_MS = 60_000;

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, POLL_MS));

/** The life of a session's claims: a move begins, is abandoned or made; time that is no longer needed is let go. */
@Injectable()
export class SessionClaimsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly calendar: CalendarService,
    private readonly offers: OffersService,
    @Inject(CLAIM_LEASE_MS) private readonly leaseMs: number,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The session, once no move of it is under way; `change_in_progress` when one lasts longer than patience. */
  async settled(call: Call, id: string): Promise<SessionDocument> {
    const endsAtMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const session = await this.sessions.getVisible(call, id);
      if (!this.sessions.isMoving(session)) return session;
      if (performance.now() > endsAtMs) throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      await pause();
    }
  }

  /** Notes that a move of this generation is under way; it alone serialises the move with other changes. */
  async beginMove(call: Call, id: string, gen: number, check: (now: SessionDocument) => void): Promise<void> {
    const move = this.sessions.newMove(gen, this.leaseMs);
    await this.sessions.changeInwardly(call, id, (now) => {
      check(now);
      if (nextGen(now) !== gen || this.sessions.isMoving(now))
        throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      return { move, dueAt: move.until };
    });
  }

  /** Gives up every claim the session has dropped. A failure is recovery's to repeat: the change itself is made. */
  async letGo(call: Call, session: SessionDocument): Promise<void> {
    try {
      for (const claimId of session.drop) {
        await this.passOn(call.principal.env, claimId, session);
        await this.calendar.leave(call.principal.env, claimId, session._id);
      }
      await this.sessions.changeInwardly(call, session._id, (now) => {
        const drop = now.drop.filter((claimId) => !session.drop.includes(claimId));
        return { drop, dueAt: drop.length > 0 || now.move ? now.dueAt : null };
      });
    } catch (error) {
      this.logger.warn({ err: error, sessionId: session._id }, 'dropped time not released yet');
      // Those that cannot be let go now must not keep recovery from the others.
      await this.sessions
        .changeInwardly(call, session._id, ({ drop }) => (drop.length ? { dueAt: this.sessions.cleanUpAt() } : null))
        .catch(() => undefined);
    }
  }

  // The session has given this time up for good, but has it until those who wait were asked: nobody gets between.
  private async passOn(env: Environment, claimId: string, { _id, updatedAt }: SessionDocument): Promise<void> {
    const claim = await this.calendar.findClaim(env, claimId);
    if (claim?.state !== 'confirmed' || updatedAt.getTime() < Date.now() - ASKING_MS) return;
    const holders = [_id];
    const left = new Set(claim.holders);
    const alone = claim.elements.filter((element) => element.holders.filter((each) => left.has(each)).join() === _id);
    for (const { resource, startMs, endMs } of alone.filter(({ resource }) => resource.startsWith('ins_'))) {
      await this.offers.passOn(env, resource, { startMs, endMs, ceded: { claimId, holders } });
    }
  }

  /** Ends a move of this generation that was not made: the session first, so that it cannot be made any more, then its claim. */
  async abandonMove(call: Call, id: string, gen: number): Promise<void> {
    await this.sessions.changeInwardly(call, id, (now) =>
      // A generation is used once: what a stalled run of this move still claims must not pass for a later one's.
      now.move?.gen === gen ? { move: null, gen, dueAt: now.drop.length > 0 ? this.sessions.cleanUpAt() : null } : null,
    );
    const { env } = call.principal;
    const live = await this.calendar.findLive(env, `${id}#${gen}`);
    const [session] = await this.sessions.findByIds(env, [id]);
    if (live && session?.claimId !== live._id) await this.calendar.release(env, live._id);
  }

  /** Recovery of one session whose time to be looked after has come. */
  async recover(env: Environment, session: SessionDocument): Promise<void> {
    const call = systemCall(env, session.accountId);
    if (session.move && !this.sessions.isMoving(session)) await this.abandonMove(call, session._id, session.move.gen);
    if (session.drop.length > 0) await this.letGo(call, session);
  }
}
