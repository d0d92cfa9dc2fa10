import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { UsageRepository } from './usage.repository.js';
import { UsageService } from './usage.service.js';

/** How many requests the keys of accounts made, by the hour, as gateways have counted them. */
@Module({
  imports: [EventsModule],
  providers: [UsageService, UsageRepository],
})
export class UsageModule {}
