import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { LessonsModule } from '../lessons/lessons.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SlotsModule } from '../slots/slots.module.js';
import { LessonMakingService } from './lesson-making.service.js';

/** Lessons that families share: use cases over lessons, their places and their sessions. */
@Module({
  imports: [CalendarModule, LessonsModule, SlotsModule, ParticipantsModule, SessionsModule],
  providers: [LessonMakingService],
})
export class TeachingModule {}
