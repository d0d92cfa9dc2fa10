import { Injectable } from '@nestjs/common';
import { asSystem, Databases, type EngineProbe, Repository, valueIf } from '@swim/mongo';
import { sharedClock } from '@swim/platform';
import { GONE_KEPT, goneWith, notClosed } from '../claim.rules.js';
import type { ClaimElement } from '../claim.schema.js';
import type { BusyElement, ClosedTime, Day } from '../day.schema.js';
import { type LessonDocument, lessonSchema } from './lesson.schema.js';

const system = asSystem('a claim has read the lesson in its account’s scope before');

/** The places of lessons as locks. Every change is one conditional update of one lesson. */
@Injectable()
export class PlacesRepository extends Repository<LessonDocument> {
  constructor(databases: Databases) {
    super(databases.collection('lessons', lessonSchema));
    databases.prove([PLACES]);
  }

  findByIds(ids: string[]): Promise<Day[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.findPicked(system, { _id: { $in: ids } }, ['busy', 'gone', 'closed', 'keptAt'], { limit: ids.length });
  }

  /** Takes places, in one command; returns in how many of the lessons it did. */
  pushAll(byLesson: [string, ClaimElement[]][], claimId: string): Promise<number> {
    return this.updateEach(
      system,
      byLesson.map(([lessonId, elements]) => lockOf(lessonId, elements, claimId)),
    );
  }

  /** Gives back the places of claims, and records their release: a late push of theirs misses. */
  async pullAll(claimsOf: (readonly [string, readonly string[]])[]): Promise<void> {
    await this.updateEach(
      system,
      claimsOf.map(([_id, ids]) => ({
        filter: { _id },
        update: freeing({ $in: ['$$b.c', { $literal: ids }] }, { gone: goneWith(ids) }),
      })),
    );
    // A claim that was to join a private lesson may have outlasted its sessions; recovery takes its time from the lesson.
    const dueAt = sharedClock.now();
    await this.updateEach(
      system,
      claimsOf.map(([lessonId]) => endingOfEmpty(lessonId, { dueAt })),
    );
  }

  /** Closes those of these lessons that take place in the closed time: no places are taken in them. */
  async close(lessonIds: string[], closed: ClosedTime): Promise<void> {
    await this.updateEach(
      system,
      lessonIds.map((_id) => ({
        filter: {
          _id,
          start: { $lt: closed.to },
          end: { $gt: closed.from },
          'closed.id': { $ne: closed.id },
          gone: { $ne: closed.id },
        },
        update: { $push: { closed }, $inc: { rev: 1 }, ...placesDue() },
      })),
    );
  }

  /** Ends a closure of these lessons, and records that: a late `close` misses. */
  async reopen(lessonIds: string[], closureId: string): Promise<void> {
    const update = {
      $pull: { closed: { id: closureId } },
      $push: { gone: { $each: [closureId], $slice: -GONE_KEPT } },
      $inc: { rev: 1 },
      ...placesDue(),
    };
    await this.updateEach(
      system,
      lessonIds.map((_id) => ({ filter: { _id, gone: { $ne: closureId } }, update })),
    );
  }

  /** Gives back the places that these sessions have by a claim. */
  async removeHolders(lessonIds: string[], claimId: string, sessionIds: readonly string[]): Promise<void> {
    await this.updateEach(
      system,
      lessonIds.map((_id) => ({
        filter: { _id },
        update: freeing({ $and: [{ $eq: ['$$b.c', claimId] }, { $in: ['$$b.h', { $literal: sessionIds }] }] }),
      })),
    );
  }
}

const DUE_MS = 1_000;

/** The due date of a line that is to be served now: in the past by every clock, so that it can be taken over at once. */
export const dueAtOnce = (): Date => sharedClock.inMs(-DUE_MS);

/** The update that has the class of a lesson, if it has one, count the places again. */
const placesDue = () => ({ $set: { placesDueAt: sharedClock.now() } });

/** What has the class of a lesson count the places again, as an expression. */
export const counted = (): object =>
  valueIf({ $eq: [{ $type: '$classId' }, 'string'] }, sharedClock.now(), 'placesDueAt');

/**
 * The update that gives back the places (`$$b`) for which the expression is true. Where somebody waits, what becomes free is kept in the
 * same write, and the line is due.
 */
export function freeing(isGivenBack: object, more: object = {}): object[] {
  const busy = { $filter: { input: '$busy', as: 'b', cond: { $not: [isGivenBack] } } };
  const isFreed = { $and: [{ $eq: ['$isAwaited', true] }, { $lt: [{ $size: busy }, { $size: '$busy' }] }] };
  const now = sharedClock.now();
  const line = {
    keptAt: valueIf(isFreed, { $ifNull: ['$keptAt', now] }, 'keptAt'),
    lineRev: valueIf(isFreed, { $add: ['$lineRev', 1] }, 'lineRev'),
    // A run that serves the line notices it by the revision.
    lineDueAt: valueIf(isFreed, { $ifNull: ['$lineDueAt', dueAtOnce()] }, 'lineDueAt'),
    placesDueAt: counted(),
  };
  return [{ $set: { ...more, ...line, busy, rev: { $add: ['$rev', 1] } } }];
}

/** Ends a private lesson that has no places any more; a move for which it was reserved has lost its session. */
export function endingOfEmpty(_id: string, set: { dueAt?: Date } = {}) {
  const ended = { status: 'cancelled', nextDueAt: null, moving: null, updatedAt: sharedClock.now() };
  return {
    filter: { _id, isPrivate: true, status: 'scheduled', busy: { $size: 0 } },
    update: { $set: { ...ended, ...set }, $inc: { rev: 1, version: 1 } },
  };
}

function lockOf(lessonId: string, elements: ClaimElement[], claimId: string) {
  const { gen, bookingId, asSchool, asOffer, inClass } = elements[0]!.place!;
  const others = {
    $filter: { input: '$busy', as: 'b', cond: { $not: [{ $in: ['$$b.h', elements.map(({ holder }) => holder)] }] } },
  };
  const filter = {
    _id: lessonId,
    status: 'scheduled',
    gen,
    moving: null,
    gone: { $ne: claimId },
    'busy.c': { $ne: claimId },
    closed: notClosed(elements),
    ...(asOffer ? {} : { keptAt: null }),
    ...(bookingId ? { bookingId } : asSchool ? {} : { bookable: true }),
    $expr: { $lte: [{ $add: [{ $size: others }, elements.length] }, '$capacity'] },
  };
  const due = inClass ? placesDue() : {};
  return { filter, update: { $push: { busy: { $each: placesOf(elements, claimId) } }, $inc: { rev: 1 }, ...due } };
}

/** The places of a lesson that these elements take, as stored. */
export const placesOf = (elements: ClaimElement[], claimId: string): BusyElement[] =>
  elements.map(({ startMs, endMs, holder }) => ({
    s: new Date(startMs),
    e: new Date(endMs),
    c: claimId,
    h: holder,
  }));

/** Probe of the database engine: of concurrent claims as many win as there are places. */
const PLACES: EngineProbe = {
  what: 'the places of a lesson',
  document: { busy: [], gone: [], status: 'scheduled', gen: 0, moving: null, bookable: true, capacity: 3, rev: 0 },
  racer: (n, lessonId) => {
    const place = { gen: 0 };
    const element = { resource: lessonId, startMs: 0, endMs: 60_000, holder: `racer ${n}`, lanes: 3, place };
    return lockOf(lessonId, [element], `claim ${n}`);
  },
  winners: 3,
  stored: ({ busy }: Day) => busy.length,
};
