import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { HoldsModule } from '../holds/holds.module.js';
import { LessonsModule } from '../lessons/lessons.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { ClassLinesService } from './class-lines.service.js';
import { LessonLinesService } from './lesson-lines.service.js';
import { LineErasure } from './line-erasure.service.js';
import { LineJoiningService } from './line-joining.service.js';
import { OffersService } from './offers.service.js';
import { PlaceOffersService } from './place-offers.service.js';
import { ClassLinesRepository } from './storage/class-lines.repository.js';
import { LinesRepository } from './storage/lines.repository.js';
import { WaitlistRepository } from './storage/waitlist.repository.js';
import { UnconnectedEntries } from './unconnected-entries.service.js';
import { VacanciesService } from './vacancies.service.js';
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
    ClassLinesRepository,
    LessonLinesService,
    ClassLinesService,
    PlaceOffersService,
    LineJoiningService,
    UnconnectedEntries,
  ],
  exports: [
    WaitlistService,
    OffersService,
    LineErasure,
    VacanciesService,
    WaitlistSweep,
    LessonLinesService,
    ClassLinesService,
  ],
})
export class WaitlistModule {}
