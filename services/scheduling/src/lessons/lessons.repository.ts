import { Injectable } from '@nestjs/common';
import {
  type lessonCancelled,
  type lessonCompleted,
  lessonCreated,
  type lessonRescheduled,
  type lessonUpdated,
  type Page,
} from '@swim/contracts';
import {
  type AccountClock,
  AggregateRepository,
  asSystem,
  type Changed,
  type CreatedAll,
  Databases,
  type Decision,
  dueBy,
  type ListQuery,
  type Managed,
  type NewEvent,
  OutboxRelay,
  PUBLIC,
  previousOf,
} from '@swim/mongo';
import { AppError, Clock, CursorCodec, type RequestContext, sharedClock } from '@swim/platform';
import mongoose from 'mongoose';
import { GONE_KEPT } from '../calendar/claim.rules.js';
import { type LessonDocument, lessonSchema } from '../calendar/places/lesson.schema.js';
import { dueAtOnce, endingOfEmpty, freeing } from '../calendar/places/places.repository.js';
import { toLessonObject } from './lesson.mapper.js';
import { type LessonFilters, toFilter, withPlaces } from './lesson-filters.repository.js';

/** The fields of a new lesson. */
export type NewLesson = Omit<LessonDocument, Managed>;

const REASON = 'a lesson follows its sessions and claims, whose access was checked before';
const system = asSystem(REASON);

/** A place that a session has left: by its claim, since the session may have come back by another one. */
export interface LeftPlace {
  lessonId: string;
  sessionId: string;
  claimIds: string[];
}

/** The accounts that see a lesson, beside the families with sessions in it. */
export const readersOf = ({ schoolId, bookable }: Pick<NewLesson, 'schoolId' | 'bookable'>): string[] =>
  bookable ? [schoolId, PUBLIC] : [schoolId];

/** The first event of a lesson, for its school alone. */
const created = ({ schoolId }: NewLesson): NewEvent<LessonDocument> => ({
  type: lessonCreated,
  object: toLessonObject,
  audience: [schoolId],
});

/** What makes the line of a lesson due whose change may let in some who wait. */
const servedAgain = ({ isAwaited, keptAt, lineRev = 0 }: LessonDocument): Partial<LessonDocument> => {
  if (!isAwaited) return {};
  return { keptAt: keptAt ?? sharedClock.now(), lineRev: lineRev + 1, lineDueAt: dueAtOnce() };
};

/** Whether a lesson has its time from a claim. */
export const isLessonOf = (claim: { _id: string }, lesson: LessonDocument | undefined): boolean =>
  lesson?.claimId === claim._id && lesson.status !== 'cancelled';

type LessonEvent = typeof lessonUpdated | typeof lessonRescheduled | typeof lessonCancelled | typeof lessonCompleted;

// Longer than the sessions of a lesson take to follow it.
const FOLLOWING_MS = 30_000;
// Sessions follow their lesson within a second, also where the process that has moved it is killed: see FOLLOW_MS.
const LOOK_MS = 400;

/** Storage of lessons. */
@Injectable()
export class LessonsRepository extends AggregateRepository<LessonDocument> {
  /** Lessons that were cancelled or moved, and whose sessions have not followed yet. */
  readonly unfollowed = this.work({
    name: 'sessions of changed lessons',
    due: 'dueAt',
    reason: REASON,
    leaseMs: FOLLOWING_MS,
    lookMs: LOOK_MS,
  });

  /** Lessons that ended a while ago. */
  readonly due = this.work({ name: 'due lessons', due: 'nextDueAt', reason: REASON, now: () => this.clock.now() });

  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
  ) {
    super(databases.collection('lessons', lessonSchema), relay, true);
  }

  /** Stores private lessons, which have no events; existing ones stay unchanged. */
  async insertPrivate(lessons: readonly NewLesson[], madeAt: Date): Promise<void> {
    const managed = { rev: 1, eventCount: 0, outbox: [], ops: [], createdAt: madeAt, updatedAt: madeAt };
    await this.tryInsertAll(
      system,
      lessons.map((lesson) => ({ ...lesson, ...managed })),
    );
  }

  /** Stores a lesson with places, or returns the existing one. */
  insertPlanned(context: RequestContext, lesson: NewLesson): Promise<LessonDocument> {
    return this.create(context, lesson, [created(lesson)]);
  }

  /** Stores the lessons of a class in one batch, or returns the existing ones. */
  insertAll(context: RequestContext, lessons: NewLesson[]): Promise<CreatedAll<LessonDocument>> {
    return this.createAll(context, lessons, [created(lessons[0]!)]);
  }

  /** Throws `resource_not_found` when the account sees no such lesson. */
  async getVisible(context: RequestContext, id: string): Promise<LessonDocument> {
    const lesson = await this.lookUp(context.principal, id);
    if (!lesson) throw new AppError('resource_not_found');
    return lesson;
  }

  /** Those of these lessons that the account sees. */
  findVisible(context: RequestContext, ids: readonly string[]): Promise<LessonDocument[]> {
    return this.lookUpAll(context.principal, ids);
  }

  /** Regardless of its readers, for the service's own work. */
  findAny(id: string): Promise<LessonDocument | null> {
    return this.lookUp(system, id);
  }

  findAll(ids: Iterable<string>): Promise<LessonDocument[]> {
    return this.lookUpAll(system, ids);
  }

  listVisible(context: RequestContext, query: LessonFilters & ListQuery): Promise<Page<LessonDocument>> {
    const order = { date: 'start', ascending: true };
    return this.listPage(context.principal, query, {
      name: 'lessons',
      filter: toFilter(query, this.clock.now()),
      order,
      cursors: this.cursors,
    });
  }

  /** Scheduled lessons of a school, but for private ones: those that begin after an instant, or were made before one. */
  async findIdsOpen(
    schoolId: string,
    { after, madeBefore }: { after?: Date; madeBefore?: Date },
    limit: number,
  ): Promise<string[]> {
    const open = {
      ...{ readers: schoolId, schoolId, isPrivate: false, status: 'scheduled' },
      ...(after ? { start: { $gt: after } } : {}),
      ...(madeBefore ? { createdAt: { $lt: madeBefore } } : {}),
    };
    return (await this.findPicked(system, open, [], { sort: { start: 1 }, limit })).map(({ _id }) => _id);
  }

  /** Hides the lessons of a school from the public: all, or those made before an instant. */
  async hide(schoolId: string, madeBefore?: Date): Promise<void> {
    const made = madeBefore ? { createdAt: mongoose.trusted({ $lt: madeBefore }) } : {};
    const shown = { readers: PUBLIC, schoolId, ...made } as object;
    const hidden = { $pull: { readers: PUBLIC }, $inc: { rev: 1 } } as object;
    await this.model(system).updateMany(shown, hidden, { asSystem: REASON } as object);
  }

  /** Lessons of a school that are due at `now`. */
  findDueOf(schoolId: string, now: Date, limit: number): Promise<LessonDocument[]> {
    return this.findMany(system, { readers: schoolId, schoolId, nextDueAt: dueBy(now) }, { nextDueAt: 1 }, limit);
  }

  /** Applies the clock of a test account to the lessons to come of the school that it is. */
  applyClock(clock: AccountClock): Promise<void> {
    const filter = { status: 'scheduled', schoolId: clock.accountId };
    return this.applyClockTo({ filter, dates: ['nextDueAt'] }, clock);
  }

  /** Bookable lessons of a school with a free place that begin from an instant on, the soonest first. */
  findOpen(schoolId: string, from: Date, limit: number): Promise<LessonDocument[]> {
    const open = { readers: PUBLIC, schoolId, bookable: true, start: { $gte: from }, ...withPlaces(this.clock.now()) };
    return this.findMany(system, open, { start: 1 }, limit);
  }

  /** The scheduled private lessons of a booking at an instant. */
  findPrivateAt(bookingId: string, start: Date): Promise<LessonDocument[]> {
    // States the condition of the partial index, which is used only then.
    const ofBooking = { bookingId: { $type: 'string', $eq: bookingId } };
    return this.findMany(system, { ...ofBooking, start, isPrivate: true, status: 'scheduled' });
  }

  /**
   * Changes a lesson as `decide` returns, with the next version and, unless it is private, one event of the given type for its school.
   * Null from `decide` changes nothing.
   */
  async change(
    context: RequestContext,
    of: string | LessonDocument,
    event: LessonEvent,
    decide: (now: LessonDocument) => Decision<LessonDocument>['set'] | null,
  ): Promise<Changed<LessonDocument>> {
    const changed = await this.mutate(system, of, context, (now) => {
      const set = decide(now);
      if (!set) return null;
      const version = now.version + 1;
      const previous = previousOf(toLessonObject(now), toLessonObject({ ...now, ...set, version }));
      const audience = now.readers.filter((reader) => reader === now.schoolId);
      const events = now.isPrivate ? [] : [{ type: event, object: toLessonObject, previous, audience }];
      const counted = now.classId ? { placesDueAt: sharedClock.now() } : {};
      return { set: { ...set, ...servedAgain(now), ...counted, version }, events, answer: toLessonObject };
    });
    if (!changed) throw new AppError('resource_not_found');
    return changed;
  }

  /** Shows a lesson to an account that has a session in it, or gets one: also where it is shown, a `hide` that has read it before misses. */
  async show(ids: string[], accountId: string): Promise<void> {
    const update = { $addToSet: { readers: accountId }, $inc: { rev: 1 } };
    await this.updateEach(
      system,
      ids.map((_id) => ({ filter: { _id }, update })),
    );
  }

  /** Hides a lesson from an account that has no session in it any more; false when it has changed since it was read. */
  hideFrom(accountId: string, { _id, rev }: LessonDocument): Promise<boolean> {
    return this.update(system, { _id, rev }, { $pull: { readers: accountId }, $inc: { rev: 1 } });
  }

  /**
   * Gives back the places of sessions that have left these lessons, and ends the private lessons that are empty then. Returns the lessons
   * as they are afterwards. Idempotent.
   */
  async leave(leaving: readonly LeftPlace[]): Promise<LessonDocument[]> {
    await this.updateEach(
      system,
      leaving.map(({ lessonId, sessionId, claimIds }) => ({
        filter: { _id: lessonId, 'busy.h': sessionId },
        update: freeing({ $and: [{ $eq: ['$$b.h', sessionId] }, { $in: ['$$b.c', { $literal: claimIds }] }] }),
      })),
    );
    const ids = [...new Set(leaving.map(({ lessonId }) => lessonId))];
    return this.endEmpty(ids);
  }

  /** Ends those of these lessons that are private and empty; returns all as they are then. */
  private async endEmpty(ids: string[]): Promise<LessonDocument[]> {
    const found = await this.lookUpAll(system, ids);
    const empty = found.filter((each) => each.isPrivate && each.status === 'scheduled' && each.busy.length === 0);
    if (empty.length === 0) return found;
    await this.updateEach(
      system,
      empty.map(({ _id }) => endingOfEmpty(_id)),
    );
    return this.lookUpAll(system, ids);
  }

  /** Reserves a lesson for a move of its only session; false when it has others by now, was moved, or the move was abandoned. */
  startMoving({ _id, gen }: LessonDocument, sessionId: string, claimId: string): Promise<boolean> {
    const isAlone = { busy: mongoose.trusted({ $size: 1 }), 'busy.h': sessionId };
    const filter = {
      _id,
      gen,
      // Its time may be over: then it is to take place once more.
      status: mongoose.trusted({ $ne: 'cancelled' }),
      moving: null,
      gone: mongoose.trusted({ $ne: claimId }),
      ...isAlone,
    };
    return this.update(system, filter, { $set: { moving: claimId }, $inc: { rev: 1 } });
  }

  /** Moves a lesson to where the claim that reserved it is; false when it is no longer reserved. */
  endMoving(id: string, claimId: string, to: Partial<LessonDocument>): Promise<boolean> {
    const place = { s: to.start, e: to.end, c: claimId };
    const busy = { $map: { input: '$busy', as: 'b', in: { $mergeObjects: ['$$b', place] } } };
    const counted = { rev: { $add: ['$rev', 1] }, version: { $add: ['$version', 1] }, gen: { $add: ['$gen', 1] } };
    const set = { ...literal(to), ...counted, busy, claimId, closed: [], moving: null, updatedAt: sharedClock.now() };
    return this.update(system, { _id: id, moving: claimId }, [{ $set: set }]);
  }

  /** Ends the reservation by a claim whose move is abandoned, also one that comes late. */
  async stopMoving(id: string, claimId: string): Promise<void> {
    await this.update(
      system,
      { _id: id, gone: { $ne: claimId } },
      { $push: { gone: { $each: [claimId], $slice: -GONE_KEPT } }, $inc: { rev: 1 } },
    );
    await this.update(system, { _id: id, moving: claimId }, { $set: { moving: null }, $inc: { rev: 1 } });
  }
}

const literal = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));
