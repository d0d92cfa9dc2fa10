import { Inject, Injectable } from '@nestjs/common';
import {
  type AppliedClock,
  applyClockToBookings,
  applyClockToTimes,
  applyClockToWebhooks,
  type ParsedOf,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { Periodic, type Sweep } from '@swim/mongo';
import { LOGGER, type Logger, type RequestContext, systemContext } from '@swim/platform';
import type { AccountClock } from '../../identity/accounts/account.schema.js';
import { AccountClocksRepository, type ClockedAccount } from './account-clocks.repository.js';
import { afterStop, pauseMsOf } from './clock-advance.rules.js';

const SWEEP_MS = 1_000;
const RESUMED_MS = 6_000;
/** More than a service uses before it answers that there is more to do. */
const PART_MS = 4_000;
const AGAIN_MS = 1_000;

/** Applies an offset to what a service stores, and handles what is due then. */
type Part = (clock: ParsedOf<typeof applyClockToTimes>, context: RequestContext) => Promise<AppliedClock>;

/**
 * Advances the clocks of test accounts. The account's document is the log: each stop is stored before the services apply it, and a
 * superseded run stores nothing more.
 */
@Injectable()
export class ClockAdvance {
  // Sessions, holds and offers come before the bookings that wait for a prepayment: what is due of both is due at one instant.
  private readonly parts: readonly Part[] = [
    (clock, context) => this.rpc.call(applyClockToTimes, clock, context),
    (clock, context) => this.rpc.call(applyClockToBookings, clock, context),
  ];
  private readonly webhooks: Part = (clock, context) => this.rpc.call(applyClockToWebhooks, clock, context);

  constructor(
    private readonly clocks: AccountClocksRepository,
    private readonly rpc: RpcClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Each second resumes advances that a crash or their length has interrupted, and applies clocks once more. */
  @Periodic('sandbox clocks', SWEEP_MS)
  async resumeDue(sweep: Sweep): Promise<void> {
    const due = await this.clocks.findDue();
    await Promise.all(due.map((account) => sweep.attempt(account, () => this.resume(account))));
  }

  /** Continues an advance until it ends, at most for about `limitMs`; the sweep does the rest. Never rejects. */
  async run(accountId: string, clock: AccountClock, limitMs: number): Promise<void> {
    const endsAtMs = performance.now() + limitMs;
    let now = clock;
    try {
      while (now.targetMs !== null) {
        const applied = await this.apply(accountId, now, endsAtMs);
        if (!applied) return void (await this.clocks.leave(accountId, now, 0));
        now = afterStop(now, applied.nextOffsetMs);
        const isStored =
          now.targetMs === null
            ? await this.clocks.leave(accountId, now, pauseMsOf(now))
            : await this.clocks.advance(accountId, now);
        if (!isStored) return;
      }
    } catch (error) {
      this.logger.warn({ err: error, accountId }, 'advance of a clock interrupted');
      // Otherwise its lease ends.
      await this.clocks.leave(accountId, now, AGAIN_MS).catch(() => false);
    }
  }

  private async resume(account: ClockedAccount): Promise<void> {
    const clock = await this.clocks.takeOver(account);
    if (!clock) return;
    if (clock.targetMs !== null) return this.run(account._id, clock, RESUMED_MS);
    const applied = await this.apply(account._id, clock, performance.now() + RESUMED_MS);
    const after = { ...clock, roundsLeft: applied ? Math.max(clock.roundsLeft - 1, 0) : clock.roundsLeft };
    await this.clocks.leave(account._id, after, applied ? pauseMsOf(after) : AGAIN_MS);
  }

  /**
   * Has the services apply the offset and handle what is due, until a round handles nothing: what one handles can make something
   * due in another. Returns the next offset at which something ends; null when the time was too short.
   */
  private async apply(
    accountId: string,
    { offsetMs, fromMs, targetMs, beganAt }: AccountClock,
    endsAtMs: number,
  ): Promise<{ nextOffsetMs: number | null } | null> {
    const parts = targetMs === null || offsetMs < targetMs ? this.parts : [...this.parts, this.webhooks];
    for (;;) {
      let handled = 0;
      const ends: number[] = [];
      for (const part of parts) {
        if (performance.now() > endsAtMs) return null;
        const context = systemContext('test', accountId, PART_MS);
        // A request that is processed late, after a reset, changes nothing of what was made since.
        const now = this.clocks.now();
        // It is not known how far the clock was when an event of the advance occurred: its webhooks are tried in real time.
        const madeBefore = (part === this.webhooks ? (beganAt ?? now) : now).toISOString();
        const applied = await part({ accountId, fromMs, offsetMs, madeBefore }, context);
        handled += applied.handled;
        if (applied.nextOffsetMs !== null && applied.nextOffsetMs > offsetMs) ends.push(applied.nextOffsetMs);
      }
      if (handled === 0) return { nextOffsetMs: ends.length > 0 ? Math.min(...ends) : null };
    }
  }
}
