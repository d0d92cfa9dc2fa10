import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { AppError, createLogger, eventsTotal, newId, TooEarly } from '@swim/platform';
import type { TestNats } from '../../testing/src/servers/nats-server.js';
import { until } from '../../testing/src/waiting/until.js';
import {
  connectNats,
  DEAD_LETTERS,
  EventPublisher,
  eventStream,
  eventSubject,
  type RunningService,
} from '../src/index.js';
import { aBus, anEvent, type Behaviour, type LessonEvent, startClient, startReplica } from './sample-service.js';

let nats: TestNats;
let manager: JetStreamManager;
let publisher: EventPublisher;
let client: Awaited<ReturnType<typeof startClient>>;
let running: RunningService[] = [];

const listen = async (behaviour: Omit<Behaviour, 'name'>, maxAttempts?: number): Promise<void> => {
  running.push(await startReplica(nats.url, { name: 'a', ...behaviour }, maxAttempts));
};
const messages = async () => (await manager.streams.info(eventStream('test'))).state.messages;
const deadLetters = async () => (await manager.streams.info(DEAD_LETTERS)).state.messages;
const isDrained = async () => {
  const { num_ack_pending, num_pending } = await manager.consumers.info(eventStream('test'), 'people');
  return num_ack_pending === 0 && num_pending === 0;
};

/** The first events of an object, of one write. */
const ofOneWrite = (count: number, more: Partial<LessonEvent> = {}): LessonEvent[] => {
  const objectId = newId('bkg');
  const occurredAt = new Date().toISOString();
  return Array.from({ length: count }, (_, index) => anEvent(objectId, index + 1, { occurredAt, ...more }));
};

beforeEach(async () => {
  nats = await aBus();
  client = await startClient(nats.url);
  manager = await jetstreamManager(client.connection);
  publisher = new EventPublisher('booking', client.connection);
});
afterEach(async () => {
  await Promise.all(running.map((service) => service.stop()));
  running = [];
  await client.stop();
  await nats.stop();
});

describe('the events of one write', () => {
  it('are one message of the stream, delivered to the listener of their type in order', async () => {
    const received: LessonEvent[] = [];
    await listen({
      handle: async (event) => {
        await new Promise((resolve) => setTimeout(resolve, event.n === 1 ? 20 : 0));
        received.push(event);
      },
    });
    const events = ofOneWrite(3);
    expect(await publisher.publishAll(events)).toEqual([undefined, undefined, undefined]);
    expect(await messages()).toBe(1);
    await until(isDrained, 'the message is acknowledged');
    expect(received).toEqual(events);
  });

  it('are delivered to the listener of all events in order, without waiting for each other', async () => {
    const received: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    await listen({
      handleAll: async ({ id }) => {
        if (received.push(id) === 3) resolve();
        await promise;
      },
    });
    const events = ofOneWrite(3);
    await publisher.publishAll(events);
    await until(isDrained, 'the message is acknowledged');
    expect(received).toEqual(events.map(({ id }) => id));
  });

  it('that are published twice are stored once', async () => {
    const events = ofOneWrite(2);
    for (let time = 0; time < 3; time++) await publisher.publishAll(events);
    expect(await messages()).toBe(1);
  });

  it('are stored beside earlier ones with their numbers, as come again after a restore of the database', async () => {
    const [event] = ofOneWrite(1);
    for (const occurredAt of [event!.occurredAt, new Date(0).toISOString()])
      await publisher.publish({ ...event!, occurredAt });
    expect(await messages()).toBe(2);
  });

  it('of which one has been published alone are all delivered', async () => {
    const received: number[] = [];
    await listen({ handle: async ({ n }) => void received.push(n) });
    const events = ofOneWrite(2);
    await publisher.publish(events[0]!);
    await publisher.publishAll(events);
    await until(() => received.length === 3, 'all are delivered');
    expect(received).toEqual([1, 1, 2]);
    expect(await messages()).toBe(2);
  });

  it('are delivered again when the second has failed, and the first is not handled again', async () => {
    const received: [number, number][] = [];
    await listen({
      handle: async ({ n }, { attempt }) => {
        received.push([n, attempt]);
        if (n === 2 && attempt < 3) throw new Error('not now');
      },
    });
    await publisher.publishAll(ofOneWrite(2));
    await until(isDrained, 'the message is acknowledged');
    expect(received).toEqual([
      [1, 1],
      [2, 1],
      [2, 2],
      [2, 3],
    ]);
    expect(await deadLetters()).toBe(0);
  });

  it('have outcomes of their own when they are of several messages', async () => {
    const [sound] = ofOneWrite(1);
    const [unsound] = ofOneWrite(1, { type: 'no subject' });
    const [first, second] = await publisher.publishAll([sound!, unsound!]);
    expect([first, second]).toEqual([undefined, expect.any(Error)]);
    expect(await messages()).toBe(1);
  });
});

describe('the events of a message', () => {
  it('are handled by another process when the one that has them stops', async () => {
    const received: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    await listen({
      handle: async ({ id }) => {
        if (received.push(id) > 1) resolve();
        throw new Error('this process cannot handle it');
      },
    });
    const events = ofOneWrite(6);
    await publisher.publishAll(events);
    await promise;
    await running.pop()!.stop();
    received.length = 0;
    await listen({ handle: async ({ id }) => void received.push(id) });
    await until(isDrained, 'the message is acknowledged');
    expect(new Set(received)).toEqual(new Set(events.map(({ id }) => id)));
  });

  it('are not handled again while one of them fails', async () => {
    const tries = new Map<string, number>();
    const events = ofOneWrite(6);
    const failing = events[2]!.id;
    await listen({
      handle: async ({ id }, { attempt }) => {
        tries.set(id, (tries.get(id) ?? 0) + 1);
        if (id === failing && attempt < 4) throw new Error('not now');
      },
    });
    await publisher.publishAll(events);
    await until(isDrained, 'the message is acknowledged');
    expect(Object.fromEntries(tries)).toEqual(Object.fromEntries(events.map(({ id }) => [id, id === failing ? 4 : 1])));
  });

  it('are counted as consumed once each', async () => {
    const consumed = async () => {
      const { values } = await eventsTotal.get();
      return values.find(({ labels }) => labels.outcome === 'consumed')?.value ?? 0;
    };
    const before = await consumed();
    const events = ofOneWrite(4);
    await listen({
      handle: async ({ id }, { attempt }) => {
        if (id === events[1]!.id && attempt < 3) throw new Error('not now');
      },
    });
    await publisher.publishAll(events);
    await until(isDrained, 'the message is acknowledged');
    expect((await consumed()) - before).toBe(4);
  });

  it('all fail when their message is not stored', async () => {
    const connection = await connectNats(nats.url, 'booking', createLogger('tests', 'silent'));
    const disconnected = new EventPublisher('booking', connection);
    await connection.close();
    expect(await disconnected.publishAll(ofOneWrite(4))).toEqual(Array(4).fill(expect.any(Error)));
  });
});

describe('an event of several that can never be handled', () => {
  /** Publishes other events too: while none is handled, the cause might be the listener. */
  const publishAmongOthers = async (events: LessonEvent[]): Promise<void> => {
    await publisher.publishAll(events);
    await until(async () => {
      await publisher.publish(anEvent(newId('bkg'), 1));
      return (await deadLetters()) > 0 && (await isDrained());
    }, 'it is among the dead letters');
  };

  it('goes to the dead letters as if it had been published alone, and the other is handled', async () => {
    const handled: string[] = [];
    const [first, second] = ofOneWrite(2) as [LessonEvent, LessonEvent];
    await listen(
      {
        handle: async ({ id }) => {
          if (id === second.id) throw new Error('cannot be handled');
          handled.push(id);
        },
      },
      2,
    );
    await publishAmongOthers([first, second]);
    expect(handled).toContain(first.id);
    expect(await deadLetters()).toBe(1);
    const letter = await manager.streams.getMessage(DEAD_LETTERS, { last_by_subj: 'dead.>' });
    expect(letter!.subject).toBe(`dead.people.${eventSubject('booking', second)}`);
    expect(letter!.json()).toEqual(second);
  });

  it('does not keep one that waited for it from being handled', async () => {
    const handled: string[] = [];
    const [first, second] = ofOneWrite(2) as [LessonEvent, LessonEvent];
    let isFirstTried = false;
    await listen(
      {
        handleAll: async ({ id }) => {
          if (id === first.id) {
            isFirstTried = true;
            throw new Error('cannot be handled');
          }
          const waits = isFirstTried;
          isFirstTried = false;
          if (id === second.id && waits) throw new TooEarly();
          handled.push(id);
        },
      },
      2,
    );
    await publishAmongOthers([first, second]);
    expect(handled).toContain(second.id);
    expect(await deadLetters()).toBe(1);
  });

  it('is one dead letter, counted once, however often the other is tried', async () => {
    const counted = async () => {
      const { values } = await eventsTotal.get();
      return values.find(({ labels }) => labels.outcome === 'dead')?.value ?? 0;
    };
    const before = await counted();
    const [first, second] = ofOneWrite(2) as [LessonEvent, LessonEvent];
    let tries = 0;
    await listen(
      {
        handle: async ({ id }) => {
          if (id === first.id) throw new Error('cannot be handled');
          if (id === second.id && ++tries < 6) throw new AppError('unavailable');
        },
      },
      1,
    );
    await publishAmongOthers([first, second]);
    expect(tries).toBe(6);
    expect(await deadLetters()).toBe(1);
    expect((await counted()) - before).toBe(1);
  });

  it.each([
    ['[]', 1],
    ['[null, 1]', 2],
  ])('may be no event at all: %s', async (body, letters) => {
    const handleAll = async (event: unknown) => {
      if (event === 1) throw new Error('no event');
    };
    await listen({ handleAll }, 1);
    const subject = eventSubject('booking', anEvent('bkg_broken', 1));
    await jetstream(client.connection).publish(subject, body);
    await publisher.publish(anEvent(newId('bkg'), 1));
    await until(isDrained, 'nothing is left to do');
    expect(await deadLetters()).toBe(letters);
  });
});

it('an event of a type that a replica does not know is left to one of another version', async () => {
  await listen({ handle: async () => undefined });
  const event = anEvent(newId('bkg'), 1, { type: 'booking.created' });
  await publisher.publish(event);
  const consumer = () => manager.consumers.info(eventStream('test'), 'people');
  await until(async () => (await consumer()).num_redelivered > 0, 'it is delivered again');
  const received: string[] = [];
  await listen({ handleAll: async ({ id }) => void received.push(id) });
  await until(isDrained, 'it is acknowledged');
  expect([received, await deadLetters()]).toEqual([[event.id], 0]);
});
