import { Injectable } from '@nestjs/common';
import { asSystem, Databases, type EngineProbe, Repository } from '@swim/mongo';
import { dayIdsOf, dayIdsOn } from './claim.rules.js';
import type { ClaimElement, ExcludedClaim } from './claim.schema.js';
import { type BusyElement, type Day, daySchema } from './day.schema.js';

const GONE_KEPT = 64;

const system = asSystem('days belong to resources, not to accounts');

// "Fewer than N overlapping" would reject 10–12 beside 10–11 and 11–12: the maximum at any instant counts.
function aLaneIsFree({ startMs, endMs, holders, lanes }: ClaimElement, excluded?: ExcludedClaim): object {
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
    ? [{ $or: [{ $ne: ['$$b.c', excluded.claimId] }, { $ne: ['$$b.h', excluded.holders] }] }]
    : [];
  const others = among('$busy', { $ne: ['$$b.h', holders] }, ...notExcluded);
  return { $lt: [{ $let: { vars: { others }, in: most } }, lanes] };
}

const nothingInTheWay = (elements: ClaimElement[], excluded?: ExcludedClaim) => ({
  $not: {
    $elemMatch: {
      $or: elements.map(({ startMs, endMs, holders }) => ({
        s: { $lt: new Date(endMs) },
        e: { $gt: new Date(startMs) },
        h: { $ne: holders },
        ...(excluded ? { $or: [{ c: { $ne: excluded.claimId } }, { h: { $ne: excluded.holders } }] } : {}),
      })),
    },
  },
});

/** Storage of the day documents: the locks. Every change is one conditional update of one document. */
@Injectable()
export class DaysRepository extends Repository<Day> {
  constructor(databases: Databases) {
    super(databases.collection('days', daySchema));
    databases.prove(LOCKS);
  }

  findByIds(ids: string[]): Promise<Day[]> {
    return this.lookUpAll(system, ids);
  }

  /** Whether this day or a later one of its resource contains taken time that ends after the instant. */
  async hasBusyAfter(dayId: string, atMs: number): Promise<boolean> {
    // In ASCII a semicolon follows the colon between resource and date.
    const pastLastDay = `${dayId.slice(0, dayId.lastIndexOf(':'))};`;
    const filter = { _id: { $gte: dayId, $lt: pastLastDay }, 'busy.e': { $gt: new Date(atMs) } };
    return (await this.findPicked(system, filter, [], { limit: 1 })).length > 0;
  }

  /** The taken time of these days, without its holders. */
  findTaken(ids: string[]): Promise<{ _id: string; busy: Pick<BusyElement, 's' | 'e'>[] }[]> {
    return this.findPicked<'busy'>(system, { _id: { $in: ids } }, ['busy.s', 'busy.e'], { limit: ids.length });
  }

  /** Inserts the day documents that do not exist; safe to run concurrently. */
  async insertMissing(ids: string[]): Promise<void> {
    await this.tryInsertAll(
      system,
      ids.map((_id) => ({ _id, busy: [], gone: [] })),
    );
  }

  /**
   * Inserts day documents with the lock of a claim on each; false when one of them exists, which stays unchanged. A day on
   * which this claim was released exists.
   */
  insertLocked(byDay: [string, ClaimElement[]][], claimId: string): Promise<boolean> {
    return this.tryInsertAll(
      system,
      byDay.map(([_id, elements]) => ({ _id, busy: busyOf(elements, claimId), gone: [] })),
    );
  }

  /**
   * Locks the elements' time on one day; false when an element overlaps one that is not excluded, or this claim was released
   * here before.
   */
  push([dayId, elements]: [string, ClaimElement[]], claimId: string, excluded?: ExcludedClaim): Promise<boolean> {
    const { filter, update } = lockOf(dayId, elements, claimId, excluded);
    return this.update(system, filter, update);
  }

  /** As `push`, for several days in one command; returns how many it locked, but not which. */
  pushAll(byDay: [string, ClaimElement[]][], claimId: string, excluded?: ExcludedClaim): Promise<number> {
    return this.updateEach(
      system,
      byDay.map(([dayId, elements]) => lockOf(dayId, elements, claimId, excluded)),
    );
  }

  /**
   * Replaces a claim's element by a placeholder's, on each day in one update; null removes the element. Misses when the
   * placeholder was released before; returns whether it missed nowhere.
   */
  async replace(claimId: string, element: ClaimElement, placeholderId: string | null): Promise<boolean> {
    const [s, e] = [new Date(element.startMs), new Date(element.endMs)];
    const isIt = { $and: [{ $eq: ['$$b.c', claimId] }, { $eq: ['$$b.s', s] }] };
    const others = { $filter: { input: '$busy', as: 'b', cond: { $not: [isIt] } } };
    const busy = placeholderId ? { $concatArrays: [others, [{ s, e, c: placeholderId, h: [placeholderId] }]] } : others;
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

  /** Removes a claim from days and records its release on each; false when one does not exist, or had it recorded before. */
  async pull(dayIds: string[], claimId: string): Promise<boolean> {
    const update = { $pull: { busy: { c: claimId } }, $push: { gone: { $each: [claimId], $slice: -GONE_KEPT } } };
    const applied = await this.updateEach(
      system,
      dayIds.map((_id) => ({ filter: { _id, gone: { $ne: claimId } }, update })),
    );
    return applied === dayIds.length;
  }

  /** Removes claims from their days and records their release there, in one command; false when one of the days does not exist. */
  async pullAll(claimsOf: ReadonlyMap<string, readonly string[]>): Promise<boolean> {
    const updates = [...claimsOf].map(([_id, ids]) => ({
      filter: { _id },
      update: { $pull: { busy: { c: { $in: ids } } }, $push: { gone: { $each: ids, $slice: -GONE_KEPT } } },
    }));
    return (await this.updateEach(system, updates)) === updates.length;
  }

  /** Removes one holder from these elements of a claim, on all of their days; an element without holders is removed. */
  async removeHolderOf(elements: ClaimElement[], claimId: string, sessionId: string): Promise<void> {
    const without = { $mergeObjects: ['$$b', { h: { $setDifference: ['$$b.h', [sessionId]] } }] };
    const left = { $map: { input: '$busy', as: 'b', in: { $cond: [{ $eq: ['$$b.c', claimId] }, without, '$$b'] } } };
    const held = { $filter: { input: left, as: 'b', cond: { $gt: [{ $size: '$$b.h' }, 0] } } };
    await this.updateEach(
      system,
      dayIdsOn(elements).map((_id) => ({ filter: { _id }, update: [{ $set: { busy: held } }] })),
    );
  }
}

function lockOf(dayId: string, elements: ClaimElement[], claimId: string, excluded?: ExcludedClaim) {
  const filter = {
    _id: dayId,
    gone: { $ne: claimId },
    'busy.c': { $ne: claimId },
    ...(elements[0]!.lanes === undefined
      ? { busy: nothingInTheWay(elements, excluded) }
      : { $expr: { $and: elements.map((element) => aLaneIsFree(element, excluded)) } }),
  };
  return { filter, update: { $push: { busy: { $each: busyOf(elements, claimId) } } } };
}

const busyOf = (elements: ClaimElement[], claimId: string): BusyElement[] =>
  elements.map(({ startMs, endMs, holders }) => ({
    s: new Date(startMs),
    e: new Date(endMs),
    c: claimId,
    h: holders,
  }));

const MINUTE_MS = 60_000;

/**
 * Probe of the database engine for these locks: concurrent claims overlap; one wins on an instructor's day, and as many as
 * there are lanes on a pool's day. They begin at different times, so that no two claims are equal.
 */
const locksOfRacers = (what: string, winners: number, lanes?: number): EngineProbe => ({
  what,
  document: { busy: [], gone: [] },
  racer: (n, dayId) => {
    const span = { resource: what, startMs: n * MINUTE_MS, endMs: 60 * MINUTE_MS, holders: [`racer ${n}`] };
    return lockOf(dayId, [lanes === undefined ? span : { ...span, lanes }], `claim ${n}`);
  },
  winners,
  stored: ({ busy }: Day) => busy.length,
});
const LOCKS = [locksOfRacers('a time of an instructor', 1), locksOfRacers('the lanes of a pool', 3, 3)];
