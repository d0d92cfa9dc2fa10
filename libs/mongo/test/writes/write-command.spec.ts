import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import mongoose from 'mongoose';
import { executeAll } from '../../src/commands/write-command.js';
import { aLane, IDS, type LanesHarness, scope, startLanes } from '../lanes.js';

let harness: LanesHarness;
beforeAll(async () => {
  harness = await startLanes();
});
afterAll(() => harness?.stop());
beforeEach(() => harness.reset());

const model = () => harness.own.model(scope);
const codes = (errors: ReadonlyMap<number, Error>) =>
  [...errors].map(([index, error]) => [index, (error as { code?: unknown }).code]);
const ids = async () => (await harness.lanes()).map(({ _id }) => _id);

describe('a command of several statements', () => {
  it('executes each, and names those that failed by their index', async () => {
    const { matched, errors } = await executeAll(model(), 'insert', ['x', 'a', 'y', 'b'].map(aLane));
    expect([matched, codes(errors)]).toEqual([
      2,
      [
        [1, 11_000],
        [3, 11_000],
      ],
    ]);
    expect(await ids()).toEqual([...IDS, 'x', 'y']);
  });

  it('in order ends at the first that fails', async () => {
    const lanes = ['x', 'a', 'y'].map(aLane);
    const { errors } = await executeAll(model(), 'insert', lanes, { ordered: true });
    expect(codes(errors)).toEqual([[1, 11_000]]);
    expect(await ids()).toEqual([...IDS, 'x']);
  });

  it('counts the documents that were matched, and those that were modified', async () => {
    const updates = IDS.map((_id, index) => ({ q: { _id }, u: { $set: { nr: index % 2 } } }));
    expect(await executeAll(model(), 'update', updates)).toMatchObject({ matched: 4, modified: 2 });
    expect(await executeAll(model(), 'delete', [{ q: { _id: { $in: ['a', 'b'] } }, limit: 0 }])).toMatchObject({
      matched: 2,
    });
    expect(await ids()).toEqual(['c', 'd']);
  });

  it.each([
    ['each by itself', false, ['a', 'b', 'c', 'd', 'x', 'y', 'z']],
    ['in order', true, ['a', 'b', 'c', 'd', 'x']],
  ])('is several commands when its statements are too large for one, %s', async (_, ordered, expected) => {
    const large = ['x', 'a', 'y', 'b', 'z'].map((id) => ({ ...aLane(id), taken: ['t'.repeat(6_000_000)] }));
    const { matched, errors } = await executeAll(model(), 'insert', large as never[], { ordered });
    expect(harness.commands).toEqual(Array(ordered ? 2 : 5).fill('insert'));
    expect([matched, [...errors.keys()]]).toEqual(ordered ? [1, [1]] : [3, [1, 3]]);
    expect(await ids()).toEqual(expected);
  });

  it('is not sent when an update would replace its document, or there is none', async () => {
    for (const u of [{ nr: 1 }, { nr: 1, $push: { taken: 'x' } }, { $set: { nr: 1 }, nr: 1 }, {}])
      await expect(executeAll(model(), 'update', [{ q: { _id: 'a' }, u }])).rejects.toThrow(
        'An update needs operators.',
      );
    expect((await executeAll(model(), 'insert', [])).errors.size).toBe(0);
    expect(harness.commands).toEqual([]);
  });

  it('has the write concern of the connection, and fails as a whole when the server does not reach it', async () => {
    const client = model().db.getClient();
    const stated = { w: 'majority', journal: true, wtimeoutMS: 5_000 };
    const options = jest.replaceProperty(client, 'options', { ...client.options, writeConcern: stated } as never);
    const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' };
    const failure = new mongoose.mongo.MongoWriteConcernError({ ok: 1, writeConcernError });
    const command = jest.spyOn(model().db.db!, 'command').mockRejectedValueOnce(failure);
    const error: unknown = await executeAll(model(), 'insert', [aLane('x')]).catch((reason: unknown) => reason);
    expect(command.mock.calls[0]![0]).toMatchObject({ writeConcern: { w: 'majority', j: true, wtimeout: 5_000 } });
    expect(harness.reasonOf(error)).toBe('unavailable');
    command.mockRestore();
    options.restore();
  });
});
