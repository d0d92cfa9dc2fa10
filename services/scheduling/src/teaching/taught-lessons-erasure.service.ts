import { Injectable } from '@nestjs/common';
import { ErasureTurns } from '@swim/mongo';
import { Clock, type RequestContext } from '@swim/platform';
import { LessonsRepository } from '../lessons/lessons.repository.js';
import { LessonCancellationService } from './lesson-cancellation.service.js';

const BATCH = 50;
const SAID = { notify_participants: true, refund_as: 'payment_method' } as const;

/** Erases the lessons that a school gives: those to come are cancelled in its name, and the public sees none any more. */
@Injectable()
export class TaughtLessonsErasure {
  constructor(
    private readonly lessons: LessonsRepository,
    private readonly cancellations: LessonCancellationService,
    private readonly turns: ErasureTurns,
    private readonly clock: Clock,
  ) {}

  /**
   * Erases as much as the deadline permits; returns whether nothing is left. With an instant, it is a reset of what was made before
   * that, and nobody gets an e-mail. Idempotent.
   */
  async erase(schoolId: string, context: RequestContext, madeBefore?: Date): Promise<boolean> {
    const which = madeBefore ? { madeBefore } : { after: this.clock.now() };
    const said = { ...SAID, notify_participants: madeBefore === undefined };
    const isDone = await this.turns.take(
      {
        find: () => this.lessons.findIdsOpen(schoolId, which, BATCH),
        erase: (id, work) => this.cancellations.cancelOne(id, said, work),
      },
      context,
    );
    if (isDone) await this.lessons.hide(schoolId, madeBefore);
    return isDone;
  }
}
