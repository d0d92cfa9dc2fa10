import { Module } from '@nestjs/common';
import { HoldsModule } from '../holds/holds.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { CalendarTokensRepository } from './calendar-tokens.repository.js';
import { CalendarTokensService } from './calendar-tokens.service.js';
import { FeedsController } from './feeds.controller.js';
import { FeedsService } from './feeds.service.js';

/** Calendar feeds of instructors and members, and their tokens. */
@Module({
  imports: [HoldsModule, ParticipantsModule, PoolsModule, SessionsModule],
  controllers: [FeedsController],
  providers: [FeedsService, CalendarTokensService, CalendarTokensRepository],
  exports: [CalendarTokensService],
})
export class FeedsModule {}
