import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { listEvents, type Principal } from '@swim/contracts';
import { DEAD_LETTERS, eventStream, type RunningService } from '@swim/messaging';
import { newId } from '@swim/platform';
import { aPrincipal, ChaosProxy, startHarness, type TestHarness, until } from '@swim/testing';
import mongoose from 'mongoose';
import { aHistory, anEvent, publish, publishTwin } from '../bus.js';
import { startHere, waitForPredecessors } from '../in-process.js';

let harness: TestHarness;
let proxy: ChaosProxy;
let manager: JetStreamManager;
let service: RunningService | undefined;

const listed = async (principal: Principal) => {
  const query = { after_sequence: 0, limit: 100 };
  const { items } = await harness.call(listEvents, query, { principal });
  return items.map(({ sequence, data }) => ({ sequence, n: data.object.n }));
};
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ sequence: index + 1, n: index + 1 }));
const consumer = () => manager.consumers.info(eventStream('test'), 'notification');
const waiting = () => harness.database('notification_test').collection('waiting_events').countDocuments();
const deadLetters = async () => (await manager.streams.info(DEAD_LETTERS)).state.messages;

beforeAll(async () => {
  harness = await startHarness();
  proxy = await ChaosProxy.before(harness.env.MONGODB_URI!);
  Object.assign(process.env, { MONGODB_URI: proxy.uri, EVENT_MAX_ATTEMPTS: '3' });
  manager = await jetstreamManager(harness.connection);
});
beforeEach(async () => {
  await waitForPredecessors(1_000);
  service = await startHere();
});
afterEach(async () => {
  await service?.stop();
});
afterAll(async () => {
  await proxy?.close();
  await harness?.stop();
});

describe('an event that is delivered again', () => {
  it('is stored once, also when the stream contains it twice and the service was restarted', async () => {
    const reader = aPrincipal();
    const events = aHistory(3, { audience: [reader.accountId] });
    await publish(harness, events);
    await until(async () => (await listed(reader)).length === 3, 'all are listed');
    for (const event of events) await publishTwin(harness, event);
    await service!.stop();
    for (const event of events) await publishTwin(harness, event);
    service = await startHere();
    const last = anEvent({ audience: [reader.accountId], object: { n: 4 } });
    await publish(harness, [last]);
    await until(async () => (await listed(reader)).some(({ n }) => n === 4), 'the last is listed');
    await until(
      async () => (await consumer()).num_pending + (await consumer()).num_ack_pending === 0,
      'all are consumed',
    );
    expect(await listed(reader)).toEqual(numbered(4));
  });
});

describe('an event delivered before its predecessor', () => {
  it('waits for it, however far apart they arrive', async () => {
    const reader = aPrincipal();
    const events = aHistory(4, { audience: [reader.accountId] });
    for (const n of [4, 2, 3]) await publish(harness, [events[n - 1]!]);
    await until(async () => (await waiting()) === 3, 'they wait');
    expect(await listed(reader)).toEqual([]);
    await publish(harness, [events[0]!]);
    await until(async () => (await listed(reader)).length === 4, 'all are listed');
    expect(await listed(reader)).toEqual(numbered(4));
  });

  it('waits until every account has the predecessor', async () => {
    const [family, school] = [aPrincipal(), aPrincipal()];
    const [first, second] = aHistory(2, { audience: [family.accountId, school.accountId] });
    await publish(harness, [first!]);
    await until(async () => (await listed(family)).length + (await listed(school)).length === 2, 'both have the first');
    await service!.stop();
    // The state after a crash between the two inserts.
    await harness.database('notification_test').collection('events').deleteOne({ account: school.accountId });
    service = await startHere();
    await publish(harness, [second!]);
    await until(async () => (await waiting()) === 1, 'the second waits');
    expect([await listed(family), await listed(school)]).toEqual([numbered(1), []]);
    await publishTwin(harness, first!);
    await until(async () => (await listed(family)).length + (await listed(school)).length === 4, 'both have both');
    expect([await listed(family), await listed(school)]).toEqual([numbered(2), numbered(2)]);
  });

  it('blocks no event of another object, however many wait, and is listed after a restart too', async () => {
    const [reader, other] = [aPrincipal(), aPrincipal()];
    const histories = Array.from({ length: 300 }, () => aHistory(2, { audience: [reader.accountId] }));
    await Promise.all(histories.map(([, second]) => publish(harness, [second!])));
    await publish(harness, aHistory(3, { audience: [other.accountId] }));
    await until(async () => (await listed(other)).length === 3, 'the other account has its events');
    await until(
      async () => (await consumer()).num_pending + (await consumer()).num_ack_pending === 0,
      'all are consumed',
    );
    expect([await waiting(), await listed(reader)]).toEqual([300, []]);
    await service!.stop();
    service = await startHere();
    await Promise.all(histories.map(([first]) => publish(harness, [first!])));
    const query = { limit: 1 };
    const count = async () => (await harness.call(listEvents, query, { principal: reader })).pagination.total;
    await until(async () => (await count()) === 600, 'all are listed');
    await until(async () => (await waiting()) === 0, 'none waits any more');
  });

  it('is stored without it after a time-out', async () => {
    await waitForPredecessors(1);
    const reader = aPrincipal();
    const [, second, third] = aHistory(3, { audience: [reader.accountId] });
    await publish(harness, [second!, third!]);
    await until(async () => (await listed(reader)).length === 2, 'both are listed');
    expect(await listed(reader)).toEqual([
      { sequence: 1, n: 2 },
      { sequence: 2, n: 3 },
    ]);
  });
});

describe('a poisoned event', () => {
  it('goes to the dead letters and blocks no other object, and finally not even its own', async () => {
    await waitForPredecessors(1);
    const before = await deadLetters();
    const [reader, other] = [aPrincipal(), aPrincipal()];
    const [first, second] = aHistory(2, { audience: [reader.accountId] });
    const { audience: _, ...poisoned } = first!;
    const subject = `event.test.booking.${first!.type}.${first!.objectId}`;
    await jetstream(harness.connection).publish(subject, JSON.stringify(poisoned));
    await jetstream(harness.connection).publish(`event.test.booking.booking.created.${newId('bkg')}`, 'no JSON');
    await publish(harness, [second!]);
    await publish(harness, aHistory(30, { audience: [other.accountId] }));
    await until(async () => (await listed(other)).length === 30, 'the other account has all of its events');
    expect(await listed(other)).toEqual(numbered(30));
    await until(async () => (await deadLetters()) === before + 2, 'both are among the dead letters');
    const letter = await manager.streams.getMessage(DEAD_LETTERS, { last_by_subj: `dead.notification.${subject}` });
    expect(letter!.json()).toEqual(poisoned);
    await until(async () => (await listed(reader)).length === 1, 'the second event of its object is listed');
    await until(async () => (await consumer()).num_ack_pending === 0, 'nothing is left to do');
  });
});

describe('when the database’s connections break repeatedly', () => {
  it('an event is not dead-lettered for it, however often it fails while others succeed', async () => {
    const before = await deadLetters();
    const [reader, other] = [aPrincipal(), aPrincipal()];
    const { EventsRepository } = await import('../../src/events/events.repository.js');
    const repository = service!.app.get(EventsRepository, { strict: false });
    const { insertInOrder } = repository;
    let failures = 0;
    let isOtherListed = false;
    repository.insertInOrder = (documents) => {
      const isOthers = documents.every(({ account }) => account === other.accountId);
      if (isOthers || (isOtherListed && ++failures > 4)) return insertInOrder.call(repository, documents);
      return Promise.reject(new mongoose.mongo.MongoNetworkError('connection closed'));
    };
    await publish(harness, [anEvent({ audience: [other.accountId] }), anEvent({ audience: [reader.accountId] })]);
    await until(async () => (await listed(other)).length === 1, 'what came with it is listed');
    isOtherListed = true;
    await until(async () => (await listed(reader)).length === 1, 'it is listed');
    expect(failures).toBeGreaterThan(4);
    expect(await listed(other)).toHaveLength(1);
    expect(await deadLetters()).toBe(before);
  });

  it('no event is lost, duplicated or out of order', async () => {
    const before = await deadLetters();
    const readers = Array.from({ length: 3 }, () => aPrincipal());
    const histories = readers.map(({ accountId }) => aHistory(40, { audience: [accountId] }));
    const publishing = Promise.all(histories.map((events) => publish(harness, events)));
    const isDone = async () => {
      const lists = await Promise.all(readers.map((reader) => listed(reader).catch(() => [])));
      return lists.every(({ length }) => length === 40);
    };
    for (let cut = 0; cut < 5; cut++) {
      const { delivered } = await consumer();
      proxy.cut();
      const goesOn = async () => (await consumer()).delivered.consumer_seq > delivered.consumer_seq || (await isDone());
      await until(goesOn, 'it goes on');
    }
    await publishing;
    await until(isDone, 'all are listed');
    for (const reader of readers) expect(await listed(reader)).toEqual(numbered(40));
    expect(await deadLetters()).toBe(before);
  });
});
