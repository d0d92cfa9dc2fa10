import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { SlotsModule } from '../slots/slots.module.js';
import { BookableLessonsRepository } from './bookable-lessons.repository.js';
import { ClassPlacesRepository } from './classes/class-places.repository.js';
import { ClassPlacesService } from './classes/class-places.service.js';
import { ClassesRepository } from './classes/classes.repository.js';
import { LessonFulfilmentService } from './lesson-fulfilment.service.js';
import { LessonsRepository } from './lessons.repository.js';
import { OpenLessonsService } from './open-lessons.service.js';
import { PlaceConflictsService } from './place-conflicts.service.js';
import { PlaceRequestsService } from './place-requests.service.js';

/** Lessons and their places. */
@Module({
  imports: [CalendarModule, ParticipantsModule, PoolsModule, SlotsModule],
  providers: [
    OpenLessonsService,
    LessonsRepository,
    BookableLessonsRepository,
    ClassesRepository,
    ClassPlacesRepository,
    ClassPlacesService,
    LessonFulfilmentService,
    PlaceRequestsService,
    PlaceConflictsService,
  ],
  exports: [
    OpenLessonsService,
    LessonsRepository,
    BookableLessonsRepository,
    ClassesRepository,
    ClassPlacesService,
    LessonFulfilmentService,
    PlaceRequestsService,
    PlaceConflictsService,
  ],
})
export class LessonsModule {}
