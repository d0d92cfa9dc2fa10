import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, isDuplicate, Repository } from '@swim/mongo';
import type { CededTime, ClaimElement } from './claim.schema.js';
import { type BusyElement, type Day, daySchema } from './day.schema.js';

const GONE_KEPT = 64;

const scopeOf = (env: Environment) => asSystem(env, 'days belong to resources, not to accounts');

// "Fewer than N overlapping" would refuse 10–12 beside 10–11 and 11–12: what counts is the most at any one instant.
function aLaneIsFree({ startMs, endMs, holders, lanes }: ClaimElement, ceded?: CededTime): object {
  const [start, end] = [new Date(startMs), new Date(endMs)];
  const among = (input: unknown, ...conditions: object[]) => ({
    $filter: { input, as: 'b', cond: { $and: conditions } },
  });
  const laterStarts = {
    $map: { input: among('$$others', { $gt: ['$$b.s', start] }, { $lt: ['$$b.s', end] }), as: 'b', in: '$$b.s' },
  };
  const takenAt = { $size: among('$$others', { $lte: ['$$b.s', '$$at'] }, { $gt: ['$$b.e', '$$at'] }) };
  const most = { $max: { $map: { input: { $concatArrays: [[start], laterStarts] }, as: 'at', in: takenAt } } };
  const notCeded = ceded ? [{ $or: [{ $ne: ['$$b.c', ceded.claimId] }, { $ne: ['$$b.h', ceded.holders] }] }] : [];
  const others = among('$busy', { $ne: ['$$b.h', holders] }, ...notCeded);
  return { $lt: [{ $let: { vars: { others }, in: most } }, lanes] };
}

const nothingInTheWay = (elements: ClaimElement[], ceded?: CededTime) => ({
  $not: {
    $elemMatch: {
      $or: elements.map(({ startMs, endMs, holders }) => ({
        s: { $lt: new Date(endMs) },
        e: { $gt: new Date(startMs) },
        h: { $ne: holders },
        ...(ceded ? { $or: [{ c: { $ne: ceded.claimId } }, { h: { $ne: ceded.holders } }] } : {}),
      })),
    },
  },
});

/** Memory of the day documents: the locks. Every change is one conditional update of one document. */
@Injectable()
export class DaysRepository extends Repository<Day> {
  constructor(databases: Databases) {
    super(databases.collection('days', daySchema));
  }

  findByIds(env: Environment, ids: string[]): Promise<Day[]> {
    return this.lookUpAll(scopeOf(env), ids);
  }

  /** Whether on this day or a later one of its resource something is taken that ends after the instant. */
  async hasBusyAfter(env: Environment, dayId: string, atMs: number): Promise<boolean> {
    // A semicolon is what comes after the colon between resource and date.
    const pastLastDay = `${dayId.slice(0, dayId.lastIndexOf(':'))};`;
    const filter = { _id: { $gte: dayId, $lt: pastLastDay }, 'busy.e': { $gt: new Date(atMs) } };
    return (await this.findPicked(scopeOf(env), filter, [], { limit: 1 })).length > 0;
  }

  /** What is taken on each of any number of days, and by whom not. */
  findTaken(env: Environment, ids: string[]): Promise<{ _id: string; busy: Pick<BusyElement, 's' | 'e'>[] }[]> {
    return this.findPicked<'busy'>(scopeOf(env), { _id: { $in: ids } }, ['busy.s', 'busy.e'], { limit: ids.length });
  }

  /** Makes day documents that do not exist yet; racing makers are welcome. */
  async insertMissing(env: Environment, ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    try {
      const empty = ids.map((_id) => ({ _id, busy: [], gone: [] }));
      await this.model(scopeOf(env)).insertMany(empty, { lean: true, ordered: false });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }

  /**
   * Locks the elements' time on one day; false when something overlaps that is not ceded, or this claim was given up here
   * before.
   */
  push(
    env: Environment,
    [dayId, elements]: [string, ClaimElement[]],
    claimId: string,
    ceded?: CededTime,
  ): Promise<boolean> {
    const free = {
      _id: dayId,
      gone: { $ne: claimId },
      'busy.c': { $ne: claimId },
      ...(elements[0]!.lanes === undefined
        ? { busy: nothingInTheWay(elements, ceded) }
        : { $expr: { $and: elements.map((element) => aLaneIsFree(element, ceded)) } }),
    };
    const busy = elements.map(({ startMs, endMs, holders }) => ({
      s: new Date(startMs),
      e: new Date(endMs),
      c: claimId,
      h: holders,
    }));
    return this.update(scopeOf(env), free, { $push: { busy: { $each: busy } } });
  }

  /** Takes a claim off one day and remembers that it is gone. */
  async pull(env: Environment, dayId: string, claimId: string): Promise<void> {
    const given = { $pull: { busy: { c: claimId } }, $push: { gone: { $each: [claimId], $slice: -GONE_KEPT } } };
    await this.update(scopeOf(env), { _id: dayId, gone: { $ne: claimId } }, given);
  }

  /** Takes one holder off a claim's elements on one day; an element that nobody holds any more goes with it. */
  async removeHolder(env: Environment, dayId: string, claimId: string, sessionId: string): Promise<void> {
    const without = { $mergeObjects: ['$$b', { h: { $setDifference: ['$$b.h', [sessionId]] } }] };
    const left = { $map: { input: '$busy', as: 'b', in: { $cond: [{ $eq: ['$$b.c', claimId] }, without, '$$b'] } } };
    const held = { $filter: { input: left, as: 'b', cond: { $gt: [{ $size: '$$b.h' }, 0] } } };
    await this.update(scopeOf(env), { _id: dayId }, [{ $set: { busy: held } }]);
  }
}
