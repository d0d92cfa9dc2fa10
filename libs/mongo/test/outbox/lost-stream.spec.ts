import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { EventPublisher } from '@swim/messaging';
import { until } from '../../../testing/src/waiting/until.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { aContext, aLesson, counted, created, type Replica, startReplica, updated } from '../replica.js';

let harness: MongoHarness;
let replica: Replica;

beforeAll(async () => {
  harness = await startHarness();
  replica = await startReplica(harness);
});
afterAll(async () => {
  await replica?.stop();
  await harness?.stop();
});

const ids = async () =>
  (await harness.stored().catch(() => [])).map(({ event }) => `${event.objectId} ${event.n}`).sort();
const waiting = () =>
  harness
    .database()
    .collection('lessons')
    .countDocuments({ relayAt: { $exists: true } });

it('events published to a lost stream are published again to the next one', async () => {
  const lessons = await Promise.all(Array.from({ length: 20 }, () => replica.lessons.insert(aContext(), aLesson())));
  for (const { _id } of lessons) await replica.lessons.change(aContext(), _id, counted);
  const expected = lessons.flatMap(({ _id }) => [`${_id} 1`, `${_id} 2`]).sort();
  await until(async () => (await waiting()) === 0, 'all outboxes are empty');
  expect(await ids()).toEqual(expected);
  await harness.nats.kill();
  harness.nats.wipe();
  // Written while NATS is down: in its outbox.
  const late = await replica.lessons.insert(aContext(), aLesson());
  await harness.nats.restart();
  const all = [...expected, `${late._id} 1`].sort();
  await until(async () => JSON.stringify(await ids()) === JSON.stringify(all), 'the new stream holds all', 90_000);
});

it('events published more than an hour ago are published again before they are removed', async () => {
  const { _id } = await replica.lessons.insert(aContext(), aLesson());
  await until(async () => (await waiting()) === 0, 'all outboxes are empty');
  await harness.nats.kill();
  harness.nats.wipe();
  const published = harness.database().collection('published');
  await published.updateMany({}, { $set: { at: new Date(Date.now() - 7_200_000) } });
  await harness.nats.restart();
  await until(async () => (await ids()).includes(`${_id} 1`), 'the new stream holds it', 90_000);
  await until(async () => (await published.countDocuments({})) === 0, 'the record of it is removed', 90_000);
});

it('events of one write are published again as one message', async () => {
  const { _id } = await replica.lessons.insert(aContext(), aLesson(), [created, updated]);
  await until(async () => (await waiting()) === 0, 'all outboxes are empty');
  await harness.nats.kill();
  harness.nats.wipe();
  await harness.nats.restart();
  const own = () =>
    harness.stored().then(
      (stored) => stored.filter(({ event }) => event.objectId === _id),
      () => [],
    );
  const stored = await until(
    async () => ((await own()).length === 2 ? own() : null),
    'the new stream holds both',
    90_000,
  );
  expect(stored.map(({ event }) => event.n)).toEqual([1, 2]);
  expect(stored[1]!.sequence).toBe(stored[0]!.sequence);
});

it('an event is recorded for its stream when the service could not identify the stream at its start', async () => {
  jest.spyOn(EventPublisher.prototype, 'identifyStream').mockRejectedValueOnce(new Error('NATS does not answer'));
  const second = await startReplica(harness);
  try {
    const { _id } = await second.lessons.insert(aContext(), aLesson());
    const copy = async () => (await harness.copies()).find(({ objectId }) => objectId === _id);
    const { stream } = await until(copy, 'the event is recorded');
    expect(stream).toBe(await second.publisher.identifyStream('test'));
  } finally {
    await second.stop();
  }
});
