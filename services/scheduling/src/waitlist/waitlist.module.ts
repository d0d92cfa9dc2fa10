import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { HoldsModule } from '../holds/holds.module.js';
import { LessonsModule } from '../lessons/lessons.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { LessonJoiningService } from './lesson-joining.service.js';
import { LessonLinesService } from './lesson-lines.service.js';
import { LessonOffersService } from './lesson-offers.service.js';
import { LineErasure } from './line-erasure.service.js';
import { LinesRepository } from './lines.repository.js';
import { OffersService } from './offers.service.js';
import { VacanciesService } from './vacancies.service.js';
import { WaitlistRepository } from './waitlist.repository.js';
import { WaitlistService } from './waitlist.service.js';
import { WaitlistSweep } from './waitlist-sweep.service.js';

/** Waitlist entries, and offers to them. */
@Module({
  imports: [CalendarModule, PoolsModule, ParticipantsModule, LessonsModule, HoldsModule],
  providers: [
    WaitlistService,
    LineErasure,
    OffersService,
    VacanciesService,
    WaitlistSweep,
    WaitlistRepository,
    LinesRepository,
    LessonLinesService,
    LessonOffersService,
    LessonJoiningService,
  ],
  exports: [WaitlistService, OffersService, LineErasure, VacanciesService, WaitlistSweep, LessonLinesService],
})
export class WaitlistModule {}
