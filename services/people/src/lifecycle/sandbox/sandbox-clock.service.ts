import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { advanceSandboxClock, getSandboxClock, type ParsedOf, type SandboxClock } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { answerIn } from '@swim/mongo';
import { AppError, Clock, type RequestContext } from '@swim/platform';
import type { AccountClock, AccountDocument } from '../../identity/accounts/account.schema.js';
import { AccountClocksRepository } from './account-clocks.repository.js';
import { advancing } from './clock-advance.rules.js';
import { ClockAdvance } from './clock-advance.service.js';
import { isResetting } from './reset.rules.js';

const MOST_DAYS = 365;
const DAY_MS = 86_400_000;
/** After this time the client gets an answer, and the sweep continues. */
const ADVANCING_MS = 8_000;
const ANSWERING_MS = 500;
const POLL_MS = 50;

/** The clock of a test account as its clients use it. None of it exists for live keys. */
@Injectable()
export class SandboxClockService {
  constructor(
    private readonly clocks: AccountClocksRepository,
    private readonly advances: ClockAdvance,
    private readonly clock: Clock,
  ) {}

  @Serve(getSandboxClock)
  async get(_: ParsedOf<typeof getSandboxClock>, context: RequestContext): Promise<SandboxClock> {
    return this.shown(await this.getOwn(context));
  }

  /** What the clock of an account shows that was never advanced. */
  real(): SandboxClock {
    return showing(this.clock.now().toISOString(), 0);
  }

  @Serve(advanceSandboxClock)
  async advance({ advance_to }: ParsedOf<typeof advanceSandboxClock>, context: RequestContext): Promise<SandboxClock> {
    const own = await this.getOwn(context);
    const { clock: before = null, reset } = own;
    const endsAtMs = performance.now() + Math.min(ADVANCING_MS, context.deadline.remainingMs() - ANSWERING_MS);
    // An earlier run of this request has begun the advance: the sweep continues it.
    if (answerIn(own, context) !== undefined) return this.awaited(context, endsAtMs);
    if (before?.targetMs != null) throw new AppError('advance_in_progress', { retryAfterSeconds: 1 });
    if (isResetting(reset)) throw new AppError('reset_in_progress', { retryAfterSeconds: 1 });
    const target = this.targetOf(advance_to, before);
    if (context.dryRun) return showing(advance_to, target);
    const clock = advancing(before, { targetMs: target, beganAt: this.clocks.now() });
    const begun = await this.clocks.begin(context, own, clock);
    if (!begun) throw new AppError('advance_in_progress', { retryAfterSeconds: 1 });
    // A slow service must not cost the client its answer: the run goes on without it.
    const leftMs = endsAtMs - performance.now();
    await Promise.race([this.advances.run(begun, leftMs), pause(leftMs, undefined, { ref: false })]);
    return this.shown(await this.getOwn(context));
  }

  private async awaited(context: RequestContext, endsAtMs: number): Promise<SandboxClock> {
    let own = await this.getOwn(context);
    while (own.clock?.targetMs != null && performance.now() < endsAtMs) {
      await pause(POLL_MS);
      own = await this.getOwn(context);
    }
    return this.shown(own);
  }

  /** The offset in ms of a clock that shows `advanceTo`. Throws `in_past`, `out_of_range`. */
  private targetOf(advanceTo: string, before: AccountClock | null): number {
    const offsetMs = before?.offsetMs ?? 0;
    const nowMs = this.clock.now().getTime() + offsetMs;
    const aheadMs = Date.parse(advanceTo) - nowMs;
    const now = new Date(nowMs).toISOString();
    const maximum = new Date(nowMs + MOST_DAYS * DAY_MS).toISOString();
    const field = 'advance_to';
    const expected = `an instant after ${now}, at most ${maximum}`;
    if (aheadMs <= 0)
      throw new AppError('in_past', {
        field,
        message: `A clock only moves forward: advance_to must be after ${now}, which the clock of the account shows; you sent ${advanceTo}.`,
        details: { now, expected },
      });
    if (aheadMs > MOST_DAYS * DAY_MS)
      throw new AppError('out_of_range', {
        field,
        message: `One request advances the clock by at most ${MOST_DAYS} days: advance_to must be ${maximum} or earlier; you sent ${advanceTo}.`,
        details: { now, expected },
      });
    return offsetMs + aheadMs;
  }

  private shown({ clock, reset }: AccountDocument): SandboxClock {
    const offsetMs = clock?.offsetMs ?? 0;
    return {
      ...showing(new Date(this.clock.now().getTime() + offsetMs).toISOString(), offsetMs),
      advancing: clock?.targetMs != null,
      resetting: isResetting(reset),
    };
  }

  private async getOwn({ principal: { env, accountId } }: RequestContext): Promise<AccountDocument> {
    if (env === 'live') throw new AppError('unknown_route');
    const own = await this.clocks.find(accountId);
    if (!own) throw new AppError('resource_not_found');
    return own;
  }
}

const showing = (now: string, offsetMs: number): SandboxClock => ({
  now,
  offset_seconds: Math.floor(offsetMs / 1_000),
  advancing: false,
  resetting: false,
});
