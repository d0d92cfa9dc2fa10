import { Module } from '@nestjs/common';
import { LessonsModule } from '../lessons/lessons.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { ClassesService } from './classes.service.js';

/** Classes: courses of lessons in which children enroll. */
@Module({
  imports: [LessonsModule, ParticipantsModule],
  providers: [ClassesService],
})
export class ClassesModule {}
