import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { AvailabilityService } from './availability.service.js';
import { FreeInstructorsService } from './free-instructors.service.js';
import { ListedAvailabilityService } from './listed-availability.service.js';
import { TakenTimeService } from './taken-time.service.js';

/** Availability of one instructor or of many, and the search for free instructors. */
@Module({
  imports: [CalendarModule, ParticipantsModule, PoolsModule],
  providers: [AvailabilityService, FreeInstructorsService, ListedAvailabilityService, TakenTimeService],
})
export class AvailabilityModule {}
