import { Module } from '@nestjs/common';
import { BackgroundWorkService } from './background-work.service.js';
import { CalendarService } from './calendar.service.js';
import { ClaimsRepository } from './claims.repository.js';
import { ClosureReasonsRepository } from './closed/closure-reasons.repository.js';
import { DayLocksService } from './day-locks.service.js';
import { DaysRepository } from './days.repository.js';
import { PlacesRepository } from './places/places.repository.js';
import { ReleasedTimeService } from './released-time.service.js';
import { VacatedTimeService } from './vacated-time.service.js';

/** Exclusive time of instructors, members and pool lanes. */
@Module({
  providers: [
    CalendarService,
    ReleasedTimeService,
    VacatedTimeService,
    BackgroundWorkService,
    DayLocksService,
    ClaimsRepository,
    DaysRepository,
    PlacesRepository,
    ClosureReasonsRepository,
  ],
  exports: [ClosureReasonsRepository, CalendarService, ReleasedTimeService, VacatedTimeService, BackgroundWorkService],
})
export class CalendarModule {}
