import { Injectable } from '@nestjs/common';
import { classOpened, openClass, type ParsedOf, type SwimClass } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { PUBLIC } from '@swim/mongo';
import { AppError, causeOf, invalidState, type RequestContext } from '@swim/platform';
import { toClass } from '../lessons/classes/class.mapper.js';
import { clockWarningsOf } from '../lessons/classes/class.rules.js';
import type { ClassDocument, ClassWork, LeftOutDate } from '../lessons/classes/class.schema.js';
import { ClassPlacesService, dueOf } from '../lessons/classes/class-places.service.js';
import { ClassesRepository } from '../lessons/classes/classes.repository.js';
import { contextOfPlan } from '../lessons/plan-context.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { schoolInstructor } from '../teaching/lesson-making.service.js';
import { ClassMakingService, datesOf, type MadeLessons } from './class-making.service.js';

/** Opens classes: makes the lessons of their dates, and shows them to everyone. */
@Injectable()
export class ClassOpeningService {
  constructor(
    private readonly classes: ClassesRepository,
    private readonly making: ClassMakingService,
    private readonly places: ClassPlacesService,
    private readonly participants: ParticipantResolverService,
  ) {}

  /** Opening an open class answers the same. */
  @Serve(openClass)
  async open({ class_id: id, outside_hours }: ParsedOf<typeof openClass>, context: RequestContext): Promise<SwimClass> {
    const own = await this.classes.getOwn(context, id);
    if (own.status === 'closed') throw invalidState('A closed class cannot be opened again', own.status);
    const work: ClassWork = {
      ...{ kind: 'open', seed: context.newId('lsn') },
      ...{ outsideHours: outside_hours, cause: causeOf(context) },
    };
    if (own.status === 'draft') {
      // Before anything is stored.
      await schoolInstructor(this.participants, own.instructorId, context);
      if (context.dryRun) return this.preview(own, work, context);
      const begun = await this.classes.begin(context, id, (now) => (now.status === 'draft' && !now.work ? work : null));
      if (begun?.work) await this.carryOut(begun, begun.work);
    }
    const now = await this.classes.getVisible(context, id);
    if (now.status === 'draft') throw noDates();
    return this.answer(now, now.leftOut ?? [], context);
  }

  /** Makes the lessons of a class that is being opened, and opens it. Idempotent. */
  async carryOut(document: ClassDocument, work: ClassWork): Promise<void> {
    const result = await this.makeLessons(document, work);
    if (result.made.length === 0) return this.classes.giveUp(document);
    await this.markOpen(document, result);
  }

  private async makeLessons(document: ClassDocument, work: ClassWork): Promise<MadeLessons> {
    try {
      return await this.making.make(document, work, datesOf(document), contextOfPlan(work.cause, 'school'));
    } catch (error) {
      // The instructor teaches no more, or the pool is gone: the class stays a draft.
      if (error instanceof AppError && error.code === 'VALIDATION_ERROR') await this.classes.giveUp(document);
      throw error;
    }
  }

  private async markOpen(document: ClassDocument, { made, leftOut }: MadeLessons): Promise<void> {
    const { _id, work, schoolId } = document;
    await this.classes.change(contextOfPlan(work!.cause, 'school'), _id, classOpened, (now) => {
      if (now.work?.seed !== work!.seed) return null;
      const places = { placesLeft: now.capacity, nextLessonAt: new Date(made[0]!.startMs) };
      return {
        ...{
          status: 'open',
          readers: [schoolId, PUBLIC],
          leftOut: leftOut.map(({ date, reason }) => ({ date, reason })),
        },
        ...{ ...places, countDueAt: dueOf(now, places), countRev: now.countRev + 1 },
        ...{ work: undefined, dueAt: null },
      };
    });
  }

  private async preview(document: ClassDocument, work: ClassWork, context: RequestContext): Promise<SwimClass> {
    const { made, leftOut } = await this.making.preview(document, work, datesOf(document), context);
    if (made.length === 0) throw noDates();
    warn(document, leftOut, context);
    const places = { placesLeft: document.capacity, nextLessonAt: new Date(made[0]!.startMs) };
    return toClass({ ...document, status: 'open', version: document.version + 1 }, places);
  }

  private async answer(document: ClassDocument, leftOut: LeftOutDate[], context: RequestContext): Promise<SwimClass> {
    warn(document, leftOut, context);
    return toClass(document, (await this.places.of([document])).get(document._id));
  }
}

const noDates = () => new AppError('no_dates', { field: 'recurrence' });

/** Says which dates have no lesson, and on which the clocks change. */
function warn(document: ClassDocument, leftOut: LeftOutDate[], { warnings }: RequestContext): void {
  warnings.push(...clockWarningsOf(document));
  warnings.push(...leftOut.map(({ date, reason }) => ({ code: 'date_left_out', date, reason })));
}
