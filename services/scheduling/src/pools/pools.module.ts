import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { PoolRemovalService } from './pool-removal.service.js';
import { PoolsRepository } from './pools.repository.js';
import { PoolsService } from './pools.service.js';

/** Pools of schools. */
@Module({
  imports: [CalendarModule],
  providers: [PoolsService, PoolRemovalService, PoolsRepository],
  exports: [PoolsService],
})
export class PoolsModule {}
