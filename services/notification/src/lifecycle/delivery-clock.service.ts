import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type AppliedClock, applyClockToWebhooks, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { AccountClock } from '@swim/mongo';
import { sharedClock } from '@swim/platform';
import { DeliveryClaimsService } from '../webhook-deliveries/delivery-claims.service.js';
import { WebhookTargetsService } from '../webhook-endpoints/webhook-targets.service.js';
import { DeliveryClocksRepository } from './delivery-clocks.repository.js';

const PATIENCE_MS = 3_000;
const [FIRST_POLL_MS, MOST_POLL_MS] = [20, 250];
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
   * while another retry of theirs is due, as far as the tries end within a while. Returns how many ended; while some did, the call
   * is repeated. A delivery has at most ten tries, so that this ends.
   */
  @Serve(applyClockToWebhooks)
  async applyClock({ fromMs, ...clock }: ParsedOf<typeof applyClockToWebhooks>): Promise<AppliedClock> {
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
    return { handled, nextOffsetMs: null };
  }

  private async tryDue(clock: AccountClock, fromMs: number, endsAtMs: number): Promise<number> {
    await this.deliveries.advance(clock, fromMs, sharedClock.now());
    const open = await this.deliveries.findIdsOpen(clock, sharedClock.now(), MOST_AWAITED);
    if (open.length === 0) return 0;
    await this.claims.claimDue();
    // Other replicas have claimed some of them, and others wait for their endpoint.
    let left = open.length;
    for (
      let pollMs = FIRST_POLL_MS;
      left > 0 && performance.now() < endsAtMs;
      pollMs = Math.min(2 * pollMs, MOST_POLL_MS)
    ) {
      await pause(pollMs);
      left = await this.deliveries.countOpen(open, sharedClock.now());
    }
    return open.length - left;
  }
}
