import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { DeliveryClaimsService } from './delivery-claims.service.js';
import { DeliveryClockService } from './delivery-clock.service.js';
import { DeliveryClocksRepository } from './delivery-clocks.repository.js';
import { DeliveryResultsService } from './delivery-results.service.js';
import { DeliveryRetentionService } from './delivery-retention.service.js';
import { DeliveryWorkerService } from './delivery-worker.service.js';
import { NewDeliveriesService } from './new-deliveries.service.js';
import { ReplaysService } from './replays.service.js';
import { TryLeasesService } from './try-leases.service.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookSenderService } from './webhook-sender.service.js';

/** Deliveries of events to webhook endpoints: storing, sending, retrying, replaying and listing. */
@Module({
  imports: [EventsModule, WebhookEndpointsModule],
  providers: [
    WebhookDeliveriesService,
    NewDeliveriesService,
    DeliveryClaimsService,
    DeliveryClockService,
    DeliveryWorkerService,
    DeliveryResultsService,
    DeliveryRetentionService,
    ReplaysService,
    TryLeasesService,
    WebhookSenderService,
    WebhookDeliveriesRepository,
    DeliveryClocksRepository,
  ],
})
export class WebhookDeliveriesModule {}
