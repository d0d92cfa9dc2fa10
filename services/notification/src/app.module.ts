import { Module } from '@nestjs/common';
import { MongoModule } from '@swim/mongo';
import { config } from './config.js';
import { AccountErasureController } from './events/account-erasure.controller.js';
import { AccountErasureService } from './events/account-erasure.service.js';
import { EventsController } from './events/events.controller.js';
import { EventsRepository } from './events/events.repository.js';
import { EventsService } from './events/events.service.js';
import { FreeTextMigration } from './events/free-text.migration.js';
import { IncomingEventsService } from './events/incoming-events.service.js';
import { NumberingService } from './events/numbering.service.js';
import { OverdueEventsService } from './events/overdue-events.service.js';
import { PassedObjectsRepository } from './events/passed-objects.repository.js';
import { PurgedAccountsRepository } from './events/purged-accounts.repository.js';
import { RetentionService } from './events/retention.service.js';
import { WaitingEventsRepository } from './events/waiting-events.repository.js';
import { StreamCareService } from './streams/stream-care.service.js';
import { StreamsController } from './streams/streams.controller.js';

@Module({
  imports: [MongoModule.forService(config)],
  controllers: [EventsController, AccountErasureController, StreamsController],
  providers: [
    EventsService,
    AccountErasureService,
    IncomingEventsService,
    NumberingService,
    OverdueEventsService,
    RetentionService,
    EventsRepository,
    PassedObjectsRepository,
    PurgedAccountsRepository,
    WaitingEventsRepository,
    FreeTextMigration,
    StreamCareService,
  ],
})
export class AppModule {}
