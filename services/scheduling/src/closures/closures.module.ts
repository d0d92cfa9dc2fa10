import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { LessonsModule } from '../lessons/lessons.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TeachingModule } from '../teaching/teaching.module.js';
import { WaitlistModule } from '../waitlist/waitlist.module.js';
import { ClosedLessonsService } from './closed-lessons.service.js';
import { ClosureSaga } from './closure-saga.service.js';
import { ClosuresRepository } from './closures.repository.js';
import { ClosuresService } from './closures.service.js';

/** Time in which a school gives no lessons. */
@Module({
  imports: [
    CalendarModule,
    LessonsModule,
    ParticipantsModule,
    PoolsModule,
    SessionsModule,
    TeachingModule,
    WaitlistModule,
  ],
  providers: [ClosuresService, ClosureSaga, ClosedLessonsService, ClosuresRepository],
})
export class ClosuresModule {}
