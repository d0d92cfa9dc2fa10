import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { sharedClock } from '@swim/platform';
import { type LessonDocument, lessonSchema } from '../../calendar/places/lesson.schema.js';
import { counted, dueAtOnce } from '../../calendar/places/places.repository.js';

const LEASE_MS = 10_000;
// A school that moves a lesson ends the offers in it first, and then moves it.
const PAUSE_MS = 2_000;

/** What lets a run notice a change of the line. */
const COUNTED = { lineRev: { $add: [{ $ifNull: ['$lineRev', 0] }, 1] }, rev: { $add: ['$rev', 1] } };

const REASON = 'the line of a lesson has entries of all accounts';
const system = asSystem(REASON);

/** Where the lines of lessons are: each change of a lesson's line increments its revision, so that a run that serves it notices. */
@Injectable()
export class LinesRepository extends Repository<LessonDocument> {
  readonly due = this.work({
    name: 'lines of lessons',
    due: 'lineDueAt',
    counts: ['lineRev'],
    leaseMs: LEASE_MS,
    reason: REASON,
  });

  constructor(databases: Databases) {
    super(databases.collection('lessons', lessonSchema));
  }

  find(lessonId: string): Promise<LessonDocument | null> {
    return this.lookUp(system, lessonId);
  }

  /** A lesson as it is now, while the run that has taken its line over still has it. */
  async findHeld({ _id, lineDueAt }: LessonDocument): Promise<LessonDocument | null> {
    const now = await this.find(_id);
    return now?.lineDueAt?.getTime() === lineDueAt?.getTime() ? now : null;
  }

  /** Has the line of a lesson served, in which somebody waits by now. */
  async enter(lessonId: string): Promise<void> {
    await this.mark(lessonId, { lineDueAt: { $ifNull: ['$lineDueAt', dueAtOnce()] } });
  }

  /** Has those of these lines served in which somebody may wait. */
  async wake(lessonIds: readonly string[]): Promise<void> {
    for (const id of lessonIds) await this.mark(id, { lineDueAt: dueAtOnce() }, { isAwaited: true });
  }

  /**
   * Keeps the places that become free in these lessons of a class from now on for those who may wait. A run that is about to record that
   * nobody waits for a lesson notices it.
   */
  async expect(lessonIds: readonly string[]): Promise<void> {
    const expected = { isAwaited: true, ...COUNTED };
    await this.updateEach(
      system,
      lessonIds.map((_id) => ({ filter: { _id }, update: [{ $set: expected }] })),
    );
  }

  /**
   * Keeps the free places of a lesson for its line, and offers none of them for a while. `hasOffers`: its offers return to the line, so
   * that somebody waits; otherwise only where somebody may wait already.
   */
  async pause(lessonId: string, hasOffers: boolean): Promise<void> {
    const keptAt = { $ifNull: ['$keptAt', sharedClock.now()] };
    const where = { status: 'scheduled', ...(hasOffers ? {} : { isAwaited: true }) };
    await this.mark(lessonId, { keptAt, lineDueAt: sharedClock.inMs(PAUSE_MS) }, where);
  }

  private async mark(_id: string, set: object, where: object = {}): Promise<void> {
    const marked = { isAwaited: true, ...COUNTED, placesDueAt: counted(), ...set };
    await this.update(system, { _id, ...where }, [{ $set: marked }]);
  }
}
