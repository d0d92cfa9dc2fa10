import { Inject, Injectable } from '@nestjs/common';
import { closureCreated } from '@swim/contracts';
import { Saga, WhenDue } from '@swim/mongo';
import { AppError, inTurns } from '@swim/platform';
import type { ClosureDocument } from '../calendar/closed/closure.schema.js';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { LessonsRepository } from '../lessons/lessons.repository.js';
import { contextOfPlan } from '../lessons/plan-context.js';
import { LessonReadingService } from '../sessions/reading/lesson-reading.service.js';
import { LessonCancellationService } from '../teaching/lesson-cancellation.service.js';
import { OffersService } from '../waitlist/offers.service.js';
import { ClosedLessonsService, isClosed } from './closed-lessons.service.js';
import { ClosuresRepository } from './closures.repository.js';

export const FIRST_STEP = 'close';
const REMOVAL_STEP = 'reopen';
// A confirmed claim stores its lesson within milliseconds; after a crash recovery does within seconds.
const SETTLING_MS = 7_000;
const AGAIN_MS = 50;
const BATCH = 50;
const AT_ONCE = 4;
// Less than the lease of the work.
const TURN_MS = 20_000;

/**
 * The work on closures. The time is closed, and every claim in it that is not confirmed has ended, before the request is answered; the
 * lessons are cancelled afterwards, each once.
 */
@Injectable()
export class ClosureSaga {
  private readonly closing: Saga<ClosureDocument>;
  private readonly removal: Saga<ClosureDocument>;

  @Inject(OffersService) private readonly offers!: OffersService;

  constructor(
    readonly closures: ClosuresRepository,
    private readonly closed: ClosedLessonsService,
    private readonly cancellations: LessonCancellationService,
    private readonly lessons: LessonsRepository,
    private readonly sessions: LessonReadingService,
  ) {
    const closing = [
      { name: FIRST_STEP, run: (closure: ClosureDocument) => this.close(closure) },
      { name: 'settle', run: (closure: ClosureDocument) => this.settle(closure) },
      {
        name: 'cancel',
        afterMs: 1,
        run: (closure: ClosureDocument) => this.cancel(closure),
      },
    ];
    this.closing = new Saga(closures.unfinished, closing, { againMs: AGAIN_MS });
    this.removal = new Saga(closures.unfinished, [
      { name: REMOVAL_STEP, run: (closure) => this.reopen(closure) },
      { name: 'offer', afterMs: 1, run: (closure) => this.offer(closure) },
    ]);
  }

  /** Closes the time of a stored closure, and returns it as it is then. Throws `busy_retry` when that takes too long. */
  async begin(closure: ClosureDocument): Promise<ClosureDocument> {
    if (closure.status === 'closing') await this.closing.goOn(closure, SETTLING_MS);
    const now = await this.closures.findAny(closure._id);
    if (!now || now.status === 'closing') throw new AppError('busy_retry', { retryAfterSeconds: 1 });
    return now;
  }

  /** Gives the time of a removed closure back. */
  beginRemoval(closure: ClosureDocument): Promise<void> {
    return this.removal.goOn(closure);
  }

  get removalStep(): string {
    return REMOVAL_STEP;
  }

  @WhenDue(({ closures }: ClosureSaga) => closures.unfinished)
  goOn(closure: ClosureDocument): Promise<void> {
    return (closure.status === 'removed' ? this.removal : this.closing).goOn(closure);
  }

  private async close(closure: ClosureDocument): Promise<boolean> {
    await this.closed.close(closure);
    return true;
  }

  private async settle(closure: ClosureDocument): Promise<boolean> {
    if (!(await this.closed.settle(closure))) return false;
    const found = await this.closed.find(closure);
    const sessions = found.reduce((sum, each) => sum + each.sessions.length, 0);
    await this.closures.markClosed(closure, { lessons: found.length, sessions }, closureCreated);
    return true;
  }

  /** Cancels the lessons batch by batch; the batch is stored first, so that its sessions are counted once. */
  private async cancel(closure: ClosureDocument): Promise<boolean> {
    for (const endsAtMs = performance.now() + TURN_MS; performance.now() < endsAtMs; ) {
      if (closure.batch.length === 0) {
        if (closure.keepsLessons) break;
        const batch = (await this.closed.find(closure)).slice(0, BATCH).map(({ lesson }) => lesson._id);
        if (batch.length === 0) break;
        if (!(await this.closures.unfinished.renew(closure, { batch }))) return false;
      }
      if (!(await this.cancelBatch(closure))) return false;
    }
    if (closure.batch.length > 0 || !(await this.isOver(closure))) return false;
    await this.closures.markDone(closure);
    return true;
  }

  private async isOver(closure: ClosureDocument): Promise<boolean> {
    if (closure.keepsLessons) return true;
    return (await this.closed.settle(closure)) && (await this.closed.find(closure)).length === 0;
  }

  /** Cancels a batch of lessons; false while sessions of them are left. */
  private async cancelBatch(closure: ClosureDocument): Promise<boolean> {
    const { batch, accountId } = closure;
    // The events of a closure name it as their request. No e-mail follows from them: one about all is sent at its end.
    const context = contextOfPlan({ ...closure.cause, requestId: closure._id, isQuiet: true });
    const said = { reason: closure.reason, notify_participants: closure.notify, refund_as: closure.refundAs };
    // The school may have moved a lesson out of the closed time since the batch was stored.
    const by = { closureId: closure._id, concerns: (now: LessonDocument) => isClosed(now, closure) };
    await inTurns(batch, AT_ONCE, async (lessonId) => {
      await this.cancellations.cancelOne(lessonId, said, context, by).catch((error) => {
        // It was completed meanwhile.
        if (!(error instanceof AppError) || error.reason !== 'invalid_state') throw error;
      });
    });
    const lessons = await this.lessons.findAll(batch);
    if (lessons.some(({ ending }) => ending)) return false;
    const cancelled = closure.cancelled + (await this.sessions.countCancelledBy(batch, accountId, closure.createdAt));
    return this.closures.unfinished.renew(closure, { batch: [], cancelled });
  }

  private async reopen(closure: ClosureDocument): Promise<boolean> {
    await this.closed.reopen(closure);
    return true;
  }

  private async offer({ _id, accountId, instructorIds, poolIds }: ClosureDocument): Promise<boolean> {
    for (const instructorId of instructorIds) await this.offers.offerFree({ instructorId });
    if (poolIds.length > 0) await this.offers.offerFree({ schoolId: accountId });
    await this.closures.removeReopened(_id);
    return true;
  }
}
