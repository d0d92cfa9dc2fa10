import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { SlotsService } from './slots.service.js';
import { SuggestionsService } from './suggestions.service.js';

/** Claims on the time of lessons, and other times to suggest. */
@Module({
  imports: [CalendarModule, PoolsModule],
  providers: [SlotsService, SuggestionsService],
  exports: [SlotsService, SuggestionsService],
})
export class SlotsModule {}
