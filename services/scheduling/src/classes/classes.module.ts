import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { HoldsModule } from '../holds/holds.module.js';
import { LessonsModule } from '../lessons/lessons.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SlotsModule } from '../slots/slots.module.js';
import { TeachingModule } from '../teaching/teaching.module.js';
import { ClassChangeService } from './class-change.service.js';
import { ClassEnrollingService } from './class-enrolling.service.js';
import { ClassMakingService } from './class-making.service.js';
import { ClassOpeningService } from './class-opening.service.js';
import { ClassWorkService } from './class-work.service.js';
import { ClassesService } from './classes.service.js';
import { LessonFollowingService } from './lesson-following.service.js';

/** Classes: courses of lessons in which children enroll. */
@Module({
  imports: [
    CalendarModule,
    HoldsModule,
    SessionsModule,
    LessonsModule,
    ParticipantsModule,
    SlotsModule,
    TeachingModule,
  ],
  providers: [
    ClassEnrollingService,
    ClassesService,
    ClassMakingService,
    ClassOpeningService,
    ClassChangeService,
    ClassWorkService,
    LessonFollowingService,
  ],
})
export class ClassesModule {}
