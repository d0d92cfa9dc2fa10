import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { LessonFulfilmentService } from './lesson-fulfilment.service.js';
import { LessonsRepository } from './lessons.repository.js';

/** Lessons and their places. */
@Module({
  imports: [CalendarModule],
  providers: [LessonsRepository, LessonFulfilmentService],
  exports: [LessonsRepository, LessonFulfilmentService],
})
export class LessonsModule {}
