import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { createWebhookEndpoint, type Principal } from '@swim/contracts';
import { aPrincipal, CrashableService, startHarness, type TestHarness, updateAll } from '@swim/testing';
import { aHistory, publish } from '../bus.js';
import { answering, Receiver } from '../receivers.js';

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
      module: (await import('../../src/app.module.js')).AppModule,
      config: (await import('../../src/config.js')).config,
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

/** Whether all events of these accounts are stored and delivered; none has more than COUNT. */
async function isDelivered(...owners: Principal[]): Promise<boolean> {
  const [accounts, all] = [{ $in: owners.map(({ accountId }) => accountId) }, COUNT * owners.length];
  return (
    (await events().countDocuments({ account: accounts })) === all &&
    (await deliveries().countDocuments({ accountId: accounts, status: 'succeeded' })) === all
  );
}

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
    const hasCrashed = await service.crashDuring(n, work, () => isDelivered(...owners));
    await published;
    await service.idle(() => isDelivered(...owners));
    return hasCrashed;
  });
  expect(writes).toBeGreaterThanOrEqual(3);
  const tries = Map.groupBy(receiver.received, ({ event }) => event.id);
  expect(tries.size).toBe(COUNT * owners.length);
  for (const each of tries.values()) expect(each.length).toBeLessThanOrEqual(2);
});

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
