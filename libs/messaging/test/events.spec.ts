import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { AppError, newId, TooEarly } from '@swim/platform';
import type { TestNats } from '../../testing/src/servers/nats-server.js';
import { ofSeveralTries } from '../../testing/src/waiting/several-tries.js';
import { until } from '../../testing/src/waiting/until.js';
import type { RunningService } from '../src/index.js';
import { DEAD_LETTERS, EventPublisher, eventStream, eventSubject } from '../src/index.js';
import { aBus, anEvent, type Behaviour, gate, type LessonEvent, startClient, startReplica } from './sample-service.js';

const ACK_WAIT_MS = 5_000;
let nats: TestNats;
let manager: JetStreamManager;
let publisher: EventPublisher;
let client: Awaited<ReturnType<typeof startClient>>;
const running: RunningService[] = [];

const listen = async (handle: Behaviour['handle'], maxAttempts?: number): Promise<RunningService> => {
  const service = await startReplica(nats.url, { name: 'a', handle: handle! }, maxAttempts);
  running.push(service);
  return service;
};

const consumer = () => manager.consumers.info(eventStream('test'), 'people');
const deadLetters = async () => (await manager.streams.info(DEAD_LETTERS)).state.messages;
/** Publishes them concurrently, in batches small enough for each acknowledgement to arrive in time. */
const publishAll = async (events: LessonEvent[]) => {
  for (let from = 0; from < events.length; from += 25)
    await Promise.all(events.slice(from, from + 25).map((event) => publisher.publish(event)));
};
const isDrained = async () => {
  const { num_ack_pending, num_pending } = await consumer();
  return num_ack_pending === 0 && num_pending === 0;
};

beforeEach(async () => {
  nats = await aBus();
  client = await startClient(nats.url);
  manager = await jetstreamManager(client.connection);
  publisher = new EventPublisher('booking', client.connection);
});
const stopListening = () => Promise.all(running.splice(0).map((service) => service.stop()));
afterEach(async () => {
  await stopListening();
  await client.stop();
  await nats.stop();
});

describe('an event', () => {
  it('is delivered as published, in both environments, and acknowledged', async () => {
    const received: LessonEvent[] = [];
    await listen(async (event) => void received.push(event));
    const sent = [anEvent(newId('bkg'), 1), anEvent(newId('bkg'), 1, { env: 'live' })];
    for (const event of sent) await publisher.publish(event);
    await until(() => received.length === 2, 'both are delivered');
    expect(received).toEqual(expect.arrayContaining(sent));
    await until(isDrained, 'it is acknowledged');
  });

  it('that was published before the service first started is delivered', async () => {
    const early = await startReplica(nats.url, { name: 'makes the streams' });
    await early.stop();
    const event = anEvent(newId('bkg'), 1);
    await publisher.publish(event);
    const received: LessonEvent[] = [];
    await listen(async (one) => void received.push(one));
    await until(() => received.length === 1, 'it is delivered');
    expect(received).toEqual([event]);
  });

  it('published twice under its id is stored and delivered once', async () => {
    const received: string[] = [];
    await listen(async (event) => void received.push(event.id));
    const [repeated, last] = [anEvent(newId('bkg'), 1), anEvent(newId('bkg'), 1)];
    for (let time = 0; time < 5; time++) await publisher.publish(repeated);
    await publisher.publish(last);
    await until(() => received.includes(last.id), 'the last is delivered');
    expect(received).toEqual([repeated.id, last.id]);
    expect((await manager.streams.info(eventStream('test'))).state.messages).toBe(2);
  });

  it('is redelivered after its listener failed, and is then acknowledged', async () => {
    const attempts: number[] = [];
    await listen(async (_, { attempt }) => {
      attempts.push(attempt);
      if (attempt < 3) throw new Error('not now');
    });
    await publisher.publish(anEvent(newId('bkg'), 1));
    await until(() => attempts.length === 3, 'it is delivered a third time');
    await until(isDrained, 'it is acknowledged');
    expect(attempts).toEqual([1, 2, 3]);
    expect(await deadLetters()).toBe(0);
  });

  const isHandledOnce = async () => {
    await stopListening();
    const attempts: number[] = [];
    const { opened, open } = gate();
    for (const _ of ['a', 'b']) {
      await listen(async (_, { attempt }) => {
        attempts.push(attempt);
        await opened;
      });
    }
    await publisher.publish(anEvent(newId('bkg'), 1));
    await until(() => attempts.length === 1, 'it is delivered');
    const beganMs = performance.now();
    await until(() => performance.now() - beganMs > ACK_WAIT_MS + 1_500, 'the acknowledgement wait is over');
    open();
    await until(isDrained, 'it is acknowledged');
    expect(attempts).toEqual([1]);
  };
  it('with a slow listener is not redelivered to another replica meanwhile', () => ofSeveralTries(isHandledOnce));

  it('is delivered to one of the replicas', async () => {
    const received: string[] = [];
    const replicas = new Set<string>();
    for (const name of ['a', 'b']) {
      await listen(async (event) => {
        received.push(event.id);
        replicas.add(name);
        await new Promise((resolve) => setTimeout(resolve, 2));
      });
    }
    await until(async () => (await consumer()).num_waiting >= 2, 'both wait for events');
    const events = Array.from({ length: 200 }, () => anEvent(newId('bkg'), 1));
    await publishAll(events);
    await until(() => received.length >= 200, 'all are delivered');
    await until(isDrained, 'all are acknowledged');
    expect([...received].sort()).toEqual(events.map(({ id }) => id).sort());
    expect(replicas).toEqual(new Set(['a', 'b']));
  });
});

describe('the order of an object', () => {
  it('is kept however long each listener takes, while other objects are processed concurrently', async () => {
    const received = new Map<string, number[]>();
    const { opened, open } = gate();
    let begun = 0;
    await listen(async ({ objectId, n }) => {
      // The first event of each object ends only once those of three are in progress.
      if (n === 1 && ++begun === 3) open();
      await opened;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      received.set(objectId, [...(received.get(objectId) ?? []), n]);
    });
    const objects = Array.from({ length: 8 }, () => newId('bkg'));
    const ordinals = Array.from({ length: 15 }, (_, index) => index + 1);
    for (const n of ordinals) await Promise.all(objects.map((objectId) => publisher.publish(anEvent(objectId, n))));
    await until(isDrained, 'all are acknowledged');
    expect(objects.map((objectId) => received.get(objectId))).toEqual(objects.map(() => ordinals));
  });

  it('can be awaited: an early event is redelivered and never dead-lettered for it', async () => {
    const received: number[] = [];
    const tries = new Map<number, number>();
    await listen(async ({ n }) => {
      tries.set(n, (tries.get(n) ?? 0) + 1);
      if (n > 1 && !received.includes(n - 1)) throw new TooEarly();
      received.push(n);
    }, 1);
    const objectId = newId('bkg');
    for (const n of [3, 2]) await publisher.publish(anEvent(objectId, n));
    await until(() => (tries.get(3) ?? 0) >= 4, 'the third was tried several times');
    await publisher.publish(anEvent(objectId, 1));
    await until(isDrained, 'all are acknowledged');
    expect(received).toEqual([1, 2, 3]);
    expect(await deadLetters()).toBe(0);
  });
});

describe('an event that can never be handled', () => {
  it('goes to the dead letters unchanged, while all others are handled', async () => {
    const poison = anEvent(newId('bkg'), 1);
    const received: string[] = [];
    let attempts = 0;
    await listen(async (event) => {
      if (event.id === poison.id) {
        attempts++;
        throw new Error('cannot be handled');
      }
      received.push(event.id);
    }, 3);
    const others = Array.from({ length: 50 }, () => anEvent(newId('bkg'), 1));
    await publisher.publish(others[0]!);
    // Until another event was handled, the cause might be the listener.
    await until(() => received.length === 1, 'one of the others is delivered');
    await publisher.publish(poison);
    await publishAll(others.slice(1));
    await until(() => received.length === 50, 'the others are delivered');
    await until(async () => (await deadLetters()) === 1, 'it is among the dead letters');
    const letter = await manager.streams.getMessage(DEAD_LETTERS, { last_by_subj: 'dead.>' });
    expect(letter!.subject).toBe(`dead.people.${eventSubject('booking', poison)}`);
    expect(letter!.json()).toEqual(poison);
    await until(isDrained, 'nothing is left to do');
    expect(attempts).toBe(3);
  });

  it('may even be invalid JSON', async () => {
    const received: string[] = [];
    await listen(async (event) => void received.push(event.id), 2);
    const subject = eventSubject('booking', anEvent('bkg_broken', 1));
    await jetstream(client.connection).publish(subject, '{"id": "evt_');
    await publisher.publish(anEvent(newId('bkg'), 1));
    await until(async () => (await deadLetters()) === 1, 'it is among the dead letters');
    await until(() => received.length === 1, 'the other is delivered');
  });
});

describe('an outage', () => {
  it('sends nothing to the dead letters: failed events are delivered when the dependency is back', async () => {
    let isDown = true;
    const received: string[] = [];
    let attempts = 0;
    await listen(async (event) => {
      attempts++;
      if (isDown) throw new Error('the database does not answer');
      received.push(event.id);
    }, 2);
    await publishAll(Array.from({ length: 10 }, () => anEvent(newId('bkg'), 1)));
    await until(() => attempts >= 40, 'each was tried twice as often as a poisoned one would be');
    expect(await deadLetters()).toBe(0);
    isDown = false;
    await until(() => received.length === 10, 'all are delivered');
    await until(isDrained, 'all are acknowledged');
    expect(await deadLetters()).toBe(0);
  });

  it('of another service delays only events that need that service', async () => {
    const needy = anEvent(newId('bkg'), 1);
    const received: string[] = [];
    let attempts = 0;
    await listen(async (event) => {
      if (event.id === needy.id && ++attempts < 4) throw new AppError('unavailable');
      received.push(event.id);
    }, 2);
    await publisher.publish(needy);
    await publisher.publish(anEvent(newId('bkg'), 1));
    await until(() => received.includes(needy.id), 'it is delivered at last');
    expect(await deadLetters()).toBe(0);
  });
});

describe('a replica that stops', () => {
  it('waits for the event in progress, which is not redelivered', async () => {
    const { opened, open } = gate();
    const received: string[] = [];
    const service = await listen(async (event) => {
      received.push(event.id);
      await opened;
    });
    await publisher.publish(anEvent(newId('bkg'), 1));
    await until(() => received.length === 1, 'it is under way');
    let hasStopped = false;
    const stopping = service.stop().then(() => {
      hasStopped = true;
    });
    await client.connection.flush();
    expect(hasStopped).toBe(false);
    open();
    await stopping;
    await until(isDrained, 'it is acknowledged');
  });

  const leavesDuringFlood = async () => {
    await stopListening();
    const received = new Set<string>();
    const { opened: isUnderWay, open: begin } = gate();
    const handle = async ({ id }: LessonEvent) => {
      if (received.add(id).size === 200) begin();
    };
    const leaving = await listen(handle);
    await listen(handle);
    const beganMs = performance.now();
    const published = publishAll(Array.from({ length: 1_000 }, () => anEvent(newId('bkg'), 1)));
    await Promise.all([isUnderWay.then(() => leaving.stop()), published]);
    await until(() => received.size === 1_000, 'all are delivered');
    expect(performance.now() - beganMs).toBeLessThan(ACK_WAIT_MS);
  };
  it('under a flood of events leaves none of them to the end of the acknowledgement wait', () =>
    ofSeveralTries(async () => {
      for (let flood = 0; flood < 5; flood++) await leavesDuringFlood();
    }));
});

describe('when nats-server is killed and comes back', () => {
  it('listener and publisher continue, and no stored event is lost', async () => {
    const received = new Set<string>();
    await listen(async (event) => void received.add(event.id));
    const before = Array.from({ length: 20 }, () => anEvent(newId('bkg'), 1));
    await Promise.all(before.map((event) => publisher.publish(event)));
    await nats.kill();
    await nats.restart();
    const after = anEvent(newId('bkg'), 1);
    const publish = async () => (await Promise.allSettled([publisher.publish(after)]))[0].status;
    await until(async () => (await publish()) === 'fulfilled', 'it is published');
    await until(() => received.has(after.id), 'it is delivered');
    await until(() => received.size === 21, 'all are delivered');
  });
});
