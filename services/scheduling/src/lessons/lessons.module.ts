import { Module } from '@nestjs/common';
import { LessonsRepository } from './lessons.repository.js';

/** Storage of lessons. */
@Module({ providers: [LessonsRepository], exports: [LessonsRepository] })
export class LessonsModule {}
