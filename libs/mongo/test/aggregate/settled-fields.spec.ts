import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { until } from '../../../testing/src/waiting/until.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { aContext, aLesson, counted, type Lesson, nobody, type Replica, startReplica } from '../replica.js';

let harness: MongoHarness;
let replica: Replica;
beforeAll(async () => {
  harness = await startHarness();
  replica = await startReplica(harness);
});
afterAll(async () => {
  await replica?.stop();
  await harness.stop();
});

const raw = () => harness.database().collection<Lesson>('lessons');
const isEmptied = async ({ _id }: Lesson) => (await raw().findOne({ _id }))!.outbox.length === 0;

it('fields to settle are set in the write that empties the outbox, unless the document has changed since', async () => {
  const { relay, lessons } = replica;
  const model = lessons.model(nobody);
  const updates = jest.spyOn(model, 'updateMany');
  const set = { title: 'settled' };
  const [whole, alone, changed] = await Promise.all([1, 2, 3].map(() => lessons.insert(aContext(), aLesson())));
  for (const each of [whole!, alone!, changed!]) await until(() => isEmptied(each), 'its outbox is empty');
  const moved = (await lessons.change(aContext(), whole!._id, counted))!.document;
  updates.mockClear();
  for (const { _id, rev } of [moved, alone!, { ...changed!, rev: 0 }]) relay.settle(model as never, { _id, rev, set });
  const titleOf = async ({ _id }: Lesson) => (await raw().findOne({ _id }))!.title;
  await until(() => updates.mock.calls.length === 3, 'all are updated');
  await until(async () => (await titleOf(alone!)) === 'settled', 'the one without events is settled');
  expect([await titleOf(moved), await isEmptied(moved)]).toEqual(['settled', true]);
  expect(await titleOf(changed!)).toBe(changed!.title);
  const emptied = { $set: { outbox: [], ...set }, $unset: { relayAt: 1 } };
  const expected = [
    [{ rev: moved.rev }, emptied],
    [{ rev: alone!.rev }, { $set: set }],
    [{ rev: 0 }, { $set: set }],
  ];
  expect(updates.mock.calls).toEqual(
    expected.map(([filter, update]) => [expect.objectContaining(filter!), update, expect.anything()]),
  );
  updates.mockRestore();
});
