import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Deadline } from '@swim/platform';
import { until } from '../../../testing/src/waiting/until.js';
import { isDuplicate } from '../../src/index.js';
import { aLane, IDS, type LanesHarness, scope, startLanes } from '../lanes.js';
import { family, stranger } from '../replica.js';

let harness: LanesHarness;
beforeAll(async () => {
  harness = await startLanes();
});
afterAll(() => harness?.stop());
beforeEach(() => harness.reset());

const increment = (_id: string, nr: number) => harness.own.update(scope, { _id, nr }, { $inc: { nr: 1 } });

describe('conditional updates of one turn', () => {
  it('share a command, and each learns its outcome by one read', async () => {
    expect(await Promise.all(IDS.map((id, index) => increment(id, index % 2)))).toEqual([true, false, true, false]);
    expect(harness.commands).toEqual(['update', 'find']);
    expect((await harness.lanes()).map(({ nr }) => nr)).toEqual([1, 0, 1, 0]);
  });

  it.each([
    ['all found their documents', 0, true],
    ['none found its document', 7, false],
  ])('need no read when %s', async (_, nr, outcome) => {
    expect(new Set(await Promise.all(IDS.map((id) => increment(id, nr))))).toEqual(new Set([outcome]));
    expect(harness.commands).toEqual(['update']);
  });

  it('of which one is alone stores no token', async () => {
    expect(await increment('a', 0)).toBe(true);
    expect(
      await harness.own.updateEach(
        scope,
        ['b', 'c'].map((_id, nr) => ({ filter: { _id, nr }, update: { $inc: { nr: 1 } } })),
      ),
    ).toBe(1);
    expect(harness.commands).toEqual(['update', 'update']);
    expect(await harness.stored().countDocuments({ w: { $exists: true } })).toBe(0);
  });

  it('of one document are applied one after the other, in the order of the requests', async () => {
    const outcomes = await Promise.all([0, 1, 1, 2].map((nr) => increment('a', nr)));
    expect(outcomes).toEqual([true, true, false, true]);
    expect((await harness.lanes())[0]!.nr).toBe(3);
    expect(harness.commands).toEqual(['update', 'find']);
  });

  it('of one document share a command only in such a number that their tokens are kept', async () => {
    expect(await Promise.all(Array.from({ length: 20 }, (_, nr) => increment('a', nr)))).toEqual(Array(20).fill(true));
    expect(harness.commands).toEqual(['update', 'update', 'update']);
    expect((await harness.stored().findOne({ _id: 'a' }))!.w).toHaveLength(16);
  });

  it('return documents without tokens', async () => {
    await Promise.all([increment('a', 0), increment('b', 1)]);
    expect(await harness.stored().countDocuments({ w: { $exists: true } })).toBe(1);
    expect(JSON.stringify(await harness.own.findMany(scope, {}))).not.toContain('"w"');
  });

  it('keep to the scope of each request', async () => {
    const of = (account: typeof family, _id: string) => harness.own.update(account, { _id }, { $inc: { nr: 1 } });
    const outcomes = [of(family, 'a'), of(stranger, 'b'), increment('c', 0), of(stranger, 'd')];
    expect(await Promise.all(outcomes)).toEqual([true, false, true, false]);
    expect((await harness.lanes()).map(({ nr }) => nr)).toEqual([1, 0, 1, 0]);
    expect(harness.commands).toEqual(['update', 'find']);
  });

  it('fail each by itself: a unique value that is taken, a field that is not in the schema', async () => {
    const name = (_id: string) => harness.own.update(scope, { _id }, { $set: { code: 'first' } });
    const outcomes = await Promise.allSettled([
      name('a'),
      name('b'),
      harness.own.update(scope, { _id: 'c', nor: 0 }, { $set: { nr: 1 } }),
      increment('d', 0),
      increment('c', 1),
    ]);
    const applied = outcomes.map((each) => (each.status === 'fulfilled' ? each.value : null));
    expect(applied).toEqual([true, null, null, true, false]);
    expect(isDuplicate((outcomes[1] as PromiseRejectedResult).reason)).toBe(true);
    expect((outcomes[2] as PromiseRejectedResult).reason.message).toContain('nor');
    expect((await harness.lanes()).map(({ nr, code }) => [nr, code ?? 'none'])).toEqual([
      [0, 'first'],
      [0, 'none'],
      [0, 'none'],
      [1, 'none'],
    ]);
  });

  it('are not sent after the deadline of their request', async () => {
    harness.proxy.disturb({ latencyMs: 1_000 });
    const first = increment('a', 0);
    await new Promise(setImmediate);
    const late = harness.own.update(scope, { _id: 'b' }, { $inc: { nr: 1 } }, new Deadline(20));
    await expect(late).rejects.toMatchObject({ reason: 'deadline_exceeded' });
    expect(await first).toBe(true);
    expect((await harness.lanes())[1]!.nr).toBe(0);
  });
});

describe('an update that shared a command', () => {
  it('has an unknown outcome, as after a lost answer, when later writes have pushed its token out', async () => {
    harness.proxy.disturb({ latencyMs: 200 });
    const outcomes = Promise.allSettled([increment('a', 0), increment('b', 1)]);
    await until(async () => (await harness.stored().findOne({ _id: 'a' }))!.w !== undefined, 'it is applied');
    await harness.stored().updateMany({}, { $set: { w: [] } });
    const reasons = (await outcomes).map((each) => harness.reasonOf((each as PromiseRejectedResult).reason));
    expect(reasons).toEqual(['unavailable', 'unavailable']);
    expect((await harness.lanes())[0]!.nr).toBe(1);
  });

  it('has an unknown outcome when the answer is lost, and is not sent again', async () => {
    harness.proxy.disturb({ loseAnswers: true });
    const outcomes = await Promise.allSettled([
      increment('a', 0),
      increment('b', 0),
      harness.own.tryInsert(scope, aLane('e')),
    ]);
    harness.proxy.disturb({});
    expect(outcomes.map((each) => harness.reasonOf((each as PromiseRejectedResult).reason))).toEqual(
      Array(3).fill('unavailable'),
    );
    expect((await harness.lanes()).map(({ nr }) => nr)).toEqual([1, 1, 0, 0, 0]);
  });
});

describe('inserts of one turn', () => {
  it('share a command, and each learns whether its own document existed', async () => {
    const named = (_id: string, code: string) => harness.own.tryInsert(scope, { ...aLane(_id), code });
    const inserts = [
      harness.own.tryInsert(scope, aLane('a')),
      named('y', 'north'),
      harness.own.tryInsertAll(scope, [aLane('z'), aLane('b')]),
      named('x', 'south'),
      harness.own.tryInsertAll(scope, [aLane('v'), aLane('u')]),
    ];
    expect(await Promise.all(inserts)).toEqual([false, true, false, true, true]);
    expect(harness.commands).toEqual(['insert']);
    expect(await named('t', 'north')).toBe(false);
    expect((await harness.lanes()).map(({ _id }) => _id)).toEqual(['a', 'b', 'c', 'd', 'u', 'v', 'x', 'y', 'z']);
  });
});

describe('an unknown field in an update', () => {
  it('is ignored as in an update that mongoose executes', async () => {
    const update = { $set: { nr: 5, nor: 1 } };
    const options = { asSystem: 'a test' } as object;
    await harness.own.model(scope).updateOne({ _id: 'a' }, update, options);
    await harness.own.update(scope, { _id: 'b' }, update);
    const [first, second] = await harness.lanes();
    expect({ ...second, _id: 'a' }).toEqual(first);
    const unknown = () => harness.own.update(scope, { _id: 'c' }, { $set: { nor: 1 } });
    expect(await Promise.all([unknown(), increment('d', 0)])).toEqual([false, true]);
    expect(await unknown()).toBe(false);
  });
});
