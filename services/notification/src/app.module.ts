import { Module } from '@nestjs/common';
import { MongoModule } from '@swim/mongo';
import { COLLECTIONS } from './collections.js';
import { config } from './config.js';
import { EventStreamsModule } from './event-streams/event-streams.module.js';
import { EventsModule } from './events/events.module.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { RequestLogModule } from './request-log/request-log.module.js';
import { StreamsModule } from './streams/streams.module.js';
import { UsageModule } from './usage/usage.module.js';
import { WebhookDeliveriesModule } from './webhook-deliveries/webhook-deliveries.module.js';
import { WebhookEndpointsModule } from './webhook-endpoints/webhook-endpoints.module.js';

@Module({
  imports: [
    MongoModule.forService(config, COLLECTIONS),
    EventsModule,
    EventStreamsModule,
    StreamsModule,
    WebhookEndpointsModule,
    WebhookDeliveriesModule,
    MessagesModule,
    LifecycleModule,
    RequestLogModule,
    UsageModule,
  ],
})
export class AppModule {}
