import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProcessName } from '@swim/contracts';
import {
  BUS_SETUP,
  type Bus,
  type BusProcess,
  connectAccount,
  connectBus,
  connectNats,
  newInbox,
  PROCESSES,
  StreamKeeper,
} from '@swim/messaging/client';
import { createLogger } from '@swim/platform';
import { type ConfiguredServer, startConfiguredServer } from './configured-server.ts';

type Connection = Bus['rpc'];

const logger = createLogger('tests', 'silent');
const passwordOf = (process: string) => `p of ${process}`;

let server: ConfiguredServer;
let url: string;
let buses: Record<string, Bus>;
let busSetup: Connection;

beforeAll(async () => {
  const variable = (name: BusProcess) => `NATS_PASSWORD_${name.toUpperCase().replace('-', '_')}`;
  const passwords = [...PROCESSES, BUS_SETUP].map((name) => `${variable(name)}: "${passwordOf(name)}"\n`);
  server = await startConfiguredServer({ passwords: passwords.join('') });
  url = `nats://${server.address}`;
  const configOf = (name: BusProcess) => ({ NATS_URL: url, NATS_PASSWORD: passwordOf(name) });
  const connect = (name: ProcessName) => connectBus(name, configOf(name), logger);
  const all = await Promise.all(PROCESSES.map(async (name) => [name, await connect(name)] as const));
  buses = Object.fromEntries(all);
  busSetup = await connectAccount(BUS_SETUP, 'events', configOf(BUS_SETUP), logger);
  await new StreamKeeper(busSetup, logger).ensure();
});
afterAll(async () => {
  await busSetup?.close();
  await Promise.all(Object.values(buses ?? {}).flatMap(({ rpc, events }) => [rpc.close(), events.close()]));
  await server?.stop();
});

const on = (process: string) => buses[process]!;

/** Serves a subject; returns the received requests, and a function that ends it. */
function serve(connection: Connection, subject: string) {
  const received: string[] = [];
  const subscription = connection.subscribe(subject, {
    callback: (error, message) => {
      if (error) return void received.push(error.name);
      received.push(message.string());
      message.respond('answer');
    },
  });
  return { received, stop: () => subscription.unsubscribe() };
}
const request = (connection: Connection, subject: string, question = 'question') =>
  connection.request(subject, question, { timeout: 5_000 }).then(
    (reply) => reply.string(),
    (error) => (error.isNoResponders?.() ? 'nobody' : `${error.name} ${error.cause?.name ?? ''}`.trim()),
  );
const DENIED = expect.stringContaining('PermissionViolation');

/** Returns the server's error for a subscription; null when it is permitted. */
async function subscriptionError(connection: Connection, subject: string) {
  let rejected: string | null = null;
  const subscription = connection.subscribe(subject, {
    callback: (error) => {
      rejected = error?.name ?? rejected;
    },
  });
  await connection.flush();
  await new Promise((resolve) => setImmediate(resolve));
  subscription.unsubscribe();
  return rejected;
}

describe('in the account of requests', () => {
  it('a process among the callers of an operation gets a reply', async () => {
    const people = serve(on('people').rpc, 'rpc.people.describeParticipants');
    await on('people').rpc.flush();
    expect(await request(on('booking').rpc, 'rpc.people.describeParticipants')).toBe('answer');
    expect(people.received).toEqual(['question']);
    people.stop();
  });

  it('payment can neither request operations of people nor subscribe to requests to people', async () => {
    const people = serve(on('people').rpc, 'rpc.people.verifyKey');
    await on('people').rpc.flush();
    for (const subject of ['rpc.people.verifyKey', 'rpc.people.getMember', 'rpc.people.describeParticipants'])
      expect(await request(on('payment').rpc, subject)).toEqual(DENIED);
    for (const subject of ['rpc.people.>', 'rpc.people.verifyKey', 'rpc.>', '>'])
      expect(await subscriptionError(on('payment').rpc, subject)).toEqual(DENIED);
    expect(people.received).toEqual([]);
    people.stop();
  });

  it.each(PROCESSES.filter((name) => name !== 'gateway'))('%s cannot pretend to be the gateway', async (name) => {
    for (const subject of ['rpc.people.verifyKey', 'rpc.people.createKey', 'rpc.booking.create', 'rpc.payment.create'])
      expect(await request(on(name).rpc, subject)).toEqual(DENIED);
  });

  it('the gateway cannot request operations for services only', async () => {
    for (const subject of ['rpc.scheduling.claim', 'rpc.booking.reserve', 'rpc.people.describeParticipants'])
      expect(await request(on('gateway').rpc, subject)).toEqual(DENIED);
  });

  it('a service can reply only to its own requests, and see no replies to others', async () => {
    const inbox = newInbox(on('gateway').rpc);
    const received: string[] = [];
    on('gateway').rpc.subscribe(inbox, { callback: (_, message) => void received.push(message.string()) });
    await on('gateway').rpc.flush();
    on('payment').rpc.publish(inbox, 'a forged verdict');
    await on('payment').rpc.flush();
    await on('gateway').rpc.flush();
    expect(received).toEqual([]);
    expect(await subscriptionError(on('payment').rpc, '_INBOX.>')).toEqual(DENIED);
    expect(await subscriptionError(on('payment').rpc, '_INBOX.gateway.>')).toEqual(DENIED);
  });

  it('there is no JetStream, so that no stream can take requests', async () => {
    for (const { rpc } of Object.values(buses)) expect(await request(rpc, '$JS.API.INFO')).toEqual(DENIED);
  });
});

/** These routes of the JetStream API change definitions or read messages, on each kind of stream. */
const DEFINITIONS = ['EVENTS_LIVE', 'KEYS_LIVE', 'RATE_LIMITS', 'OTHER']
  .flatMap((stream) =>
    [
      ...['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'SNAPSHOT', 'RESTORE', 'MSG.GET', 'MSG.DELETE'].map(
        (verb) => `STREAM.${verb}`,
      ),
      ...['PEER.REMOVE', 'LEADER.STEPDOWN'].map((verb) => `STREAM.${verb}`),
      ...['CREATE', 'DURABLE.CREATE', 'DELETE', 'PAUSE', 'RESET', 'UNPIN', 'NAMES', 'LIST'].map(
        (verb) => `CONSUMER.${verb}`,
      ),
      'DIRECT.GET',
    ].flatMap((route) => [`$JS.API.${route}.${stream}`, `$JS.API.${route}.${stream}.x`]),
  )
  .concat(
    [
      'META.LEADER.STEPDOWN',
      'SERVER.REMOVE',
      'ACCOUNT.PURGE.EVENTS',
      'ACCOUNT.STREAM.MOVE.EVENTS.EVENTS_LIVE',
      'INFO',
    ].map((route) => `$JS.API.${route}`),
    ['STREAM.NAMES', 'STREAM.LIST', 'STREAM.TEMPLATE.CREATE.x'].map((route) => `$JS.API.${route}`),
  );
const PURGED_BY_NOTIFICATION = /STREAM\.(PURGE|MSG\.GET)\.EVENTS_LIVE$/;
const MADE_BY_BUS_SETUP = /STREAM\.(CREATE|UPDATE)\.(EVENTS_LIVE|KEYS_LIVE|RATE_LIMITS)$/;

/** These definitions would take or deliver messages past all permissions. Each is a subject and a body. */
const FORGERIES = [
  ...['CREATE', 'UPDATE'].flatMap((verb) =>
    [
      { republish: { src: 'event.live.>', dest: 'keys.live.key_1' } },
      { sources: [{ name: 'EVENTS_LIVE' }] },
      { mirror: { name: 'EVENTS_LIVE' } },
    ].map((change) => [
      `$JS.API.STREAM.${verb}.KEYS_LIVE`,
      { name: 'KEYS_LIVE', subjects: ['keys.live.>'], storage: 'file', ...change },
    ]),
  ),
  ...[
    ['EVENTS_LIVE', 'notification', 'CREATE'],
    ['EVENTS_LIVE', 'notification.event.live.x', 'CREATE'],
    ['EVENTS_LIVE', 'notification', 'DURABLE.CREATE'],
    ['KEYS_LIVE', 'gateway', 'CREATE'],
    ['KEYS_LIVE', 'gateway', 'DURABLE.CREATE'],
  ].flatMap(([stream, name, verb]) =>
    ['create', 'update'].map((action) => [
      `$JS.API.CONSUMER.${verb}.${stream}.${name}`,
      {
        stream_name: stream,
        config: { durable_name: name, name, deliver_subject: 'key-deliveries.live', ack_policy: 'none' },
        action,
      },
    ]),
  ),
] as [string, object][];

describe('in the account of events', () => {
  it('a service publishes its own events and no others', async () => {
    expect(await request(on('booking').events, 'event.test.booking.booking.created.bkg_1')).toContain('EVENTS_TEST');
    for (const subject of ['event.test.people.member.erased.mem_1', 'keys.live.key_1', 'dead.people.x', 'limits.x'])
      expect(await request(on('booking').events, subject)).toEqual(DENIED);
  });

  it('the gateway publishes no events, and increments the counters of the rate limits', async () => {
    for (const subject of ['event.live.people.member.erased.mem_1', 'keys.live.key_1', 'dead.gateway.x'])
      expect(await request(on('gateway').events, subject)).toEqual(DENIED);
    expect(await request(on('gateway').events, 'limits.x')).not.toEqual(DENIED);
  });

  it('no process receives events except by its consumer', async () => {
    for (const { events } of Object.values(buses))
      for (const subject of ['event.>', 'keys.>', '>'])
        expect(await subscriptionError(events, subject)).toEqual(DENIED);
  });

  it('a service cannot create a consumer, so none that delivers to a subject of others', async () => {
    for (const name of PROCESSES.filter((each) => !['gateway', 'notification'].includes(each)))
      for (const verb of [
        'CREATE.EVENTS_LIVE',
        'CREATE.EVENTS_LIVE.x',
        'DURABLE.CREATE.EVENTS_LIVE.x',
        'DELETE.EVENTS_LIVE.people',
      ])
        expect(await request(on(name).events, `$JS.API.CONSUMER.${verb}`)).toEqual(DENIED);
  });

  it('a service neither creates, changes, purges nor reads a stream', async () => {
    for (const name of PROCESSES.filter((each) => each !== 'notification'))
      for (const verb of [
        'CREATE.X',
        'UPDATE.EVENTS_LIVE',
        'PURGE.EVENTS_LIVE',
        'DELETE.EVENTS_LIVE',
        'MSG.GET.EVENTS_LIVE',
      ])
        expect(await request(on(name).events, `$JS.API.STREAM.${verb}`)).toEqual(DENIED);
  });

  it('a service fetches and acknowledges by its own consumer only', async () => {
    expect(await request(on('booking').events, '$JS.API.CONSUMER.INFO.EVENTS_LIVE.booking', '')).toContain(
      '"name":"booking"',
    );
    for (const subject of [
      '$JS.API.CONSUMER.MSG.NEXT.EVENTS_LIVE.people',
      '$JS.API.CONSUMER.INFO.EVENTS_LIVE.people',
      '$JS.ACK.EVENTS_LIVE.people.1.1.1.1.0',
    ])
      expect(await request(on('booking').events, subject)).toEqual(DENIED);
  });

  it('the gateway receives key invalidations, and no other process does or delivers any', async () => {
    const { events } = on('gateway');
    expect(await subscriptionError(events, 'key-deliveries.live')).toBeNull();
    for (const name of PROCESSES) {
      expect(await request(on(name).events, 'key-deliveries.live')).toEqual(DENIED);
      if (name !== 'gateway') expect(await subscriptionError(on(name).events, 'key-deliveries.live')).toEqual(DENIED);
    }
  });

  it.each(PROCESSES)('%s neither changes nor makes a definition that delivers past the permissions', async (name) => {
    for (const [subject, body] of FORGERIES)
      expect([subject, await request(on(name).events, subject, JSON.stringify(body))]).toEqual([subject, DENIED]);
  });

  it.each(PROCESSES.filter((name) => name !== 'notification'))(
    '%s reaches no definition, message, copy or setting of JetStream that is not its own',
    async (name) => {
      for (const subject of DEFINITIONS)
        expect([subject, await request(on(name).events, subject)]).toEqual([subject, DENIED]);
    },
  );

  it('notification purges the events that all consumers have acknowledged', async () => {
    expect(await new StreamKeeper(on('notification').events, logger).purge()).toHaveLength(2);
  });

  it('bus-setup updates the streams and consumers that there are', async () => {
    await new StreamKeeper(busSetup, logger).ensure();
  });

  it.each([
    ['notification', () => on('notification').events, PURGED_BY_NOTIFICATION],
    ['bus-setup', () => busSetup, MADE_BY_BUS_SETUP],
  ] as const)('%s reaches no other definition, message, copy or setting of JetStream', async (_, connection, own) => {
    for (const subject of DEFINITIONS.filter((each) => !own.test(each)))
      expect([subject, await request(connection(), subject)]).toEqual([subject, DENIED]);
  });

  it('bus-setup publishes nothing, receives nothing, and has no user in the account of requests', async () => {
    for (const subject of [
      'event.live.people.member.erased.mem_1',
      'keys.live.key_1',
      'key-deliveries.live',
      'limits.x',
    ])
      expect(await request(busSetup, subject)).toEqual(DENIED);
    for (const subject of ['event.>', 'keys.>', 'key-deliveries.live', 'signals.>', '>'])
      expect(await subscriptionError(busSetup, subject)).toEqual(DENIED);
    const credentials = { user: 'bus-setup-rpc', pass: passwordOf(BUS_SETUP), waitOnFirstConnect: false };
    const refused = await connectNats(url, 'bus-setup rpc', logger, credentials).catch((error) => error.name);
    expect(refused).toBe('AuthorizationError');
  });
});
