import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import { LOGGER, type Logger, sharedClock } from '@swim/platform';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { ClassLinesService, hasRoom } from './class-lines.service.js';
import { isTemporary, type Round } from './offer-round.js';
import { PlaceOffersService } from './place-offers.service.js';
import { LinesRepository } from './storage/lines.repository.js';
import { pastAt, timeOf, WaitlistRepository } from './storage/waitlist.repository.js';
import type { WaitlistDocument } from './storage/waitlist.schema.js';

// The line comes first, but not forever: places must become free, whatever keeps them from being offered.
const KEPT_MS = 60_000;
const AGAIN_MS = 2_000;
// What one cancellation frees becomes free within it.
const TOGETHER_MS = 1_000;
const LOOK_MS = 200;
const MUCH_LATER_MS = 60_000;
const MOST_SERVED = 100;

/**
 * Serves the lines of lessons. What frees a place of a lesson that is awaited keeps it in the same write and makes the line due; a run
 * takes the line over, offers each place to the first whom it fits, and gives up what is left in a write that misses when anything
 * has become free, or anybody has joined, since the run began. The line of its class comes first.
 */
@Injectable()
export class LessonLinesService {
  @Inject(LOGGER) private readonly logger!: Logger;

  constructor(
    readonly lines: LinesRepository,
    private readonly waitlist: WaitlistRepository,
    private readonly offers: PlaceOffersService,
    private readonly classLines: ClassLinesService,
  ) {}

  /** Keeps the places of a lesson for those who may wait, and those whose offers return to the line, and offers none of them for a while. */
  pause(lessonId: string, hasOffers: boolean): Promise<void> {
    return this.lines.pause(lessonId, hasOffers);
  }

  /** Has those of these lines served in which somebody may wait. */
  wake(lessonIds: readonly string[]): Promise<void> {
    return this.lines.wake(lessonIds);
  }

  /** Serves the lines that are due, for an advance of a clock. It waits for a line that cannot be served before that of its class. */
  async serveDue(): Promise<void> {
    const endsAtMs = performance.now() + 2 * TOGETHER_MS;
    for (const { _id } of await this.lines.due.findDue(MOST_SERVED)) {
      await this.serveNow(_id);
      while ((await this.isDue(_id)) && performance.now() < endsAtMs) {
        await delay(LOOK_MS);
        await this.serveNow(_id);
      }
    }
  }

  /** Serves a line, unless another run does. */
  async serveNow(lessonId: string): Promise<void> {
    const lesson = await this.lines.find(lessonId);
    if (lesson?.lineDueAt && lesson.lineDueAt < sharedClock.now()) await this.serveFound(lesson);
  }

  /** Whether a line is yet to be served. */
  async isDue(lessonId: string): Promise<boolean> {
    return ((await this.lines.find(lessonId))?.lineDueAt ?? null) !== null;
  }

  private async serveFound(lesson: LessonDocument): Promise<void> {
    const taken = await this.lines.due.take(lesson);
    if (taken) await this.lines.due.handle(taken, (each) => this.serve(each));
  }

  @WhenDue(({ lines }: LessonLinesService) => lines.due)
  async serve(taken: LessonDocument): Promise<void> {
    for (let lesson: LessonDocument | null = taken; lesson; lesson = await this.lines.findHeld(lesson)) {
      if (await this.isClassFirst(lesson)) return void (await this.postpone(lesson, LOOK_MS));
      const round = await this.serveOnce(lesson);
      if (!round) return;
      if (round.failure) {
        this.logger.warn({ err: round.failure, objectId: lesson._id }, 'line of a lesson not served yet');
        return void (await this.postpone(lesson, AGAIN_MS));
      }
      const isLeft = round.nobodyWaits && !(await this.isClassAwaited(lesson));
      const left = isLeft ? { isAwaited: undefined } : {};
      const told = lesson.classId ? { placesDueAt: sharedClock.now() } : {};
      if (await this.lines.due.end(lesson, { keptAt: undefined, ...left, ...told })) return;
    }
  }

  /** Makes sure that the lesson of an entry knows that it is awaited; ends the entry when the lesson is over. Idempotent. */
  async attend(entry: WaitlistDocument): Promise<void> {
    const lesson = await this.lines.find(entry.lessonId!);
    const now = sharedClock.now();
    const dueAt = lesson?.status === 'scheduled' ? pastAt({ ...entry, ...timeOf(lesson) }) : now;
    if (!lesson || dueAt <= now) return this.waitlist.markPast(entry._id);
    await this.lines.enter(lesson._id);
    await this.waitlist.past.postpone(entry, dueAt.getTime() - now.getTime());
  }

  /** Serves it later; what is kept for too long is free for all. */
  private async postpone(lesson: LessonDocument, delayMs: number): Promise<void> {
    const isLate = lesson.keptAt !== undefined && lesson.keptAt < sharedClock.inMs(-KEPT_MS);
    await this.lines.due.postpone(lesson, isLate ? MUCH_LATER_MS : delayMs, isLate ? { keptAt: undefined } : {});
  }

  /**
   * Serves the line of the class of a lesson, if anybody waits there; whether the lesson is to wait: while another run serves that line,
   * or until all has become free that one cancellation frees.
   */
  private async isClassFirst(lesson: LessonDocument): Promise<boolean> {
    if (!lesson.classId || !(await this.isClassAwaited(lesson))) return false;
    if (!(await this.classLines.serveAnew(lesson.classId))) return true;
    const isYoung = lesson.keptAt !== undefined && lesson.keptAt > sharedClock.inMs(-TOGETHER_MS);
    return isYoung && !(await this.classLines.hasRoom(lesson.classId));
  }

  private async isClassAwaited({ classId }: LessonDocument): Promise<boolean> {
    return classId !== null && (await this.classLines.isAwaited(classId));
  }

  /** Offers what is free in the order of the line; null when another run has taken it over, or it is paused. */
  private async serveOnce(lesson: LessonDocument): Promise<Round | null> {
    const line = { lessonId: lesson._id };
    if (lesson.status === 'scheduled') await this.waitlist.follow(line, timeOf(lesson));
    const round: Round = { nobodyWaits: true };
    for await (const entries of this.waitlist.pagesWaitingIn(line)) {
      for (const entry of entries) {
        const now = await this.lines.findHeld(lesson);
        if (!now) return null;
        if (now.status !== 'scheduled') await this.waitlist.markPast(entry._id);
        else if (!hasRoom(now)) return { ...round, nobodyWaits: false };
        else await this.offers.offerIn(round, entry, [now]);
        if (isTemporary(round.failure)) return round;
      }
      await this.renew(lesson);
    }
    return round;
  }

  /** Extends the lease for a line that is longer than a page; what has changed since the run began is left to be noticed at its end. */
  private async renew(lesson: LessonDocument): Promise<void> {
    const now = await this.lines.findHeld(lesson);
    if (now && (await this.lines.due.renew(now))) lesson.lineDueAt = now.lineDueAt!;
  }
}
