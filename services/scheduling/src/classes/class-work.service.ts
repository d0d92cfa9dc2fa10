import { Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import type { ClassDocument } from '../lessons/classes/class.schema.js';
import { ClassesRepository } from '../lessons/classes/classes.repository.js';
import { ClassOpeningService } from './class-opening.service.js';
import { LessonFollowingService } from './lesson-following.service.js';

/** Goes on with the lessons of classes where a run has stopped. */
@Injectable()
export class ClassWorkService {
  constructor(
    readonly classes: ClassesRepository,
    private readonly opening: ClassOpeningService,
    private readonly following: LessonFollowingService,
  ) {}

  @WhenDue(({ classes }: ClassWorkService) => classes.unfinished)
  async goOn(document: ClassDocument): Promise<void> {
    const { work } = document;
    if (work?.kind === 'open') await this.opening.carryOut(document, work);
    else if (work) await this.following.carryOut(document, work);
  }
}
