import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createWebhookEndpoint } from '@swim/contracts';
import {
  aPrincipal,
  freePort,
  type ServiceProcess,
  startHarness,
  startProcess,
  type TestHarness,
  until,
} from '@swim/testing';
import { anEvent, publish } from '../bus.js';
import { answering, Receiver } from '../receivers.js';

const MAIN = new URL('../../bundle/main.js', import.meta.url);
const EVENTS = 150;
const MOST_AT_ONCE = 4;
/** A lease ends within 40 s; events that a replica has taken from their stream are delivered to others within 30 s. */
const TAKEN_OVER_WITHIN_MS = 150_000;

let harness: TestHarness;
let replicas: ServiceProcess[] = [];

beforeAll(async () => {
  harness = await startHarness();
  harness.env.WEBHOOK_ALLOW_PRIVATE = 'true';
  const start = async () => startProcess(MAIN, { ...harness.env, HEALTH_PORT: String(await freePort()) });
  replicas = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.kill('SIGTERM')));
  await harness?.stop();
});

it.each([0, 1])(
  'a replica that is paused past its leases loses no delivery, and sends none of its own when it goes on (replica %i)',
  async (index) => {
    const owner = aPrincipal();
    const slow = await Receiver.start(
      (response, webhook) => void setTimeout(() => answering(200)(response, webhook), 30),
    );
    const { pid } = replicas[index]!;
    try {
      await harness.insist(createWebhookEndpoint, { url: slow.url }, { principal: owner });
      await publish(
        harness,
        Array.from({ length: EVENTS }, () => anEvent({ audience: [owner.accountId] })),
      );
      await until(() => slow.received.length >= 8, 'the first are delivered');
      process.kill(pid, 'SIGSTOP');
      const paused = slow.received.length;
      try {
        await until(() => slow.eventIds.size === EVENTS, 'the other replica delivers all', TAKEN_OVER_WITHIN_MS);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      const resumed = slow.received.length;
      const more = Array.from({ length: 20 }, () => anEvent({ audience: [owner.accountId] }));
      await publish(harness, more);
      const deliveries = harness.database('notification_test').collection('webhook_deliveries');
      const areStored = async () =>
        (await deliveries.countDocuments({ accountId: owner.accountId, status: 'succeeded' })) === EVENTS + more.length;
      await until(areStored, 'all results are stored', TAKEN_OVER_WITHIN_MS);
      const ids = slow.received.map(({ event }) => event.id);
      // What the paused replica had open, or had sent without having stored the result, may come twice; requests of both replicas may
      // have been on their way.
      const mayRepeat = ids.slice(0, paused + 2 * MOST_AT_ONCE);
      expect(ids.filter((id, index) => ids.indexOf(id) < index && !mayRepeat.includes(id))).toEqual([]);
      // It sends nothing again when it goes on.
      const sentBefore = new Set(ids.slice(0, resumed));
      const later = ids.slice(resumed);
      expect(later.filter((id, index) => sentBefore.has(id) || later.indexOf(id) < index)).toEqual([]);
      expect(slow.mostOpen).toBeLessThanOrEqual(MOST_AT_ONCE);
    } finally {
      await slow.stop();
    }
  },
  3 * TAKEN_OVER_WITHIN_MS,
);
