import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AccountClock } from '@swim/mongo';
import { sharedClock } from '@swim/platform';
import { WebhookTargetsService } from '../webhook-endpoints/webhook-targets.service.js';
import { DeliveryClaimsService } from './delivery-claims.service.js';
import { DeliveryClocksRepository } from './delivery-clocks.repository.js';

const PATIENCE_MS = 3_000;
const POLL_MS = 20;
const MOST_AWAITED = 1_000;

/** Retries of webhooks under the clocks of test accounts. */
@Injectable()
export class DeliveryClockService {
  constructor(
    private readonly deliveries: DeliveryClocksRepository,
    private readonly claims: DeliveryClaimsService,
    private readonly targets: WebhookTargetsService,
  ) {}

  /**
   * Applies the clock of a test account, advanced from an offset, to its deliveries: tries those whose retry is due then, and again
   * while another retry of theirs is due, as far as the tries end within a while. Returns how many tries were due; while there were
   * some, the call is repeated. A delivery has at most ten, so that this ends.
   */
  async applyClock(clock: AccountClock, fromMs: number): Promise<number> {
    const endsAtMs = performance.now() + PATIENCE_MS;
    let handled = 0;
    while (performance.now() < endsAtMs) {
      const count = await this.tryDue(clock, fromMs, endsAtMs);
      handled += count;
      if (count > 0) continue;
      // Only now: a retry that was due before its endpoint had failed for days must not disable it.
      await this.targets.applyClock(clock, fromMs);
      break;
    }
    return handled;
  }

  private async tryDue(clock: AccountClock, fromMs: number, endsAtMs: number): Promise<number> {
    await this.deliveries.advance(clock, fromMs, sharedClock.now());
    const due = await this.deliveries.findIdsDue(clock.accountId, sharedClock.now(), MOST_AWAITED);
    if (due.length === 0) return 0;
    await this.claims.claimDue('test');
    // Other replicas claim some of them.
    while ((await this.deliveries.countTrying(due, sharedClock.now())) > 0 && performance.now() < endsAtMs)
      await pause(POLL_MS);
    return due.length;
  }
}
