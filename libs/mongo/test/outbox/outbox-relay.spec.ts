import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { BusEvent, Environment } from '@swim/contracts';
import { derivedId, newId } from '@swim/platform';
import { until } from '../../../testing/src/waiting/until.js';
import { type MongoHarness, startHarness } from '../harness.js';
import {
  aContext,
  aLesson,
  counted,
  created,
  family,
  type Lesson,
  nobody,
  type Replica,
  startReplica,
  updated,
} from '../replica.js';

const HOUR_MS = 3_600_000;
let harness: MongoHarness;
let running: Replica[] = [];

beforeAll(async () => {
  harness = await startHarness();
});
afterEach(async () => {
  await Promise.all(running.map((replica) => replica.stop()));
  running = [];
});
afterAll(async () => {
  await harness.stop();
});

const start = async (): Promise<Replica> => {
  const replica = await startReplica(harness);
  running.push(replica);
  return replica;
};
const raw = (env: Environment = 'test') => harness.database(env).collection<Lesson>('lessons');
const eventsOf = async (id: string, env: Environment = 'test') =>
  (await harness.stored(env)).filter(({ event }) => event.objectId === id).map(({ event }) => event);
/** How many messages of the stream contain the events of this object. */
const messagesOf = async (id: string) =>
  new Set((await harness.stored()).filter(({ event }) => event.objectId === id).map(({ sequence }) => sequence)).size;
const ordinals = async (id: string) => (await eventsOf(id)).map(({ n }) => n);
const isRelayed = async (ids: string[], env: Environment = 'test') => {
  const lessons = await raw(env)
    .find({ _id: { $in: ids } })
    .toArray();
  return (
    lessons.length === ids.length &&
    lessons.every(({ outbox, relayAt }) => outbox.length === 0 && relayAt === undefined)
  );
};
// A failed event is retried after five seconds, and once more.
const RELAYED_WITHIN_MS = 180_000;
const awaitRelayed = (ids: string[]) => until(() => isRelayed(ids), 'all outboxes are empty', RELAYED_WITHIN_MS);

const anEvent = (objectId: string, n = 1, type = 'member.created'): BusEvent => ({
  id: derivedId('evt', objectId, String(n)),
  n,
  type,
  env: 'test',
  occurredAt: new Date().toISOString(),
  audience: [family.accountId],
  objectId,
  object: { n },
  cause: { requestId: null, accountId: family.accountId, idempotencyKey: null, actor: 'system' },
});

/** The state after a crash right after the write: events in the outbox, overdue by default. */
async function leftBehind(more: Partial<Lesson> = {}, events = 1): Promise<Lesson> {
  const lesson = aLesson();
  const now = new Date();
  const outbox = Array.from({ length: events }, (_, index) => anEvent(lesson._id, index + 1));
  const managed = { rev: 1, eventCount: events, outbox, relayAt: new Date(0), ops: [], createdAt: now, updatedAt: now };
  const left: Lesson = { ...lesson, ...managed, ...more };
  await raw().insertOne(left);
  return left;
}

describe('the relay', () => {
  it('publishes each change at once, in the order of the object, and empties the outbox', async () => {
    const { lessons } = await start();
    const all = await Promise.all(Array.from({ length: 4 }, () => lessons.insert(aContext(), aLesson())));
    await Promise.all(
      all.map(async ({ _id }) => {
        for (let change = 0; change < 15; change++) await lessons.change(aContext(), _id, counted);
      }),
    );
    await awaitRelayed(all.map(({ _id }) => _id));
    const expected = Array.from({ length: 16 }, (_, index) => index + 1);
    for (const { _id } of all) expect(await ordinals(_id)).toEqual(expected);
  });

  it('publishes the events of one write as one message, and those of several as several', async () => {
    const { lessons } = await start();
    const { _id } = await lessons.insert(aContext(), aLesson(), [created, updated]);
    await awaitRelayed([_id]);
    expect([await ordinals(_id), await messagesOf(_id)]).toEqual([[1, 2], 1]);
    await lessons.change(aContext(), _id, counted);
    await awaitRelayed([_id]);
    expect([await ordinals(_id), await messagesOf(_id)]).toEqual([[1, 2, 3], 2]);
  });

  it('publishes concurrent batches of one object one after the other', async () => {
    const { relay, lessons } = await start();
    const { _id, outbox } = await leftBehind({ relayAt: new Date(Date.now() + HOUR_MS) }, 6);
    for (const events of [outbox.slice(0, 3), outbox.slice(3, 5), outbox.slice(5)]) {
      relay.send(lessons.model(nobody) as never, { _id, outbox: events });
    }
    await awaitRelayed([_id]);
    expect(await ordinals(_id)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('publishes on the stream of the environment, under the type and the object', async () => {
    const { lessons } = await start();
    const context = aContext({ principal: { ...family, env: 'live' } });
    const { _id } = await lessons.insert(context, aLesson());
    await until(() => isRelayed([_id], 'live'), 'it is relayed');
    const [stored] = await harness.stored('live');
    expect(stored).toMatchObject({ subject: `event.live.people.member.created.${_id}`, event: { env: 'live' } });
    expect(await eventsOf(_id)).toEqual([]);
  });

  it('removes the published events from the outbox, and keeps later ones', async () => {
    const { relay, lessons } = await start();
    const left = await leftBehind({ relayAt: new Date(Date.now() + HOUR_MS) }, 2);
    relay.send(lessons.model(nobody) as never, { ...left, outbox: left.outbox.slice(0, 1) });
    await until(async () => (await raw().findOne({ _id: left._id }))!.outbox.length < 2, 'the first is marked');
    const after = await raw().findOne({ _id: left._id });
    expect(after!.outbox).toEqual(left.outbox.slice(1));
    expect(after!.relayAt).toEqual(left.relayAt);
    expect(await ordinals(left._id)).toEqual([1]);
  });

  it('empties the outboxes of many documents at once, and keeps an event that was added to one since', async () => {
    const { relay, lessons } = await start();
    const later = { relayAt: new Date(Date.now() + HOUR_MS) };
    const all = await Promise.all(Array.from({ length: 20 }, () => leftBehind(later)));
    const [changed] = all as [Lesson];
    const added = anEvent(changed._id, 2);
    await raw().updateOne({ _id: changed._id }, { $set: { rev: 2 }, $push: { outbox: added } });
    for (const each of all) relay.send(lessons.model(nobody) as never, each);
    const [, ...others] = all.map(({ _id }) => _id);
    await awaitRelayed(others);
    await until(async () => (await raw().findOne({ _id: changed._id }))!.outbox.length < 2, 'the first is marked');
    expect(await raw().findOne({ _id: changed._id })).toMatchObject({ ...later, outbox: [added] });
  });

  it('publishes each event once when a sweep comes before the write that removes it from the outbox', async () => {
    const { lessons } = await start();
    const model = lessons.model(nobody);
    const updateMany = model.updateMany.bind(model) as (...harness: unknown[]) => Promise<unknown>;
    const swept = Promise.withResolvers<unknown>();
    const held = async (filter: object, ...more: unknown[]): Promise<unknown> => {
      if ('relayAt' in filter) return updateMany(filter, ...more).finally(() => swept.resolve(undefined));
      return swept.promise.then(() => updateMany(filter, ...more));
    };
    const spy = jest.spyOn(model, 'updateMany').mockImplementation(held as never);
    const all = await Promise.all(Array.from({ length: 20 }, () => lessons.insert(aContext(), aLesson())));
    await awaitRelayed(all.map(({ _id }) => _id));
    spy.mockRestore();
    for (const { _id } of all) expect(await ordinals(_id)).toEqual([1]);
  });

  it('publishes and marks earlier events before it stops', async () => {
    const replica = await start();
    const all = await Promise.all(Array.from({ length: 20 }, () => replica.lessons.insert(aContext(), aLesson())));
    await replica.stop();
    expect(await isRelayed(all.map(({ _id }) => _id))).toBe(true);
    for (const { _id } of all) expect(await ordinals(_id)).toEqual([1]);
  });

  it('waits for the marks in progress before it stops', async () => {
    const { relay, lessons } = await start();
    const model = lessons.model(nobody);
    const done: string[] = [];
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    let isMarking = false;
    const updateMany = model.updateMany.bind(model) as (...harness: unknown[]) => Promise<unknown>;
    const held = async (...harness: unknown[]): Promise<unknown> => {
      isMarking = true;
      await opened;
      const outcome = await updateMany(...harness);
      done.push('marked');
      return outcome;
    };
    const spy = jest.spyOn(model, 'updateMany').mockImplementation(held as never);
    const { _id } = await lessons.insert(aContext(), aLesson());
    await until(() => isMarking, 'it is being marked');
    const stopping = relay.beforeApplicationShutdown().then(() => done.push('stopped'));
    await ordinals(_id);
    open();
    await stopping;
    spy.mockRestore();
    expect(done).toEqual(['marked', 'stopped']);
  });
});

describe('events after a crash', () => {
  it('before their publication are published by the next process, in order', async () => {
    const left = await Promise.all([leftBehind({}, 3), leftBehind({}, 1)]);
    await start();
    await awaitRelayed(left.map(({ _id }) => _id));
    expect(await Promise.all(left.map(({ _id }) => ordinals(_id)))).toEqual([[1, 2, 3], [1]]);
  });

  it('between publication and mark are published again under the same id, and stored once', async () => {
    const replica = await start();
    const published = await harness.watchPublished();
    const event = anEvent(newId('mem'));
    await replica.publisher.publish(event);
    const left = await leftBehind({ _id: event.objectId, outbox: [event] });
    await awaitRelayed([left._id]);
    await until(() => published.filter((id) => id === event.id).length >= 2, 'it was published twice');
    expect(await eventsOf(left._id)).toEqual([event]);
  });

  it('are published again as the messages of their writes, each of which is stored once', async () => {
    const replica = await start();
    const published = await harness.watchPublished();
    const id = newId('mem');
    const [first, second] = ['2027-03-01T16:00:00.000Z', '2027-03-01T16:00:01.000Z'].map((occurredAt, index) =>
      [2 * index + 1, 2 * index + 2].map((n) => ({ ...anEvent(id, n), occurredAt })),
    ) as [BusEvent[], BusEvent[]];
    for (const events of [first, second]) await replica.publisher.publishAll(events);
    await leftBehind({ _id: id, outbox: [...first, ...second] });
    await awaitRelayed([id]);
    await until(() => published.filter((each) => each === first[0]!.id).length >= 2, 'they were published twice');
    expect([await ordinals(id), await messagesOf(id)]).toEqual([[1, 2, 3, 4], 2]);
  });

  it('are published once by any number of relays', async () => {
    const left = await Promise.all(Array.from({ length: 60 }, () => leftBehind({}, 2)));
    await Promise.all([start(), start(), start()]);
    await awaitRelayed(left.map(({ _id }) => _id));
    const stored = await harness.stored();
    for (const { _id, outbox } of left) {
      const ids = stored.filter(({ event }) => event.objectId === _id).map(({ event }) => event.id);
      expect(ids.sort()).toEqual(outbox.map(({ id }) => id).sort());
    }
  });

  it('that are recent are left to the process that wrote them', async () => {
    const recent = await leftBehind({ relayAt: new Date(Date.now() + HOUR_MS) });
    const overdue = await leftBehind();
    await start();
    await awaitRelayed([overdue._id]);
    expect((await raw().findOne({ _id: recent._id }))!.outbox).toEqual(recent.outbox);
    expect(await ordinals(recent._id)).toEqual([]);
  });

  it('that can never be published do not block others', async () => {
    const id = newId('mem');
    await leftBehind({ _id: id, outbox: [anEvent(id, 1, 'not a subject')] });
    const sound = await leftBehind();
    await start();
    await awaitRelayed([sound._id]);
    expect((await raw().findOne({ _id: id }))!.outbox).toHaveLength(1);
    await raw().deleteOne({ _id: id });
  });
});

describe('an outage of NATS', () => {
  it('loses nothing: events written meanwhile are published when the server is back', async () => {
    const { lessons } = await start();
    const before = await lessons.insert(aContext(), aLesson());
    await harness.nats.kill();
    const during = await Promise.all(Array.from({ length: 10 }, () => lessons.insert(aContext(), aLesson())));
    for (let change = 0; change < 3; change++) await lessons.change(aContext(), before._id, counted);
    await harness.nats.restart();
    await awaitRelayed([before, ...during].map(({ _id }) => _id));
    // Those that the server stored without an answer are stored again.
    const distinct = async (id: string) => [...new Set(await ordinals(id))].sort();
    expect(await distinct(before._id)).toEqual([1, 2, 3, 4]);
    for (const { _id } of during) expect(await distinct(_id)).toEqual([1]);
    expect((await lessons.get(before._id)).eventCount).toBe(4);
  });
});
