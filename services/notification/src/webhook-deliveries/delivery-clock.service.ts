import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AccountClock } from '@swim/mongo';
import { sharedClock } from '@swim/platform';
import { WebhookTargetsService } from '../webhook-endpoints/webhook-targets.service.js';
import { DeliveryClaimsService } from './delivery-claims.service.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';

const PATIENCE_MS = 3_000;
const POLL_MS = 20;
const MOST_AWAITED = 1_000;

/** Retries of webhooks under the clocks of test accounts. */
@Injectable()
export class DeliveryClockService {
  constructor(
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly claims: DeliveryClaimsService,
    private readonly targets: WebhookTargetsService,
  ) {}

  /**
   * Applies the clock of a test account, advanced from an offset, to its deliveries; tries those once whose retry is due then, and
   * awaits the tries for a while. Returns how many were due.
   */
  async applyClock(clock: AccountClock, fromMs: number): Promise<number> {
    await this.targets.applyClock(clock, fromMs);
    await this.deliveries.applyClock(clock, fromMs);
    const due = await this.deliveries.findIdsDueOf(clock.accountId, sharedClock.now(), MOST_AWAITED);
    if (due.length === 0) return 0;
    await this.claims.claimDue('test');
    const endsAtMs = performance.now() + PATIENCE_MS;
    // Other replicas claim some of them.
    while ((await this.deliveries.countTrying(due, sharedClock.now())) > 0 && performance.now() < endsAtMs)
      await pause(POLL_MS);
    return due.length;
  }
}
