import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { PeriodicPerEnvironment } from '@swim/mongo';
import { currentEnvironment, gauge, sharedClock } from '@swim/platform';
import { countBy } from './delivery.rules.js';
import { DeliveryWorkerService } from './sending/delivery-worker.service.js';
import { type ParkedDelivery, WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import type { WebhookDeliveryDocument } from './webhook-delivery.schema.js';

/** Age of the oldest webhook delivery that is due, or waits for its endpoint without a try so far, in seconds. */
const webhookBacklogAge = gauge({
  name: 'swim_webhook_backlog_age_seconds',
  help: 'Time since the oldest webhook delivery that waits became due; of those that wait for their endpoint, the untried ones count',
  labelNames: ['env'],
});

/** Webhook deliveries that are due and not started, of all replicas. */
const webhookBacklog = gauge({
  name: 'swim_webhook_backlog',
  help: 'Webhook deliveries that wait for a free replica or for their endpoint',
  labelNames: ['env'],
});

const SWEEP_MS = 1_000;
const MEASURE_MS = 15_000;
const BATCH = 256;
const REFILL = 64;

/**
 * Claims deliveries that are due: retries, what a replica has left behind, and what waits for its endpoint. An endpoint with
 * more than this replica takes has the rest parked, so that the next look finds those of others.
 */
@Injectable()
export class DeliveryClaimsService implements OnModuleInit {
  /** Endpoints that had parked deliveries at the last look. */
  private readonly parked = new Set<string>();
  private readonly refilling = new Set<string>();
  /** Since when the oldest of those that were parked at the last look, and never tried, have waited. */
  private readonly oldestParked = new Map<Environment, Date | null>();

  constructor(
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly worker: DeliveryWorkerService,
  ) {}

  onModuleInit(): void {
    this.worker.onEnd(({ endpointId }) => {
      if (this.parked.has(endpointId)) void this.refill(endpointId).catch(() => undefined);
    });
  }

  /** Claims what is due in both environments. */
  @PeriodicPerEnvironment('due webhooks', SWEEP_MS)
  async claimAll(): Promise<void> {
    await this.claimDue();
    await this.claimParked();
  }

  /** Measures the backlog of both environments. */
  @PeriodicPerEnvironment('webhook backlog', MEASURE_MS)
  async measure(): Promise<void> {
    const now = sharedClock.now();
    const env = currentEnvironment();
    const { count, oldest: oldestDue } = await this.deliveries.measureBacklog(now);
    const oldest = earlierOf(oldestDue, this.oldestParked.get(env) ?? null);
    webhookBacklog.set({ env }, count);
    webhookBacklogAge.set({ env }, oldest ? (now.getTime() - oldest.getTime()) / 1_000 : 0);
  }

  /** Claims what is due in an environment, and parks what this replica has no capacity for. */
  async claimDue(): Promise<void> {
    let found: WebhookDeliveryDocument[];
    do {
      found = await this.deliveries.findDue(sharedClock.now(), BATCH);
      await this.worker.prepare(countBy(found.map(({ endpointId }) => endpointId)));
      const { taken, left } = this.divide(found);
      if (taken.length > 0) await this.claim(taken);
      if (left.length > 0) await this.deliveries.park(left);
    } while (found.length === BATCH);
  }

  private async claimParked(): Promise<void> {
    let oldest: Date | null = null;
    let next = await this.deliveries.findNextParked('');
    while (next !== null) {
      const { endpointId } = next;
      oldest = earlierOf(oldest, untriedSince(next));
      this.parked.add(endpointId);
      await this.refill(endpointId);
      next = await this.deliveries.findNextParked(endpointId);
    }
    this.oldestParked.set(currentEnvironment(), oldest);
  }

  private async refill(endpointId: string): Promise<void> {
    if (this.refilling.has(endpointId)) return;
    this.refilling.add(endpointId);
    try {
      await this.worker.prepare(new Map([[endpointId, REFILL]]));
      const capacity = this.worker.capacityForMany(endpointId);
      if (capacity === 0) return;
      const found = await this.deliveries.findParked(endpointId, Math.min(capacity, REFILL));
      if (found.length === 0) this.parked.delete(endpointId);
      else await this.claim(found);
    } finally {
      this.refilling.delete(endpointId);
    }
  }

  private async claim(found: readonly WebhookDeliveryDocument[]): Promise<void> {
    const claim = this.worker.newClaim();
    const claimed = await this.deliveries.claim(found, claim);
    await this.worker.enqueue(
      claimed.map((each) => ({ ...each, dueAt: claim.until })),
      'backlog',
    );
  }

  private divide(found: readonly WebhookDeliveryDocument[]) {
    const capacity = new Map<string, number>();
    const [taken, left]: [WebhookDeliveryDocument[], WebhookDeliveryDocument[]] = [[], []];
    for (const each of found) {
      const rest = capacity.get(each.endpointId) ?? this.worker.capacity(each.endpointId, 'backlog');
      capacity.set(each.endpointId, rest - 1);
      (rest > 0 ? taken : left).push(each);
    }
    return { taken, left };
  }
}

// One that was tried waits for its receiver, and no replica would send it sooner.
const untriedSince = ({ tries, createdAt, updatedAt = createdAt }: ParkedDelivery): Date | null =>
  tries === 0 ? updatedAt : null;

const earlierOf = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other);
