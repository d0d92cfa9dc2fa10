import { Inject, Injectable } from '@nestjs/common';
import { WhenDue } from '@swim/mongo';
import { LOGGER, type Logger, sharedClock } from '@swim/platform';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import type { ClassDocument } from '../lessons/classes/class.schema.js';
import { ClassPlacesService } from '../lessons/classes/class-places.service.js';
import { isTemporary, type Round } from './offer-round.js';
import { PlaceOffersService } from './place-offers.service.js';
import { ClassLinesRepository } from './storage/class-lines.repository.js';
import { LinesRepository } from './storage/lines.repository.js';
import { type LineTime, pastAt, WaitlistRepository } from './storage/waitlist.repository.js';
import type { WaitlistDocument } from './storage/waitlist.schema.js';

const AGAIN_MS = 2_000;
const MOST_SERVED = 100;

/** Whether a lesson has a free place, which may be kept for those who wait. */
export const hasRoom = ({ capacity, busy, closed = [] }: LessonDocument): boolean =>
  closed.length === 0 && busy.length < capacity;

/**
 * Serves the lines of classes. What frees a place of an awaited class keeps it in its lesson, whose line is served after that of the
 * class: who waits for the class is offered a place in all lessons to come together, or nothing.
 */
@Injectable()
export class ClassLinesService {
  @Inject(LOGGER) private readonly logger!: Logger;

  constructor(
    readonly classes: ClassLinesRepository,
    private readonly lines: LinesRepository,
    private readonly places: ClassPlacesService,
    private readonly waitlist: WaitlistRepository,
    private readonly offers: PlaceOffersService,
  ) {}

  /** Whether anybody may wait for a class. */
  async isAwaited(classId: string): Promise<boolean> {
    return (await this.classes.find(classId))?.isAwaited === true;
  }

  /** Whether a line is yet to be served. */
  async isDue(classId: string): Promise<boolean> {
    return ((await this.classes.find(classId))?.lineDueAt ?? null) !== null;
  }

  /** Whether each lesson to come of a class has a free place. */
  async hasRoom(classId: string): Promise<boolean> {
    return hasRoomInAll(await this.lessonsOf(classId));
  }

  /** Serves a line with what has become free by now; false while another run has it, which never ends if each look restarts it. */
  async serveAnew(classId: string): Promise<boolean> {
    const found = await this.classes.find(classId);
    if (found?.lineDueAt && found.lineDueAt >= sharedClock.now()) return false;
    await this.classes.enter(classId);
    return this.serveNow(classId);
  }

  /** Serves a line that is due; false while another run has it. */
  async serveNow(classId: string): Promise<boolean> {
    const found = await this.classes.find(classId);
    if (!found?.lineDueAt) return true;
    return found.lineDueAt < sharedClock.now() && this.serveFound(found);
  }

  /** Serves all lines that are due, and no others: for an advance of a clock. */
  async serveDue(): Promise<void> {
    for (const found of await this.classes.due.findDue(MOST_SERVED)) await this.serveFound(found);
  }

  private async serveFound(found: ClassDocument): Promise<boolean> {
    const taken = await this.classes.due.take(found);
    if (taken) await this.classes.due.handle(taken, (each) => this.serve(each));
    return taken !== null && !(await this.isDue(found._id));
  }

  @WhenDue(({ classes }: ClassLinesService) => classes.due)
  async serve(taken: ClassDocument): Promise<void> {
    for (let each: ClassDocument | null = taken; each; each = await this.classes.findHeld(each)) {
      const round = await this.serveOnce(each);
      if (!round) return;
      if (round.failure) {
        this.logger.warn({ err: round.failure, objectId: each._id }, 'line of a class not served yet');
        return void (await this.classes.due.postpone(each, AGAIN_MS));
      }
      if (await this.classes.due.end(each, round.nobodyWaits ? { isAwaited: undefined } : {})) return;
    }
  }

  /** Makes sure that the class of an entry knows that it is awaited; ends the entry when the class is over. Idempotent. */
  async attend(entry: WaitlistDocument): Promise<void> {
    const [found, lessons] = [await this.classes.find(entry.classId!), await this.lessonsOf(entry.classId!)];
    if (found?.status !== 'open' || lessons.length === 0) return this.waitlist.markPast(entry._id);
    await this.classes.enter(found._id);
    await this.lines.expect(lessons.map(({ _id }) => _id));
    const dueAt = pastAt({ ...entry, ...timeOfClass(found, lessons) });
    await this.waitlist.past.postpone(entry, Math.max(dueAt.getTime() - sharedClock.now().getTime(), AGAIN_MS));
  }

  /** Offers what is free in the order of the line; null when another run has taken it over. */
  private async serveOnce(document: ClassDocument): Promise<Round | null> {
    const line = { classId: document._id };
    const lessons = await this.lessonsOf(document._id);
    const isOver = document.status !== 'open' || lessons.length === 0;
    if (!isOver) {
      await this.waitlist.follow(line, timeOfClass(document, lessons));
      await this.lines.expect(lessons.flatMap(({ _id, isAwaited }) => (isAwaited ? [] : _id)));
    }
    const round: Round = { nobodyWaits: true };
    for await (const entries of this.waitlist.pagesWaitingIn(line)) {
      for (const entry of entries) {
        if (!(await this.classes.findHeld(document))) return null;
        if (isOver) await this.waitlist.markPast(entry._id);
        else {
          const toCome = await this.lessonsOf(document._id);
          if (!hasRoomInAll(toCome)) return { ...round, nobodyWaits: false };
          await this.offers.offerIn(round, entry, toCome);
          if (isTemporary(round.failure)) return round;
        }
      }
      await this.renew(document);
    }
    return round;
  }

  /** Extends the lease for a line that is longer than a page; what has changed since the run began is left to be noticed at its end. */
  private async renew(document: ClassDocument): Promise<void> {
    const now = await this.classes.findHeld(document);
    if (now && (await this.classes.due.renew(now))) document.lineDueAt = now.lineDueAt!;
  }

  /** The lessons to come of a class that can be booked, in order. */
  async lessonsOf(classId: string): Promise<LessonDocument[]> {
    return (await this.places.toCome(classId)).filter(({ bookable }) => bookable);
  }
}

const hasRoomInAll = (lessons: LessonDocument[]): boolean => lessons.length > 0 && lessons.every(hasRoom);

/** The fields that an entry has from its class, whose lessons to come these are. */
export const timeOfClass = (
  { instructorId, durationMinutes }: ClassDocument,
  lessons: readonly LessonDocument[],
): LineTime => ({ instructorId, from: lessons[0]!.start, to: lessons.at(-1)!.end, durationMinutes });
