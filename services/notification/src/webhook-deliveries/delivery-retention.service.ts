import { Injectable } from '@nestjs/common';
import { PeriodicPerEnvironment } from '@swim/mongo';
import { Clock } from '@swim/platform';
import type { Config } from '../config.js';
import { keptSince } from './delivery.rules.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';

const BATCH = 500;

/** Removes deliveries after 30 days. Safe to run on several replicas. */
@Injectable()
export class DeliveryRetentionService {
  constructor(
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly clock: Clock,
  ) {}

  /** Removes what is older than 30 days in both environments. */
  @PeriodicPerEnvironment('webhook deliveries', ({ PURGE_INTERVAL_SECONDS }: Config) => PURGE_INTERVAL_SECONDS * 1_000)
  async removeAll(): Promise<void> {
    const since = keptSince(this.clock.now());
    let count: number;
    do count = await this.deliveries.removeOlder(since, BATCH);
    while (count === BATCH);
  }
}
