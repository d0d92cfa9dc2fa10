import { Module } from '@nestjs/common';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { EventsRepository } from './events.repository.js';
import { EventsService } from './events.service.js';
import { EventStorageService } from './incoming/event-storage.service.js';
import { IncomingEventsService } from './incoming/incoming-events.service.js';
import { WaitingEventsRepository } from './incoming/waiting-events.repository.js';
import { WaitingEventsService } from './incoming/waiting-events.service.js';
import { NumberingService } from './numbering.service.js';
import { PassedObjectsRepository } from './removed/passed-objects.repository.js';
import { PurgedAccountsRepository } from './removed/purged-accounts.repository.js';
import { RetentionService } from './retention.service.js';
import { StoredEventsService } from './stored-events.service.js';

/** Events of accounts: storing in order, listing, purging and erasing. */
@Module({
  imports: [WebhookEndpointsModule],
  providers: [
    EventsService,
    EventStorageService,
    StoredEventsService,
    WaitingEventsService,
    IncomingEventsService,
    NumberingService,
    RetentionService,
    EventsRepository,
    PassedObjectsRepository,
    PurgedAccountsRepository,
    WaitingEventsRepository,
  ],
  exports: [StoredEventsService, EventsRepository, PassedObjectsRepository, PurgedAccountsRepository],
})
export class EventsModule {}
