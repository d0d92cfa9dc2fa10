import { Inject, Injectable } from '@nestjs/common';
import type { LessonChangesOfClass } from '@swim/contracts';
import { FreeTexts } from '@swim/mongo';
import { AppError, inTurns, type RequestContext } from '@swim/platform';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { changesFor } from '../lessons/classes/class.rules.js';
import type { ClassDocument, ClassWork } from '../lessons/classes/class.schema.js';
import { ClassPlacesService } from '../lessons/classes/class-places.service.js';
import { ClassesRepository } from '../lessons/classes/classes.repository.js';
import { contextOfPlan } from '../lessons/plan-context.js';
import { LessonCancellationService } from '../teaching/lesson-cancellation.service.js';
import { LessonChangeService } from '../teaching/lesson-change.service.js';
import { ClassMakingService, datesOf, type MadeLessons } from './class-making.service.js';

const AT_ONCE = 4;
const NONE: MadeLessons = { made: [], leftOut: [] };

type Skipped = LessonChangesOfClass['skipped'];

/** What a work does with the lessons of its class: each is changed or cancelled, and dates are added. */
interface Following {
  dropped: LessonDocument[];
  kept: { lesson: LessonDocument; changes: ReturnType<typeof changesFor> }[];
  added: ReturnType<typeof datesOf>;
}

/** Has the lessons to come of a class follow a change of it, or its end, one by one. */
@Injectable()
export class LessonFollowingService {
  @Inject(FreeTexts) private readonly texts!: FreeTexts;

  constructor(
    private readonly classes: ClassesRepository,
    private readonly lessons: ClassPlacesService,
    private readonly making: ClassMakingService,
    private readonly changes: LessonChangeService,
    private readonly cancellations: LessonCancellationService,
  ) {}

  /** Idempotent: a lesson records the work that has changed it. */
  async carryOut(document: ClassDocument, work: ClassWork): Promise<void> {
    const context = contextOfPlan(work.cause, 'school');
    const { dropped, kept, added } = await this.plan(document, work);
    const reason = await this.opened(document, work);
    const said = {
      reason,
      notify_participants: !work.cause.isQuiet,
      refund_as: work.refundAs ?? 'payment_method',
    } as const;
    await inTurns(dropped, AT_ONCE, (lesson) => this.cancel(lesson._id, said, work, context));
    const skipped: Skipped = [];
    await inTurns(kept, AT_ONCE, async ({ lesson, changes }) => {
      if (lesson.classSeed === work.seed) return;
      const against = await this.reasonAgainst(lesson, changes, work, context);
      if (against) skipped.push(skippedOf(lesson, against));
    });
    const { made, leftOut } = await this.make(document, work, added, context);
    const now = (await this.lessons.lessonsOf(document._id)).filter(({ classSeed }) => classSeed === work.seed);
    await this.classes.finish(document, {
      ...{ seed: work.seed, kind: work.kind },
      changes: {
        changed: now.filter(({ status }) => status !== 'cancelled').map(({ _id }) => _id),
        added: made.map(({ id }) => id),
        cancelled: now.filter(({ status }) => status === 'cancelled').map(({ _id }) => _id),
        skipped: inOrder([...skipped, ...leftOut.map(dateOf)]),
      },
    });
  }

  /** What `carryOut` would do now. */
  async preview(document: ClassDocument, work: ClassWork, context: RequestContext): Promise<LessonChangesOfClass> {
    const { dropped, kept, added } = await this.plan(document, work);
    const skipped: Skipped = [];
    await inTurns(kept, AT_ONCE, async ({ lesson, changes }) => {
      const reason = await this.reasonAgainst(lesson, changes, work, context);
      if (reason) skipped.push(skippedOf(lesson, reason));
    });
    const { made, leftOut } = added.length === 0 ? NONE : await this.making.preview(document, work, added, context);
    const isSkipped = (id: string) => skipped.some(({ lesson_id }) => lesson_id === id);
    return {
      changed: kept.map(({ lesson }) => lesson._id).filter((id) => !isSkipped(id)),
      added: made.map(({ id }) => id),
      cancelled: dropped.map(({ _id }) => _id),
      skipped: inOrder([...skipped, ...leftOut.map(dateOf)]),
    };
  }

  private async plan(document: ClassDocument, { kind, from, before, fields = [] }: ClassWork): Promise<Following> {
    const toCome = await this.lessons.toCome(document._id);
    if (kind === 'close') return { dropped: toCome.filter(({ start }) => start >= from!), kept: [], added: [] };
    const [old, dates] = [datesOf(before!), datesOf(document)];
    const wasDate = new Set(old.map(({ date }) => date));
    const startOf = new Map(dates.map(({ date, startMs }) => [date, startMs]));
    const kept = toCome.flatMap((lesson) => {
      const startMs = startOf.get(lesson.classDate!);
      if (startMs === undefined) return [];
      const changes = changesFor(lesson, { ...document, start: new Date(startMs) }, fields);
      return Object.keys(changes).length === 0 ? [] : [{ lesson, changes }];
    });
    return {
      dropped: toCome.filter(({ classDate }) => wasDate.has(classDate!) && !startOf.has(classDate!)),
      kept,
      added: dates.filter(({ date }) => !wasDate.has(date)),
    };
  }

  private async cancel(
    id: string,
    said: Parameters<LessonCancellationService['cancelOne']>[1],
    { seed: classSeed }: ClassWork,
    context: RequestContext,
  ): Promise<void> {
    await this.cancellations.cancelOne(id, said, context, { classSeed }).catch((error) => {
      // It was completed meanwhile.
      if (!(error instanceof AppError) || error.reason !== 'invalid_state') throw error;
    });
  }

  /**
   * Changes a lesson as it was planned; why it cannot be changed, or null. Throws what says nothing about the lesson, and where the lesson
   * has changed since: a later work on the class, or the school, has decided, and the work is planned anew.
   */
  private async reasonAgainst(
    { _id, version }: LessonDocument,
    changes: ReturnType<typeof changesFor>,
    { seed, outsideHours }: ClassWork,
    context: RequestContext,
  ): Promise<string | null> {
    try {
      await this.changes.updateWithClass(_id, { ...changes, version, outside_hours: outsideHours }, seed, context);
      return null;
    } catch (error) {
      if (error instanceof AppError && error.reason === 'stale_version')
        throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      if (!(error instanceof AppError) || error.code === 'SERVER_ERROR' || error.reason === 'change_in_progress')
        throw error;
      return error.reason;
    }
  }

  private async make(
    document: ClassDocument,
    work: ClassWork,
    added: Following['added'],
    context: RequestContext,
  ): Promise<MadeLessons> {
    if (added.length === 0) return NONE;
    try {
      return await this.making.make(document, work, added, context);
    } catch (error) {
      // The instructor teaches no more, or the pool is gone.
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
      return { made: [], leftOut: added.map((each) => ({ ...each, reason: error.reason })) };
    }
  }

  /** What the school says of a close, as it is stored; null without a reason. */
  async sealed(reason: string | null | undefined, document: ClassDocument): Promise<string | null> {
    return (await this.texts.seal(reason ?? null, placeOf(document)))?.toString('base64') ?? null;
  }

  private opened(document: ClassDocument, { sealedReason }: ClassWork): Promise<string | null> {
    const bytes = sealedReason ? Buffer.from(sealedReason, 'base64') : null;
    return this.texts.open(bytes, placeOf(document));
  }
}

const placeOf = ({ _id: documentId, schoolId: id }: ClassDocument) => ({
  owner: { id, accountId: id },
  field: 'cancellation_reason',
  documentId,
});

const skippedOf = ({ _id, start }: LessonDocument, reason: string): Skipped[number] => ({
  lesson_id: _id,
  date: start.toISOString(),
  reason,
});

const dateOf = ({ startMs, reason }: MadeLessons['leftOut'][number]): Skipped[number] => ({
  lesson_id: null,
  date: new Date(startMs).toISOString(),
  reason,
});

const inOrder = (skipped: Skipped): Skipped => [...skipped].sort((a, b) => (a.date < b.date ? -1 : 1));
