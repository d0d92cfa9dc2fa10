import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type JetStreamManager, jetstream } from '@nats-io/jetstream';
import { memberErased } from '@swim/contracts';
import { createLogger, newId } from '@swim/platform';
import { freePort, startNats, type TestNats } from '../../testing/src/servers/nats-server.js';
import { until } from '../../testing/src/waiting/until.js';
import { connectNats, EventPublisher, type RunningService, StreamKeeper, type Subscriptions } from '../src/index.js';
import { ALL_EVENTS, anEvent, type LessonEvent, startClient, startReplica } from './sample-service.js';

type Client = Awaited<ReturnType<typeof startClient>>;

let nats: TestNats;
let client: Client;
let keeper: StreamKeeper;
let service: RunningService | undefined;

/** The failing checks in the health of the service; null while it does not respond. */
const failing = async (port: number): Promise<string[] | null> =>
  fetch(`http://127.0.0.1:${port}/health`)
    .then(async (response) => ((await response.json()) as { failing: string[] }).failing)
    .catch(() => null);
const fails = (port: number, names: string[]) =>
  until(async () => JSON.stringify(await failing(port)) === JSON.stringify(names), `health fails for ${names}`);

const succeeds = (work: Promise<void>) =>
  work.then(
    () => true,
    () => false,
  );

async function loseStore(): Promise<void> {
  await nats.kill();
  nats.wipe();
  await nats.restart();
}

/** Makes missing streams, as `bus-setup` does; returns how to end that. */
async function keepStreams(): Promise<() => Promise<void>> {
  const logger = createLogger('tests', 'silent');
  const connection = await connectNats(nats.url, 'bus-setup', logger);
  await new Promise<void>((made) => void new StreamKeeper(connection, logger, ALL_EVENTS).keep(made));
  return () => connection.close();
}

beforeAll(async () => {
  nats = await startNats(null);
  client = await startClient(nats.url);
  keeper = new StreamKeeper(client.connection, createLogger('tests', 'silent'), ALL_EVENTS);
  await keeper.ensure();
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
});
afterAll(async () => {
  await client.stop();
  await nats.stop();
});

describe('a NATS server that loses its data', () => {
  it('leaves no consumer idle: the health of the service fails until the streams are back, and then it consumes events again', async () => {
    const port = await freePort();
    const received: string[] = [];
    const handle = async ({ id }: LessonEvent) => void received.push(id);
    service = await startReplica(nats.url, { name: 'a', handle }, 20, port);
    const publisher = new EventPublisher('booking', client.connection);
    const [before, after] = [anEvent(newId('bkg'), 1), anEvent(newId('bkg'), 1)];
    await publisher.publish(before);
    await until(() => received.includes(before.id), 'the first is delivered');
    expect(await failing(port)).toEqual([]);
    await loseStore();
    await fails(port, ['events']);
    const leaveStreams = await keepStreams();
    await until(() => succeeds(publisher.publish(after)), 'it is published');
    await until(() => received.includes(after.id), 'the second is delivered');
    await fails(port, []);
    await leaveStreams();
  });

  it('gets its streams back, for which a publisher waits', async () => {
    const publisher = new EventPublisher('booking', client.connection);
    const leaveStreams = await keepStreams();
    const former = await publisher.identifyStream('test');
    await loseStore();
    await until(() => succeeds(publisher.publish(anEvent(newId('bkg'), 1))), 'it is published');
    expect(await publisher.identifyStream('test')).not.toBe(former);
    await leaveStreams();
  });

  it('gets a stream or a consumer back that is deleted while it runs', async () => {
    const leaveStreams = await keepStreams();
    const { streams, consumers } = await jetstream(client.connection).jetstreamManager();
    await streams.delete('KEYS_TEST');
    await consumers.delete('EVENTS_TEST', 'people');
    const found = (info: Promise<unknown>) => succeeds(info.then(() => undefined));
    await until(() => found(consumers.info('KEYS_TEST', 'gateway')), 'the stream and its consumer are back');
    await until(() => found(consumers.info('EVENTS_TEST', 'people')), 'the consumer is back');
    await leaveStreams();
  });
});

describe('a NATS server that restarts', () => {
  it('keeps the identity of its streams, though they are updated after each restart', async () => {
    const publisher = new EventPublisher('booking', client.connection);
    await keeper.ensure();
    const former = await publisher.identifyStream('test');
    for (let restarts = 1; restarts <= 3; restarts++) {
      await nats.kill();
      await nats.restart();
      const updating = new StreamKeeper(client.connection, createLogger('tests', 'silent'), ALL_EVENTS);
      await until(() => succeeds(updating.ensure()), 'the streams are updated');
      expect(await publisher.identifyStream('test')).toBe(former);
    }
  });
});

describe('the purge of a stream', () => {
  it('removes the events that every consumer has acknowledged, and no others', async () => {
    const held = anEvent(newId('bkg'), 1);
    const publisher = new EventPublisher('booking', client.connection);
    let isOpen = false;
    const handle = async ({ id }: LessonEvent) => {
      if (id === held.id && !isOpen) throw new Error('not yet');
    };
    service = await startReplica(nats.url, { name: 'a', handle }, 1_000);
    const messages = async () => {
      await keeper.purge();
      const { streams } = await jetstream(client.connection).jetstreamManager();
      return (await streams.info('EVENTS_TEST')).state.messages;
    };
    for (let n = 1; n <= 3; n++) await publisher.publish(anEvent(newId('bkg'), 1));
    await until(async () => (await messages()) === 0, 'all are gone');
    await publisher.publish(held);
    for (let n = 1; n <= 3; n++) await publisher.publish(anEvent(newId('bkg'), 1));
    expect(await messages()).toBe(4);
    isOpen = true;
    await until(async () => (await messages()) === 0, 'all are gone');
  });

  it('removes those that a consumer of other events does not want', async () => {
    const both = { ...ALL_EVENTS, payment: [memberErased] } as Subscriptions;
    const ofBoth = new StreamKeeper(client.connection, createLogger('tests', 'silent'), both);
    await ofBoth.ensure();
    service = await startReplica(nats.url, { name: 'a', handleAll: async () => undefined });
    const payment = await jetstream(client.connection).consumers.get('EVENTS_TEST', 'payment');
    const publisher = new EventPublisher('booking', client.connection);
    const left = async () => {
      await ofBoth.purge();
      const { streams } = await jetstream(client.connection).jetstreamManager();
      return (await streams.info('EVENTS_TEST')).state.messages;
    };
    const publishUnwanted = async () => {
      for (let n = 1; n <= 3; n++) await publisher.publish(anEvent(newId('bkg'), 1));
    };
    await publishUnwanted();
    await until(async () => (await left()) === 0, 'all are gone');
    const wanted = { ...anEvent(newId('mem'), 1), type: memberErased.type };
    await new EventPublisher('people', client.connection).publish(wanted);
    await publishUnwanted();
    await until(async () => (await left()) === 4, 'one is left, and what follows it');
    (await payment.next({ expires: 5_000 }))!.ack();
    await until(async () => (await left()) === 0, 'all are gone');
    await publishUnwanted();
    await until(async () => (await left()) === 0, 'all are gone');
    await (await jetstream(client.connection).jetstreamManager()).consumers.delete('EVENTS_TEST', 'payment');
  });

  it('that began before NATS has lost its data removes nothing of the new stream', async () => {
    service = await startReplica(nats.url, { name: 'a', handleAll: async () => undefined });
    const publisher = new EventPublisher('booking', client.connection);
    for (let n = 1; n <= 20; n++) await publisher.publish(anEvent(newId('bkg'), 1));
    const manager = await jetstream(client.connection).jetstreamManager();
    const consumed = async () => (await manager.consumers.info('EVENTS_TEST', 'people')).num_pending === 0;
    await until(consumed, 'all are consumed');
    await service.stop();
    const paused = await startClient(nats.url);
    const late = new StreamKeeper(paused.connection, createLogger('tests', 'silent'), ALL_EVENTS);
    const { consumers } = await (late as unknown as { api(): Promise<JetStreamManager> }).api();
    const info = consumers.info.bind(consumers);
    const [reached, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    jest.spyOn(consumers, 'info').mockImplementation(async (...of) => {
      const read = await info(...of);
      reached.resolve();
      await goesOn.promise;
      return read;
    });
    const purging = late.purge().catch(() => undefined);
    await reached.promise;
    await loseStore();
    await until(() => succeeds(keeper.ensure()), 'the streams are made anew');
    const stored = async () => (await manager.streams.info('EVENTS_TEST')).state.messages;
    for (let n = 1; n <= 5; n++) {
      // An event of its own for each try would be stored twice where only the acknowledgement was late.
      const event = anEvent(newId('bkg'), 1);
      await until(() => succeeds(publisher.publish(event)), 'the event is published');
    }
    expect(await stored()).toBe(5);
    goesOn.resolve();
    await purging;
    expect(await stored()).toBe(5);
    await paused.stop();
  });
});
