import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { createWebhookEndpoint, type Principal } from '@swim/contracts';
import { aPrincipal, CrashableService, startHarness, type TestHarness, updateAll } from '@swim/testing';
import { aHistory, publish } from './bus.js';
import { answering, Receiver } from './receivers.js';

const COUNT = 5;

let harness: TestHarness;
let service: CrashableService;
let receiver: Receiver;

jest.setTimeout(240_000);
beforeAll(async () => {
  harness = await startHarness();
  harness.env.WEBHOOK_ALLOW_PRIVATE = 'true';
  receiver = await Receiver.start();
  service = await CrashableService.start(harness, {
    service: 'notification',
    load: async () => ({
      module: (await import('../src/app.module.js')).AppModule,
      config: (await import('../src/config.js')).config,
    }),
    lapse: () => updateAll(deliveries(), { claim: { $exists: true } }, { dueAt: new Date(0) }),
  });
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
  await harness?.stop();
});

const deliveries = () => harness.database('notification_test').collection('webhook_deliveries');
const events = () => harness.database('notification_test').collection('events');

/** Whether all events of an account are stored and delivered. */
const isDelivered = async ({ accountId }: Principal) =>
  (await events().countDocuments({ account: accountId })) === COUNT &&
  (await deliveries().countDocuments({ accountId, status: 'succeeded' })) === COUNT;

async function anOwner(url: string): Promise<Principal> {
  const owner = aPrincipal();
  await harness.call(createWebhookEndpoint, { url }, { principal: owner });
  return owner;
}

it('a crash after any write loses no delivery, and repeats each at most once', async () => {
  const owners: Principal[] = [];
  const writes = await service.everywhere(async (n) => {
    const owner = await anOwner(receiver.url);
    let published: Promise<void> | undefined;
    const work = async () => {
      owners.push(owner);
      published = publish(harness, aHistory(COUNT, { audience: [owner.accountId] }));
      await published;
    };
    const hasCrashed = await service.crashDuring(n, work, () => isDeliveredAll(owners));
    await published;
    await service.idle(() => isDeliveredAll(owners));
    return hasCrashed;
  });
  expect(writes).toBeGreaterThanOrEqual(3);
  const tries = Map.groupBy(receiver.received, ({ event }) => event.id);
  expect(tries.size).toBe(COUNT * owners.length);
  for (const each of tries.values()) expect(each.length).toBeLessThanOrEqual(2);
});

const isDeliveredAll = async (owners: Principal[]) => (await Promise.all(owners.map(isDelivered))).every(Boolean);

it('two replicas share deliveries, and each is sent once', async () => {
  const replica = await service.startReplica();
  const slow = await Receiver.start((response, webhook) => void setTimeout(() => answering(200)(response, webhook), 5));
  try {
    const owner = await anOwner(slow.url);
    await publish(harness, aHistory(COUNT, { audience: [owner.accountId] }));
    await service.idle(() => isDelivered(owner));
    expect(slow.received).toHaveLength(COUNT);
  } finally {
    await replica.stop();
    await slow.stop();
  }
});
