import { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { newId } from '@swim/platform';
import type { TestNats } from '../../testing/src/servers/nats-server.js';
import { until } from '../../testing/src/waiting/until.js';
import { EventPublisher, type RunningService } from '../src/index.js';
import { aBus, anEvent, gate, startClient, startReplica } from './sample-service.js';

const EVENTS = 100;
const ACKNOWLEDGEMENT = /PUB \$JS\.ACK\./g;

const { opened, open } = gate();
let delivered = 0;
let nats: TestNats;
let service: RunningService;
let client: Awaited<ReturnType<typeof startClient>>;

beforeAll(async () => {
  nats = await aBus();
  client = await startClient(nats.url);
  const handleAll = () => {
    delivered++;
    return opened;
  };
  service = await startReplica(nats.url, { name: 'a', handleAll });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await service?.stop();
  await client?.stop();
  await nats?.stop();
});

it('the acknowledgements of events that are handled at the same time leave with one write', async () => {
  const publisher = new EventPublisher('booking', client.connection);
  await publisher.publishAll(Array.from({ length: EVENTS }, () => anEvent(newId('bkg'), 1)));
  await until(() => delivered === EVENTS, 'all are delivered');
  const write = jest.spyOn(Socket.prototype, 'write');
  const counts = () =>
    write.mock.calls.flatMap(([chunk]) => Buffer.from(chunk).toString('latin1').match(ACKNOWLEDGEMENT)?.length ?? []);
  open();
  await until(() => counts().reduce((sum, count) => sum + count, 0) >= EVENTS, 'all are acknowledged');
  expect(counts()).toEqual([EVENTS]);
});
