import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { WebhookDeliveriesModule } from '../webhook-deliveries/webhook-deliveries.module.js';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { AccountErasureService } from './account-erasure.service.js';
import { AccountResetService } from './account-reset.service.js';
import { DeliveryClockService } from './delivery-clock.service.js';
import { DeliveryClocksRepository } from './delivery-clocks.repository.js';

/** What happens to an account as a whole: erasure, and in the sandbox clock and reset. */
@Module({
  imports: [EventsModule, WebhookDeliveriesModule, WebhookEndpointsModule],
  providers: [AccountErasureService, AccountResetService, DeliveryClockService, DeliveryClocksRepository],
})
export class LifecycleModule {}
