import { Inject, Injectable } from '@nestjs/common';
import { cancelLesson, type Lesson, lessonCancelled, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { FreeTexts, WhenDue } from '@swim/mongo';
import { AppError, causeOf, invalidState, LOGGER, type Logger, type RequestContext, sharedClock } from '@swim/platform';
import { BackgroundWorkService } from '../calendar/background-work.service.js';
import type { Ending, LessonDocument } from '../calendar/places/lesson.schema.js';
import { LessonsRepository } from '../lessons/lessons.repository.js';
import { contextOfPlan } from '../lessons/plan-context.js';
import { CancellationService } from '../sessions/cancelling/cancellation.service.js';
import { LessonMovesService } from '../sessions/making/lesson-moves.service.js';
import { LessonReadingService, type LessonSession } from '../sessions/reading/lesson-reading.service.js';
import { VacanciesService } from '../waitlist/vacancies.service.js';
import { OpenPlacesService } from './open-places.service.js';

/** What a school says when it cancels a lesson. */
export type Cancelling = Omit<ParsedOf<typeof cancelLesson>, 'lesson_id'>;

/** The work on a closure or a class that cancels a lesson, and the lessons that this concerns: absent, all. */
interface Cancelled {
  closureId?: string;
  classSeed?: string;
  concerns?: (now: LessonDocument) => boolean;
}

// Well after the end of the request.
const RECOVER_MS = 3_000;
const AGAIN_MS = 1_000;
// The waitlist comes first, but not forever: the time of a cancelled lesson must become free.
const OFFERING_MS = 60_000;

/** Cancels lessons: first the document of the lesson, which takes no places from then on; then its sessions and its time. */
@Injectable()
export class LessonCancellationService {
  @Inject(LOGGER) private readonly logger!: Logger;
  @Inject(BackgroundWorkService) private readonly background!: BackgroundWorkService;
  @Inject(LessonMovesService) private readonly moves!: LessonMovesService;
  @Inject(FreeTexts) private readonly texts!: FreeTexts;

  constructor(
    readonly lessons: LessonsRepository,
    private readonly reading: LessonReadingService,
    private readonly cancellations: CancellationService,
    private readonly openPlaces: OpenPlacesService,
    private readonly vacancies: VacanciesService,
  ) {}

  /** Idempotent; a completed lesson is `invalid_state`. */
  @Serve(cancelLesson)
  async cancel({ lesson_id, ...said }: ParsedOf<typeof cancelLesson>, context: RequestContext): Promise<Lesson> {
    const lesson = await this.lessons.getVisible(context, lesson_id);
    requireSchool(lesson, context);
    const toCancel = isOpen(lesson) ? (await this.reading.findScheduledIn(lesson_id)).filter(isCancellable) : [];
    if (said.refund_as === 'credit') requireCredits(toCancel);
    if (!context.dryRun) return this.reading.answer(await this.cancelOne(lesson_id, said, context), context);
    const answer = await this.reading.answer(lesson, context);
    if (!isOpen(lesson)) return answer;
    const ids = new Set(toCancel.map(({ _id }) => _id));
    const sessions = answer.sessions.map((each) =>
      ids.has(each.id) ? { ...each, status: 'cancelled' as const } : each,
    );
    return { ...answer, status: 'cancelled', places_left: 0, version: answer.version + 1, sessions };
  }

  /** Cancels a lesson of the account of the context as its school, once, whatever is killed afterwards; none that `concerns` excludes. Idempotent. */
  async cancelOne(
    lessonId: string,
    said: Cancelling,
    context: RequestContext,
    { closureId, classSeed, concerns = () => true }: Cancelled = {},
  ): Promise<LessonDocument> {
    const ending: Ending = {
      sealedReason: await this.sealed(said.reason ?? null, lessonId, context.principal.accountId),
      notify: said.notify_participants,
      refundAs: said.refund_as,
      ...(closureId === undefined ? {} : { closureId }),
      cause: causeOf(context),
    };
    const { document } = await this.lessons.change(context, lessonId, lessonCancelled, (now) =>
      isOpen(now) && concerns(now)
        ? {
            ...{ status: 'cancelled', nextDueAt: null, ending, dueAt: sharedClock.inMs(RECOVER_MS) },
            ...(classSeed ? { classSeed } : {}),
          }
        : null,
    );
    try {
      const rest = await this.carryOut(document);
      this.background.start(rest);
    } catch (error) {
      this.logger.warn({ err: error, objectId: lessonId }, 'sessions of a cancelled lesson not cancelled yet');
    }
    return document;
  }

  /** Goes on where a crash has interrupted a cancellation or a move. */
  @WhenDue(({ lessons }: LessonCancellationService) => lessons.unfollowed)
  async goOn(lesson: LessonDocument): Promise<void> {
    const rest = await (lesson.ending ? this.carryOut(lesson) : this.moves.follow(lesson));
    await rest();
  }

  /** Cancels the sessions of a cancelled lesson and takes its time from it; returns what may last longer than a request. Idempotent. */
  private async carryOut(lesson: LessonDocument): Promise<() => Promise<void>> {
    const { _id, claimId, ending, updatedAt } = lesson;
    if (!ending) return async () => {};
    const isDone = await this.cancelSessions(lesson, ending);
    const shouldOffer = updatedAt > sharedClock.inMs(-OFFERING_MS);
    const vacated = await this.vacancies.leave({ leaving: [_id], claimId, shouldOffer });
    return async () => {
      if (vacated) await this.vacancies.passOn([vacated]);
      if (isDone) await this.lessons.unfollowed.end(lesson, { ending: undefined });
      else await this.lessons.unfollowed.postpone(lesson, AGAIN_MS);
    };
  }

  /** Cancels all sessions; false while one is being made. */
  private async cancelSessions(lesson: LessonDocument, ending: Ending): Promise<boolean> {
    const { _id, schoolId } = lesson;
    await this.openPlaces.end(lesson);
    const context = contextOfPlan(ending.cause);
    const reason = await this.opened(ending.sealedReason, _id, schoolId);
    const said = { reason, notify_participants: ending.notify, refund_as: ending.refundAs };
    const found = await this.reading.findScheduledIn(_id);
    const within = { lessonId: _id, closureId: ending.closureId };
    await Promise.all(
      found.map((session) => this.cancellations.cancelIn(within, { session_id: session._id, ...said }, context)),
    );
    // A place may have been booked, or a session be on its way here, before the lesson was cancelled.
    const { busy = [] } = (await this.lessons.findAny(_id)) ?? {};
    const placed = new Map((await this.reading.findSessions(busy.map(({ h }) => h))).map((each) => [each._id, each]));
    return busy.every(({ h }) => placed.get(h)?.lessonId === _id && !isCancellable(placed.get(h)!));
  }

  private async sealed(reason: string | null, lessonId: string, schoolId: string): Promise<string | null> {
    const bytes = await this.texts.seal(reason, placeOf(lessonId, schoolId));
    return bytes?.toString('base64') ?? null;
  }

  private async opened(sealed: string | null, lessonId: string, schoolId: string): Promise<string | null> {
    const bytes = sealed === null ? null : Buffer.from(sealed, 'base64');
    return this.texts.open(bytes, placeOf(lessonId, schoolId));
  }
}

const placeOf = (documentId: string, accountId: string) => ({
  owner: { id: accountId, accountId },
  field: 'cancellation_reason',
  documentId,
});

function isOpen({ status }: LessonDocument): boolean {
  if (status === 'completed') throw invalidState('Only a scheduled lesson can be cancelled', status);
  return status === 'scheduled';
}

const isCancellable = ({ status, attendanceIsFinal }: LessonSession): boolean =>
  status === 'scheduled' && !attendanceIsFinal;

function requireSchool({ schoolId }: LessonDocument, { principal }: RequestContext): void {
  if (schoolId !== principal.accountId) throw new AppError('school_only');
}

/** Rejects a cancellation for credits where none of the bookings gives any. */
function requireCredits(sessions: readonly LessonSession[]): void {
  const booked = sessions.filter(({ bookingId }) => bookingId !== null);
  if (booked.length > 0 && booked.every(({ terms }) => terms?.makeupCredits === false))
    throw new AppError('credits_not_offered', { field: 'refund_as' });
}
