import { Inject, Injectable } from '@nestjs/common';
import {
  type AppliedClock,
  applyClockToBookings,
  applyClockToTimes,
  applyClockToWebhooks,
  type ParsedOf,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { WhenDue } from '@swim/mongo';
import { LOGGER, type Logger, type RequestContext, systemContext } from '@swim/platform';
import type { AccountClock, AccountDocument } from '../../identity/accounts/account.schema.js';
import { ConnectionLapse } from '../../people/connections/connection-lapse.service.js';
import { AccountClocksRepository, type ClockedAccount } from './account-clocks.repository.js';
import { afterStop, pauseMsOf } from './clock-advance.rules.js';

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
    ({ accountId, offsetMs, madeBefore }) => this.connections.applyClock({ accountId, offsetMs, madeBefore }),
  ];
  private readonly webhooks: Part = (clock, context) => this.rpc.call(applyClockToWebhooks, clock, context);

  constructor(
    private readonly clocks: AccountClocksRepository,
    private readonly rpc: RpcClient,
    private readonly connections: ConnectionLapse,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resumes advances that a crash or their length has interrupted, and applies clocks once more. */
  @WhenDue(({ clocks }: ClockAdvance) => clocks.unfinished)
  async resume(account: AccountDocument): Promise<void> {
    if (!hasClock(account)) return;
    const { clock } = account;
    if (clock.targetMs !== null) return this.goOn(account, RESUMED_MS);
    const applied = await this.apply(account._id, clock, performance.now() + RESUMED_MS);
    const after = { ...clock, roundsLeft: applied ? Math.max(clock.roundsLeft - 1, 0) : clock.roundsLeft };
    await this.leave(account, after, applied ? pauseMsOf(after) : AGAIN_MS);
  }

  /** Continues an advance that has begun, at most for about `limitMs`; the sweep does the rest. Never rejects. */
  async run(begun: ClockedAccount, limitMs: number): Promise<void> {
    await this.clocks.unfinished
      .handle(begun, () => this.goOn(begun, limitMs))
      .catch((err) => this.logger.warn({ err, accountId: begun._id }, 'advance of a clock interrupted'));
  }

  private async goOn(account: ClockedAccount, limitMs: number): Promise<void> {
    const endsAtMs = performance.now() + limitMs;
    while (account.clock.targetMs !== null) {
      const applied = await this.apply(account._id, account.clock, endsAtMs);
      if (!applied) return void (await this.clocks.unfinished.postpone(account, 0));
      const clock = afterStop(account.clock, applied.nextOffsetMs);
      if (clock.targetMs === null) return this.leave(account, clock, pauseMsOf(clock));
      if (!(await this.clocks.unfinished.renew(account, { clock }))) return;
    }
  }

  private async leave(account: AccountDocument, clock: AccountClock, waitMs: number | null): Promise<void> {
    if (waitMs === null) await this.clocks.unfinished.end(account, { clock });
    else await this.clocks.unfinished.postpone(account, waitMs, { clock });
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

const hasClock = (account: AccountDocument): account is ClockedAccount => account.clock !== undefined;
