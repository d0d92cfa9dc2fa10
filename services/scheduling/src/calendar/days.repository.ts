import { Injectable } from '@nestjs/common';
import { asSystem, Databases, type EngineProbe, Repository } from '@swim/mongo';
import { dayIdsOf, dayIdsOn, GONE_KEPT, goneWith, isLesson, notClosed } from './claim.rules.js';
import type { ClaimElement, ExcludedClaim } from './claim.schema.js';
import { type BusyElement, type ClosedTime, type Day, daySchema } from './day.schema.js';
import { PlacesRepository, placesOf } from './places/places.repository.js';

const system = asSystem('days belong to resources, not to accounts');

// "Fewer than N overlapping" would reject 10–12 beside 10–11 and 11–12: the maximum at any instant counts.
function aLaneIsFree({ startMs, endMs, holder, lanes }: ClaimElement, excluded?: ExcludedClaim): object {
  const [start, end] = [new Date(startMs), new Date(endMs)];
  const among = (input: unknown, ...conditions: object[]) => ({
    $filter: { input, as: 'b', cond: { $and: conditions } },
  });
  const laterStarts = {
    $map: { input: among('$$others', { $gt: ['$$b.s', start] }, { $lt: ['$$b.s', end] }), as: 'b', in: '$$b.s' },
  };
  const takenAt = { $size: among('$$others', { $lte: ['$$b.s', '$$at'] }, { $gt: ['$$b.e', '$$at'] }) };
  const most = { $max: { $map: { input: { $concatArrays: [[start], laterStarts] }, as: 'at', in: takenAt } } };
  const notExcluded = excluded
    ? [{ $or: [{ $ne: ['$$b.c', excluded.claimId] }, { $ne: ['$$b.h', excluded.holder] }] }]
    : [];
  const others = among('$busy', { $ne: ['$$b.h', holder] }, ...notExcluded);
  return { $lt: [{ $let: { vars: { others }, in: most } }, lanes] };
}

const nothingInTheWay = (elements: ClaimElement[], excluded?: ExcludedClaim) => ({
  $not: {
    $elemMatch: {
      $or: elements.map(({ startMs, endMs, holder }) => ({
        s: { $lt: new Date(endMs) },
        e: { $gt: new Date(startMs) },
        h: { $ne: holder },
        ...(excluded ? { $or: [{ c: { $ne: excluded.claimId } }, { h: { $ne: excluded.holder } }] } : {}),
      })),
    },
  },
});

/** Storage of the day documents: the locks. Every change is one conditional update of one document. */
@Injectable()
export class DaysRepository extends Repository<Day> {
  constructor(
    databases: Databases,
    private readonly places: PlacesRepository,
  ) {
    super(databases.collection('days', daySchema));
    databases.prove(LOCKS);
  }

  async findByIds(ids: string[]): Promise<Day[]> {
    const { lessons = [], days = [] } = byKind(ids);
    const found = await Promise.all([this.lookUpAll(system, days), this.places.findByIds(lessons)]);
    return found.flat();
  }

  /** Whether this day or a later one of its resource contains taken time that ends after the instant. */
  async hasBusyAfter(dayId: string, atMs: number): Promise<boolean> {
    // In ASCII a semicolon follows the colon between resource and date.
    const pastLastDay = `${dayId.slice(0, dayId.lastIndexOf(':'))};`;
    const filter = { _id: { $gte: dayId, $lt: pastLastDay }, 'busy.e': { $gt: new Date(atMs) } };
    return (await this.findPicked(system, filter, [], { limit: 1 })).length > 0;
  }

  /** The taken and the closed time of these days. */
  findTaken(
    ids: string[],
  ): Promise<{ _id: string; busy: Pick<BusyElement, 's' | 'e'>[]; closed?: Pick<ClosedTime, 'from' | 'to'>[] }[]> {
    const fields = ['busy.s', 'busy.e', 'closed.from', 'closed.to'] as const;
    return this.findPicked<'busy' | 'closed'>(system, { _id: { $in: ids } }, fields, { limit: ids.length });
  }

  /** Inserts the day documents that do not exist; safe to run concurrently. */
  async insertMissing(ids: string[]): Promise<void> {
    await this.tryInsertAll(
      system,
      ids.filter((id) => !isLesson(id)).map((_id) => ({ _id, busy: [], gone: [] })),
    );
  }

  /**
   * Inserts day documents with the lock of a claim on each; false when one of them exists, which stays unchanged. A day on
   * which this claim was released exists.
   */
  insertLocked(byDay: [string, ClaimElement[]][], claimId: string): Promise<boolean> {
    return this.tryInsertAll(
      system,
      byDay.map(([_id, elements]) => ({ _id, busy: placesOf(elements, claimId), gone: [] })),
    );
  }

  /**
   * Locks the elements' time on these days, and their places in lessons, in a command for each kind; returns how many it locked, but not
   * which. An element that overlaps one that is not excluded misses, and one of a claim that was released there before.
   */
  async pushAll(byDay: [string, ClaimElement[]][], claimId: string, excluded?: ExcludedClaim): Promise<number> {
    const { lessons = [], days = [] } = Object.groupBy(byDay, ([id]) => (isLesson(id) ? 'lessons' : 'days'));
    const locks = days.map(([dayId, elements]) => lockOf(dayId, elements, claimId, excluded));
    const [onDays, inLessons] = await Promise.all([
      this.updateEach(system, locks),
      lessons.length === 0 ? 0 : this.places.pushAll(lessons, claimId),
    ]);
    return onDays + inLessons;
  }

  /** As `pushAll`, for one lock. */
  async push(lock: [string, ClaimElement[]], claimId: string, excluded?: ExcludedClaim): Promise<boolean> {
    return (await this.pushAll([lock], claimId, excluded)) === 1;
  }

  /**
   * Replaces a claim's element by a placeholder's, on each day in one update; null removes the element. Misses when the
   * placeholder was released before; returns whether it missed nowhere.
   */
  async replace(claimId: string, element: ClaimElement, placeholderId: string | null): Promise<boolean> {
    const [s, e] = [new Date(element.startMs), new Date(element.endMs)];
    const isIt = { $and: [{ $eq: ['$$b.c', claimId] }, { $eq: ['$$b.s', s] }] };
    const others = { $filter: { input: '$busy', as: 'b', cond: { $not: [isIt] } } };
    const busy = placeholderId ? { $concatArrays: [others, [{ s, e, c: placeholderId, h: placeholderId }]] } : others;
    let isReplaced = true;
    for (const _id of dayIdsOf(element.resource, element.startMs, element.endMs)) {
      const isThere = {
        _id,
        busy: { $elemMatch: { c: claimId, s } },
        ...(placeholderId ? { gone: { $ne: placeholderId } } : {}),
      };
      isReplaced = (await this.update(system, isThere, [{ $set: { busy } }])) && isReplaced;
    }
    return isReplaced;
  }

  /** Removes a claim from days and records its release on each; false when a day does not exist, or had it recorded before. */
  async pull(ids: string[], claimId: string): Promise<boolean> {
    const { lessons = [], days = [] } = byKind(ids);
    await this.places.pullAll(lessons.map((lessonId) => [lessonId, [claimId]]));
    const update = { $pull: { busy: { c: claimId } }, $push: { gone: { $each: [claimId], $slice: -GONE_KEPT } } };
    const applied = await this.updateEach(
      system,
      days.map((_id) => ({ filter: { _id, gone: { $ne: claimId } }, update })),
    );
    return applied === days.length;
  }

  /** Removes claims from their days and records their release there, in one command; false when one of the days does not exist. */
  async pullAll(claimsOf: ReadonlyMap<string, readonly string[]>): Promise<boolean> {
    const { lessons = [], days = [] } = Object.groupBy([...claimsOf], ([id]) => (isLesson(id) ? 'lessons' : 'days'));
    await this.places.pullAll(lessons);
    const updates = days.map(([_id, ids]) => ({
      filter: { _id },
      update: [{ $set: { busy: withoutClaims(ids), gone: goneWith(ids) } }],
    }));
    return (await this.updateEach(system, updates)) === updates.length;
  }

  /** Closes time on these days, which exist afterwards, and in these lessons. Idempotent; it misses where the closure has ended. */
  async close(ids: string[], closure: ClosedTime): Promise<void> {
    const { lessons = [], days = [] } = byKind(ids);
    await this.insertMissing(days);
    await this.places.close(lessons, closure);
    await this.updateEach(
      system,
      days.map((_id) => ({
        filter: { _id, 'closed.id': { $ne: closure.id }, gone: { $ne: closure.id } },
        update: { $push: { closed: closure } },
      })),
    );
  }

  /** Ends a closure on these days and in these lessons, and records that: a late `close` misses. */
  async reopen(ids: string[], closureId: string): Promise<void> {
    const { lessons = [], days = [] } = byKind(ids);
    await this.places.reopen(lessons, closureId);
    const update = {
      $pull: { closed: { id: closureId } },
      $push: { gone: { $each: [closureId], $slice: -GONE_KEPT } },
    };
    await this.updateEach(
      system,
      days.map((_id) => ({ filter: { _id, gone: { $ne: closureId } }, update })),
    );
  }

  /** Removes the elements of a claim that these lessons and sessions hold, from all of their days. */
  async removeHolders(elements: ClaimElement[], claimId: string, holders: readonly string[]): Promise<void> {
    const update = { $pull: { busy: { c: claimId, h: { $in: holders } } } };
    const { lessons = [], days = [] } = byKind(dayIdsOn(elements));
    await this.places.removeHolders(lessons, claimId, holders);
    await this.updateEach(
      system,
      days.map((_id) => ({ filter: { _id }, update })),
    );
  }
}

/** The busy time of a day that other claims have, as an expression. */
const withoutClaims = (claimIds: readonly string[]) => ({
  $filter: { input: '$busy', as: 'b', cond: { $not: [{ $in: ['$$b.c', { $literal: claimIds }] }] } },
});

/** The ids of locks by where they are stored. */
const byKind = (ids: readonly string[]) => Object.groupBy(ids, (id) => (isLesson(id) ? 'lessons' : 'days'));

function lockOf(dayId: string, elements: ClaimElement[], claimId: string, excluded?: ExcludedClaim) {
  const filter = {
    _id: dayId,
    gone: { $ne: claimId },
    'busy.c': { $ne: claimId },
    closed: notClosed(elements),
    ...(elements[0]!.lanes === undefined
      ? { busy: nothingInTheWay(elements, excluded) }
      : { $expr: { $and: elements.map((element) => aLaneIsFree(element, excluded)) } }),
  };
  return { filter, update: { $push: { busy: { $each: placesOf(elements, claimId) } } } };
}

const MINUTE_MS = 60_000;

/**
 * Probe of the database engine for these locks: concurrent claims overlap; one wins on an instructor's day, and as many as
 * there are lanes on a pool's day. They begin at different times, so that no two claims are equal.
 */
const locksOfRacers = (what: string, winners: number, lanes?: number): EngineProbe => ({
  what,
  document: { busy: [], gone: [] },
  racer: (n, dayId) => {
    const span = { resource: what, startMs: n * MINUTE_MS, endMs: 60 * MINUTE_MS, holder: `racer ${n}` };
    return lockOf(dayId, [lanes === undefined ? span : { ...span, lanes }], `claim ${n}`);
  },
  winners,
  stored: ({ busy }: Day) => busy.length,
});
const LOCKS = [locksOfRacers('a time of an instructor', 1), locksOfRacers('the lanes of a pool', 3, 3)];
