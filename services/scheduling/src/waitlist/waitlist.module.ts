import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { HoldsModule } from '../holds/holds.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { LineErasure } from './line-erasure.service.js';
import { OffersService } from './offers.service.js';
import { VacanciesService } from './vacancies.service.js';
import { WaitlistRepository } from './waitlist.repository.js';
import { WaitlistService } from './waitlist.service.js';
import { WaitlistSweep } from './waitlist-sweep.service.js';

/** Waitlist entries, and offers to them. */
@Module({
  imports: [CalendarModule, PoolsModule, ParticipantsModule, HoldsModule],
  providers: [WaitlistService, LineErasure, OffersService, VacanciesService, WaitlistSweep, WaitlistRepository],
  exports: [WaitlistService, OffersService, LineErasure, VacanciesService, WaitlistSweep],
})
export class WaitlistModule {}
