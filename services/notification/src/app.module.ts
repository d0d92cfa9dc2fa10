import { Module } from '@nestjs/common';
import { MongoModule } from '@swim/mongo';
import { config } from './config.js';
import { EventsController } from './events/events.controller.js';
import { EventsRepository } from './events/events.repository.js';
import { EventsService } from './events/events.service.js';
import { NumberingService } from './events/numbering.service.js';
import { PassedObjectsRepository } from './events/passed-objects.repository.js';
import { RetentionService } from './events/retention.service.js';

@Module({
  imports: [MongoModule.forService(config)],
  controllers: [EventsController],
  providers: [EventsService, NumberingService, RetentionService, EventsRepository, PassedObjectsRepository],
})
export class AppModule {}
