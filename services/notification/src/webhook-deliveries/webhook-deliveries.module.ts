import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { DeliveryClaimsService } from './delivery-claims.service.js';
import { DeliveryRetentionService } from './delivery-retention.service.js';
import { NewDeliveriesService } from './new-deliveries.service.js';
import { ReplaysService } from './replays.service.js';
import { DeliveryResultsService } from './sending/delivery-results.service.js';
import { DeliveryWorkerService } from './sending/delivery-worker.service.js';
import { TryLeasesService } from './sending/try-leases.service.js';
import { WebhookSenderService } from './sending/webhook-sender.service.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

/** Deliveries of events to webhook endpoints: storing, sending, retrying, replaying and listing. */
@Module({
  imports: [EventsModule, WebhookEndpointsModule],
  providers: [
    WebhookDeliveriesService,
    NewDeliveriesService,
    DeliveryClaimsService,
    DeliveryWorkerService,
    DeliveryResultsService,
    DeliveryRetentionService,
    ReplaysService,
    TryLeasesService,
    WebhookSenderService,
    WebhookDeliveriesRepository,
  ],
  exports: [DeliveryClaimsService],
})
export class WebhookDeliveriesModule {}
