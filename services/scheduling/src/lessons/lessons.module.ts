import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { LessonFulfilmentService } from './lesson-fulfilment.service.js';
import { LessonsRepository } from './lessons.repository.js';
import { OpenLessonsService } from './open-lessons.service.js';

/** Lessons and their places. */
@Module({
  imports: [CalendarModule, PoolsModule],
  providers: [OpenLessonsService, LessonsRepository, LessonFulfilmentService],
  exports: [OpenLessonsService, LessonsRepository, LessonFulfilmentService],
})
export class LessonsModule {}
