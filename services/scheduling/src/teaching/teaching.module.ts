import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { HoldsModule } from '../holds/holds.module.js';
import { LessonsModule } from '../lessons/lessons.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SlotsModule } from '../slots/slots.module.js';
import { WaitlistModule } from '../waitlist/waitlist.module.js';
import { LessonCancellationService } from './lesson-cancellation.service.js';
import { LessonChangeService } from './lesson-change.service.js';
import { LessonCompletionService } from './lesson-completion.service.js';
import { LessonMakingService } from './lesson-making.service.js';
import { OpenPlacesService } from './open-places.service.js';
import { SubstitutionWorkService } from './substitution-work.service.js';
import { SubstitutionsRepository } from './substitutions.repository.js';
import { SubstitutionsService } from './substitutions.service.js';
import { TaughtLessonsErasure } from './taught-lessons-erasure.service.js';

/** Lessons that families share: use cases over lessons, their places and their sessions. */
@Module({
  imports: [
    CalendarModule,
    LessonsModule,
    SlotsModule,
    ParticipantsModule,
    SessionsModule,
    HoldsModule,
    WaitlistModule,
  ],
  providers: [
    LessonMakingService,
    SubstitutionsService,
    SubstitutionWorkService,
    SubstitutionsRepository,
    LessonChangeService,
    LessonCancellationService,
    LessonCompletionService,
    OpenPlacesService,
    TaughtLessonsErasure,
  ],
  exports: [
    LessonCancellationService,
    LessonChangeService,
    LessonCompletionService,
    OpenPlacesService,
    TaughtLessonsErasure,
  ],
})
export class TeachingModule {}
