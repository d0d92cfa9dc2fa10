import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasNotPassed, hasPassed, isDuplicate } from '../../src/index.js';
import { aLane, FAR_AHEAD, IDS, type Lanes, type LanesHarness, PAST, scope, startLanes } from '../lanes.js';
import { family } from '../replica.js';

let harness: LanesHarness;
beforeAll(async () => {
  harness = await startLanes();
});
afterAll(() => harness?.stop());
beforeEach(() => harness.reset());

type Write = (repository: Lanes, prefix: string, taker: string) => Promise<unknown>;

const at = fc.constantFrom(...IDS);
const nrs = fc.nat(2);
// Every kind of write that shares commands, and guards that depend on what earlier ones did.
const writes: fc.Arbitrary<[string, Write]> = fc.oneof(
  fc
    .record({ id: at, nr: nrs })
    .map(({ id, nr }): [string, Write] => [
      `${id}: ${nr} + 1`,
      (repository, prefix) => repository.update(scope, { _id: prefix + id, nr }, { $set: { nr: (nr + 1) % 3 } }),
    ]),
  fc
    .record({ id: at, most: nrs })
    .map(({ id, most }): [string, Write] => [
      `${id}: take one of ${most}`,
      (repository, prefix, taker) =>
        repository.update(
          scope,
          { _id: prefix + id, $expr: { $lt: [{ $size: '$taken' }, most] } },
          { $push: { taken: taker } },
        ),
    ]),
  at.map((id): [string, Write] => [
    `${id}: the same again`,
    (repository, prefix) => repository.update(scope, { _id: prefix + id }, { $set: { readers: [family.accountId] } }),
  ]),
  fc
    .record({ id: at, nr: nrs })
    .map(({ id, nr }): [string, Write] => [
      `${id}: a pipeline above ${nr}`,
      (repository, prefix) =>
        repository.update(scope, { _id: prefix + id, nr: { $gt: nr } }, [{ $set: { nr: { $subtract: ['$nr', 1] } } }]),
    ]),
  at.map((id): [string, Write] => [
    `${id}: once past`,
    (repository, prefix) => repository.updateIf(scope, { _id: prefix + id }, hasPassed('until'), { until: FAR_AHEAD }),
  ]),
  fc.record({ id: at, nr: nrs, ahead: fc.boolean() }).map(({ id, nr, ahead }): [string, Write] => [
    `${id}: ${nr} + 1 until ${ahead}`,
    (repository, prefix) =>
      repository.updateIf(scope, { _id: prefix + id, nr }, hasNotPassed(ahead ? FAR_AHEAD : PAST), {
        nr: { $add: ['$nr', 1] },
      }),
  ]),
  fc.record({ ids: fc.uniqueArray(at, { minLength: 1 }), nr: nrs }).map(({ ids, nr }): [string, Write] => [
    `${ids}: each ${nr} to 0`,
    (repository, prefix) =>
      repository.updateEach(
        scope,
        ids.map((id) => ({ filter: { _id: prefix + id, nr }, update: { $set: { nr: 0 } } })),
      ),
  ]),
  // A code that another lane has, or one of its own: between two lanes of a command the order of their ids decides.
  fc
    .record({ id: at, isOwn: fc.boolean() })
    .map(({ id, isOwn }): [string, Write] => [
      `${id}: code of its own: ${isOwn}`,
      (repository, prefix) =>
        repository.update(scope, { _id: prefix + id }, { $set: { code: `${prefix}${isOwn ? id : 'named'}` } }),
    ]),
  fc
    .nat(3)
    .map((nr): [string, Write] => [
      `insert ${nr}`,
      (repository, prefix) => repository.tryInsert(scope, aLane(`${prefix}new ${nr}`)),
    ]),
);

const outcomeOf = (write: Promise<unknown>) => write.catch((error) => (isDuplicate(error) ? 'duplicate' : 'failed'));

describe('random writes of one turn', () => {
  it('have the outcomes and leave the documents of the same writes one by one', async () => {
    const run = async (all: [string, Write][]) => {
      await harness.stored().deleteMany({});
      const given = (prefix: string) => [
        ...IDS.map((id) => aLane(prefix + id)),
        { ...aLane(`${prefix}named`), code: `${prefix}named` },
      ];
      await harness.stored().insertMany(['1', '2'].flatMap(given));
      const together = all.map(([, write], index) => outcomeOf(write(harness.own, '1', `swimmer ${index}`)));
      const outcomes = await Promise.all(together);
      const oneByOne: unknown[] = [];
      for (const [index, [, write]] of all.entries())
        oneByOne.push(await outcomeOf(write(harness.other, '2', `swimmer ${index}`)));
      expect(outcomes).toEqual(oneByOne);
      const left = (await harness.lanes()).map((lane) => ({ ...lane, code: lane.code?.slice(1) }));
      const of = (prefix: string) =>
        left.filter(({ _id }) => _id.startsWith(prefix)).map((lane) => ({ ...lane, _id: lane._id.slice(1) }));
      expect(of('1')).toEqual(of('2'));
    };
    const some = fc.array(writes, { minLength: 2, maxLength: 12 });
    await fc.assert(fc.asyncProperty(some, run), { numRuns: 25 });
  });
});

const CAPACITY = 24;
const take = (repository: Lanes, _id: string, taker: string) =>
  repository.update(scope, { _id, [`taken.${CAPACITY - 1}`]: { $exists: false } }, { $push: { taken: taker } });
describe('two processes that write the same documents in opposite orders', () => {
  interface Taken {
    id: string;
    taker: string;
    outcome: unknown;
  }

  async function race(id: string, n: number, taker: string): Promise<Taken> {
    const repository = n % 2 ? harness.own : harness.other;
    const outcome = await take(repository, id, taker).catch(harness.reasonOf);
    return { id, taker, outcome };
  }

  // A request is `true` only if it took the lane, `false` only if it did not, and otherwise nobody knows.
  async function assertTaken(all: Taken[]): Promise<void> {
    const taken = new Map((await harness.lanes()).map((lane) => [lane._id, lane.taken]));
    for (const [id, takers] of taken) {
      expect(takers.length).toBeLessThanOrEqual(CAPACITY);
      expect(new Set(takers).size).toBe(takers.length);
      const known = all.filter((each) => each.id === id && typeof each.outcome === 'boolean');
      const wrong = known.filter(({ taker, outcome }) => takers.includes(taker) !== outcome);
      expect(wrong).toEqual([]);
    }
    const outcomes = new Set(all.map(({ outcome }) => outcome));
    for (const known of [true, false, 'unavailable', 'overloaded']) outcomes.delete(known);
    expect([...outcomes]).toEqual([]);
  }

  const volley = (round: number, ids = IDS) =>
    Promise.all(
      Array.from({ length: 32 }, (_, n) => race((n % 2 ? ids : [...ids].reverse())[(n >> 1) % 4]!, n, `${round}/${n}`)),
    );

  it('learn their outcomes, and wait for each other without a deadlock', async () => {
    const all = (await Promise.all([0, 1, 2, 3].map((round) => volley(round)))).flat();
    expect(all.filter(({ outcome }) => outcome === true)).toHaveLength(CAPACITY * IDS.length);
    expect(all.filter(({ outcome }) => outcome === false)).toHaveLength(all.length - CAPACITY * IDS.length);
    await assertTaken(all);
  });

  it('learn no wrong outcome while connections break at random', async () => {
    const all: Taken[] = [];
    let runs = 0;
    const breakage = fc.array(fc.record({ lost: fc.boolean(), afterMs: fc.nat(12) }), { minLength: 3, maxLength: 3 });
    const run = async (breaks: { lost: boolean; afterMs: number }[]) => {
      // The server may still execute commands of the former run, whose connections broke: each run has documents of its own.
      runs += 1;
      const ids = IDS.map((id) => `${runs}${id}`);
      await harness.stored().insertMany(ids.map((id) => aLane(id)));
      all.length = 0;
      for (const [round, { lost, afterMs }] of breaks.entries()) {
        const volleyed = volley(round, ids);
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        if (lost) harness.proxy.disturb({ loseAnswers: true });
        else harness.proxy.cut();
        // Longer, and the requests that wait for a connection fail only after seconds.
        await new Promise((resolve) => setTimeout(resolve, 5));
        harness.proxy.disturb({});
        all.push(...(await volleyed));
      }
      await assertTaken(all);
    };
    await fc.assert(fc.asyncProperty(breakage, run), { numRuns: 5, endOnFailure: true });
  });
});

describe('the removal of a document that another process changes at the same moment', () => {
  // On the offline engine a removal of one document, in place of all that match, leaves about one of 40.
  it('removes it when it matches before and after the change', async () => {
    for (let round = 0; round < 40; round++) {
      const lanes = Array.from({ length: 8 }, (_, n) => ({ ...aLane(`${round}/${n}`), code: `${round}/${n}` }));
      await harness.stored().insertMany(lanes);
      await Promise.all([
        ...lanes.map(({ _id, code }) => harness.own.remove(scope, { _id, code: code! })),
        ...lanes.map(({ _id }) => harness.stored().updateOne({ _id }, { $set: { nr: 1 } })),
      ]);
    }
    expect((await harness.lanes()).map(({ _id }) => _id)).toEqual(IDS);
  });
});
