import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import { AppError, type Deadline, inTurns, type RequestContext, sharedClock } from '@swim/platform';
import { contextOfPlan } from '../lessons/plan-context.js';
import { LessonChangeService } from './lesson-change.service.js';
import type { SubstitutionDocument } from './substitution.schema.js';
import { SubstitutionsRepository } from './substitutions.repository.js';

const BATCH = 20;
const AT_ONCE = 4;
const LOOK_MS = 50;

/** Hands the lessons of substitutions over, each as a change of that lesson. */
@Injectable()
export class SubstitutionWorkService {
  constructor(
    readonly substitutions: SubstitutionsRepository,
    private readonly changes: LessonChangeService,
  ) {}

  /** Hands over what is left, batch by batch; the outcome of a batch is stored before the next one begins. */
  @WhenDue(({ substitutions }: SubstitutionWorkService) => substitutions.unfinished)
  async handOver(item: SubstitutionDocument): Promise<void> {
    const { unfinished } = this.substitutions;
    for (let left = item.left; left.length > 0; left = item.left) {
      const progress = await this.handOverBatch(item, left.slice(0, BATCH));
      if (!(await unfinished.renew(item, { ...progress, left: left.slice(BATCH) }))) return;
    }
    await unfinished.end(item, { endedAt: sharedClock.now() });
  }

  /** The substitution once it has ended, by this run or another. Throws `busy_retry` when that takes too long. */
  async finish(id: string, deadline: Deadline): Promise<SubstitutionDocument> {
    const { unfinished } = this.substitutions;
    while (!deadline.expired) {
      const now = await this.substitutions.find(id);
      // A reset of the account has removed it.
      if (!now) break;
      if (now.endedAt) return now;
      const isDue = now.dueAt !== null && now.dueAt <= sharedClock.now();
      const taken = isDue ? await unfinished.take(now) : null;
      if (taken) await unfinished.handle(taken, (item) => this.handOver(item));
      else await pause(LOOK_MS);
    }
    throw new AppError('busy_retry', { retryAfterSeconds: 1 });
  }

  private async handOverBatch(
    item: SubstitutionDocument,
    batch: readonly string[],
  ): Promise<Pick<SubstitutionDocument, 'moved' | 'skipped'>> {
    // Each lesson notes this work: one that an earlier run has handed over stays as others have changed it since.
    const { _id, cause, attempt, ...former } = item;
    const work = { opId: _id, opSeed: _id, attempt, resumed: attempt > 1 };
    const context = { ...contextOfPlan(cause, 'school'), ...work };
    const reasons = new Map<string, string | null>();
    await inTurns(batch, AT_ONCE, async (lessonId) => {
      reasons.set(lessonId, await this.reasonAgainst(lessonId, item, context));
    });
    const skipped = batch.flatMap((lesson_id) => {
      const reason = reasons.get(lesson_id);
      return reason ? [{ lesson_id, reason }] : [];
    });
    const moved = batch.filter((id) => !reasons.get(id));
    return { moved: [...former.moved, ...moved], skipped: [...former.skipped, ...skipped] };
  }

  /** Hands a lesson over; why that is not possible, or null. Throws what says nothing about the lesson. */
  private async reasonAgainst(
    lessonId: string,
    { substituteId, ...taught }: SubstitutionDocument,
    context: RequestContext,
  ): Promise<string | null> {
    try {
      await this.changes.handOver(lessonId, substituteId, taught, context);
      return null;
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'SERVER_ERROR') throw error;
      return error.reason;
    }
  }
}
