import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { derivedId, newId, timeOfId } from '@swim/platform';
import { until } from '../../../testing/src/waiting/until.js';
import { PublishedEvents } from '../../src/outbox/published-events.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { aContext, aLesson, counted, type Lesson, type Lessons, type Replica, startReplica } from '../replica.js';

let harness: MongoHarness;
let replica: Replica;
let lessons: Lessons;

beforeAll(async () => {
  harness = await startHarness();
  replica = await startReplica(harness);
  lessons = replica.lessons;
});
afterAll(async () => {
  await replica?.stop();
  await harness?.stop();
});

const raw = () => harness.database().collection<Lesson>('lessons');
const idsOf = (all: readonly { _id: string }[]) => all.map(({ _id }) => _id);
const eventsOf = async (id: string) =>
  (await harness.stored()).filter(({ event }) => event.objectId === id).map(({ event }) => event);
const areEmptied = async (ids: string[]) =>
  (await raw().countDocuments({ _id: { $in: ids }, relayAt: { $exists: true } })) === 0;
/** How many copies of events about one of these are kept. */
const copiesOf = async (ids: string[]) =>
  (await harness.copies()).filter(({ objectId }) => ids.includes(objectId)).length;

it('several new aggregates are returned in the requested order, and stored without their events, which are kept', async () => {
  const all = [aLesson({ title: 'b' }), aLesson({ title: 'a' }), aLesson({ title: 'c' })].reverse();
  const { documents, published } = await lessons.insertAll(aContext(), all);
  expect(idsOf(documents)).toEqual(idsOf(all));
  for (const document of documents) {
    expect(document).toMatchObject({ eventCount: 1, outbox: [] });
    expect(await raw().findOne({ _id: document._id })).toEqual(document);
  }
  await published;
  expect(await copiesOf(idsOf(all))).toBeGreaterThan(0);
  for (const id of idsOf(all)) expect((await eventsOf(id)).map(({ n }) => n)).toEqual([1]);
});

it('the events of several new aggregates are those of single ones, before the events of later changes', async () => {
  const [one, alone] = [aLesson(), aLesson()];
  const context = aContext();
  const { published } = await lessons.insertAll(context, [one]);
  await lessons.change(aContext(), one._id, counted);
  await lessons.insert(context, alone);
  await published;
  await until(() => areEmptied([one._id, alone._id]), 'all outboxes are empty');
  const [[first, second], [ofSingle]] = await Promise.all([eventsOf(one._id), eventsOf(alone._id)]);
  const own = { id: derivedId('evt', one._id, '1'), objectId: one._id, occurredAt: timeOfId(one._id).toISOString() };
  expect(first).toEqual({ ...ofSingle, ...own, object: { ...(ofSingle!.object as object), id: one._id } });
  expect(second).toMatchObject({ n: 2, type: 'member.updated' });
});

it('several new aggregates, of which an earlier run made some, are returned as they are now, and the others made', async () => {
  const all = [aLesson(), aLesson(), aLesson(), aLesson()].reverse();
  await lessons.insert(aContext(), all[1]!);
  await lessons.insert(aContext(), all[2]!);
  await lessons.change(aContext(), all[1]!._id, counted);
  const { documents, published } = await lessons.insertAll(aContext(), all);
  const expected = all.map(({ _id }, index) => [_id, index === 1 ? 1 : 0]);
  expect(documents.map(({ _id, count }) => [_id, count])).toEqual(expected);
  await published;
  await until(() => areEmptied(idsOf(all)), 'all outboxes are empty');
  const ordinalsOf = async (id: string) => [...new Set((await eventsOf(id)).map(({ n }) => n))].sort();
  expect(await Promise.all(idsOf(all).map(ordinalsOf))).toEqual([[1], [1, 2], [1], [1]]);
});

it('several new aggregates made by concurrent runs are stored once each', async () => {
  const all = Array.from({ length: 5 }, () => aLesson());
  const answers = await Promise.all(Array.from({ length: 8 }, () => lessons.insertAll(aContext(), all)));
  for (const { documents } of answers) expect(idsOf(documents)).toEqual(idsOf(all));
  await Promise.all(answers.map(({ published }) => published));
  expect(await raw().countDocuments({ _id: { $in: idsOf(all) } })).toBe(5);
});

it('several new aggregates that could not be published are published by a later run', async () => {
  const all = [aLesson(), aLesson()];
  const failure = new Error('NATS does not answer');
  const failing = jest.spyOn(replica.publisher, 'publishAll').mockRejectedValue(failure);
  const { published } = await lessons.insertAll(aContext(), all);
  await expect(published).rejects.toBe(failure);
  failing.mockRestore();
  expect(await copiesOf(idsOf(all))).toBe(0);
  await (await lessons.insertAll(aContext(), all)).published;
  expect(await copiesOf(idsOf(all))).toBeGreaterThan(0);
  for (const id of idsOf(all)) expect((await eventsOf(id)).map(({ n }) => n)).toEqual([1]);
});

it('several new aggregates are not published before copies of their events are stored', async () => {
  const failure = new Error('the database does not answer');
  const failing = jest.spyOn(PublishedEvents.prototype, 'insert').mockRejectedValueOnce(failure);
  const { published } = await lessons.insertAll(aContext(), [aLesson()]);
  await expect(published).rejects.toBe(failure);
  failing.mockRestore();
});

it('several new aggregates are rejected when another one has a unique value of theirs', async () => {
  const code = newId('key');
  await lessons.insert(aContext(), aLesson({ code }));
  const rejected = lessons.insertAll(aContext(), [aLesson(), aLesson({ code })]);
  await expect(rejected).rejects.toMatchObject({ reason: 'already_exists' });
});
