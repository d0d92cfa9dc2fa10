import { Inject, Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import { LOGGER, type Logger, sharedClock } from '@swim/platform';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { LessonOffersService } from './lesson-offers.service.js';
import { LinesRepository } from './lines.repository.js';
import { pastAt, timeOf, WaitlistRepository } from './waitlist.repository.js';
import type { WaitlistDocument } from './waitlist.schema.js';

// The line comes first, but not forever: places must become free, whatever keeps them from being offered.
const KEPT_MS = 60_000;
const AGAIN_MS = 2_000;
const MUCH_LATER_MS = 60_000;
const MOST_SERVED = 100;

/** What became of a line: whether nobody is left in it, and what failed. */
interface Round {
  nobodyWaits: boolean;
  failure?: unknown;
}

/**
 * Serves the lines of lessons. What frees a place of a lesson that is awaited keeps it in the same write and makes the line due; a run
 * takes the line over, offers each place to the first whom it fits, and gives up what is left in a write that misses when anything
 * has become free, or anybody has joined, since the run began.
 */
@Injectable()
export class LessonLinesService {
  @Inject(LOGGER) private readonly logger!: Logger;

  constructor(
    readonly lines: LinesRepository,
    private readonly waitlist: WaitlistRepository,
    private readonly offers: LessonOffersService,
  ) {}

  /** Keeps the places of a lesson for those who may wait, and those whose offers return to the line, and offers none of them for a while. */
  pause(lessonId: string, hasOffers: boolean): Promise<void> {
    return this.lines.pause(lessonId, hasOffers);
  }

  /** Has those of these lines served in which somebody may wait. */
  wake(lessonIds: readonly string[]): Promise<void> {
    return this.lines.wake(lessonIds);
  }

  /** Serves all lines that are due, and no others: for an advance of a clock. */
  async serveDue(): Promise<void> {
    for (const lesson of await this.lines.due.findDue(MOST_SERVED)) await this.serveFound(lesson);
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
      const round = await this.serveOnce(lesson);
      if (!round) return;
      if (round.failure) return void (await this.serveAgain(lesson, round.failure));
      const left = round.nobodyWaits ? { isAwaited: undefined } : {};
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

  private async serveAgain(lesson: LessonDocument, failure: unknown): Promise<void> {
    this.logger.warn({ err: failure, objectId: lesson._id }, 'line of a lesson not served yet');
    const isLate = lesson.keptAt !== undefined && lesson.keptAt < sharedClock.inMs(-KEPT_MS);
    await this.lines.due.postpone(lesson, isLate ? MUCH_LATER_MS : AGAIN_MS, isLate ? { keptAt: undefined } : {});
  }

  /** Offers what is free in the order of the line; null when another run has taken it over, or it is paused. */
  private async serveOnce(lesson: LessonDocument): Promise<Round | null> {
    if (lesson.status === 'scheduled') await this.waitlist.follow(lesson);
    const round: Round = { nobodyWaits: true };
    for await (const entries of this.waitlist.pagesWaitingIn(lesson._id)) {
      for (const entry of entries) {
        const now = await this.lines.findHeld(lesson);
        if (!now) return null;
        if (now.status !== 'scheduled') await this.waitlist.markPast(entry._id);
        else if (!hasRoom(now)) return { ...round, nobodyWaits: false };
        else if (!(await this.tryOffer(entry, now, round))) round.nobodyWaits = false;
      }
      await this.renew(lesson);
    }
    return round;
  }

  private async tryOffer(entry: WaitlistDocument, lesson: LessonDocument, round: Round): Promise<boolean> {
    try {
      return await this.offers.offer(entry, lesson);
    } catch (error) {
      round.failure = error;
      return false;
    }
  }

  /** Extends the lease for a line that is longer than a page; what has changed since the run began is left to be noticed at its end. */
  private async renew(lesson: LessonDocument): Promise<void> {
    const now = await this.lines.findHeld(lesson);
    if (now && (await this.lines.due.renew(now))) lesson.lineDueAt = now.lineDueAt!;
  }
}

const hasRoom = ({ capacity, busy, closed = [] }: LessonDocument): boolean =>
  closed.length === 0 && busy.length < capacity;
