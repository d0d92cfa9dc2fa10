import { Module } from '@nestjs/common';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { AccountErasureService } from './account-erasure.service.js';
import { AccountResetService } from './account-reset.service.js';
import { EventStorageService } from './event-storage.service.js';
import { EventsRepository } from './events.repository.js';
import { EventsService } from './events.service.js';
import { IncomingEventsService } from './incoming-events.service.js';
import { NumberingService } from './numbering.service.js';
import { PassedObjectsRepository } from './passed-objects.repository.js';
import { PurgedAccountsRepository } from './purged-accounts.repository.js';
import { RetentionService } from './retention.service.js';
import { StoredEventsService } from './stored-events.service.js';
import { WaitingEventsRepository } from './waiting-events.repository.js';
import { WaitingEventsService } from './waiting-events.service.js';

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
    AccountErasureService,
    AccountResetService,
    EventsRepository,
    PassedObjectsRepository,
    PurgedAccountsRepository,
    WaitingEventsRepository,
  ],
  exports: [StoredEventsService],
})
export class EventsModule {}
