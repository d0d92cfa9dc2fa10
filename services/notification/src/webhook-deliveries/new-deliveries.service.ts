import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sharedClock } from '@swim/platform';
import { type AnnouncedEvent, StoredEventsService } from '../events/stored-events.service.js';
import { type ReceivingEndpoint, WebhookTargetsService } from '../webhook-endpoints/webhook-targets.service.js';
import { newDelivery } from './delivery.mapper.js';
import { countBy, isPaired } from './delivery.rules.js';
import { DeliveryWorkerService } from './sending/delivery-worker.service.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import type { WebhookDeliveryDocument } from './webhook-delivery.schema.js';

/**
 * Stores a delivery for each endpoint that receives an event, before the event is acknowledged. What this replica has
 * capacity for it claims in the same write and sends at once; the rest is parked.
 */
@Injectable()
export class NewDeliveriesService implements OnModuleInit {
  constructor(
    private readonly events: StoredEventsService,
    private readonly targets: WebhookTargetsService,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly worker: DeliveryWorkerService,
  ) {}

  onModuleInit(): void {
    this.events.listen((events) => this.store(events));
  }

  private async store(events: readonly AnnouncedEvent[]): Promise<void> {
    const endpoints = await this.targets.findReceiving([...new Set(events.map(({ account }) => account))]);
    if (endpoints.length === 0) return;
    const pairs = pairsOf(
      events,
      Map.groupBy(endpoints, ({ accountId }) => accountId),
    );
    if (pairs.length === 0) return;
    await this.worker.prepare(countBy(pairs.map(({ endpointId }) => endpointId)));
    const documents = this.documentsOf(pairs);
    const inserted = await this.deliveries.insertNew(documents);
    // A duplicate belongs to a replica that has claimed it, or waits.
    await this.worker.enqueue(documents.filter(({ _id, claim }) => claim !== undefined && inserted.has(_id)));
  }

  private documentsOf(pairs: readonly Pair[]): WebhookDeliveryDocument[] {
    const claim = this.worker.newClaim();
    const capacity = new Map<string, number>();
    const now = sharedClock.now();
    return pairs.map(({ event, endpointId }) => {
      const left = capacity.get(endpointId) ?? this.worker.capacity(endpointId);
      capacity.set(endpointId, left - 1);
      const state = left > 0 ? { dueAt: claim.until, claim: claim.token } : { parked: true as const };
      return { ...newDelivery(event, endpointId, now), ...state };
    });
  }
}

/** An event, and an endpoint that receives it. */
interface Pair {
  event: AnnouncedEvent;
  endpointId: string;
}

const pairsOf = (events: readonly AnnouncedEvent[], endpoints: ReadonlyMap<string, ReceivingEndpoint[]>): Pair[] =>
  events.flatMap((event) =>
    (endpoints.get(event.account) ?? [])
      .filter((endpoint) => isPaired(endpoint, event))
      .map(({ _id: endpointId }) => ({ event, endpointId })),
  );
