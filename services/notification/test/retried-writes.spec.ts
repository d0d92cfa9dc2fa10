import { afterAll, beforeAll, it } from '@jest/globals';
import {
  createWebhookEndpoint,
  getWebhookEndpoint,
  listEvents,
  listWebhookDeliveries,
  listWebhookEndpoints,
  openEventStream,
  type Principal,
  pingWebhookEndpoint,
  removeWebhookEndpoint,
  replayWebhookEvents,
  retryWebhookDelivery,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { aPrincipal, publicWrites, RetriedWrites, retried, startHarness, type TestHarness, until } from '@swim/testing';
import { anEvent, publish } from './bus.js';
import { allowPrivateTargets, startHere } from './in-process.js';
import { Receiver } from './receivers.js';

const PATIENCE_MS = 240_000;

let harness: TestHarness;
let service: RunningService;
let receiver: Receiver;
let writes: RetriedWrites;
beforeAll(async () => {
  writes = await RetriedWrites.before('notification');
  harness = await startHarness();
  service = await startHere();
  await allowPrivateTargets(true);
  receiver = await Receiver.start();
});
afterAll(async () => {
  writes?.release();
  await receiver?.stop();
  await service?.stop();
  await harness?.stop();
  await writes?.close();
});

const call: TestHarness['call'] = (...request) => harness.call(...request);

/** An account with an endpoint. */
async function anOwner() {
  const principal = aPrincipal();
  const { id: webhook_endpoint_id } = await call(createWebhookEndpoint, { url: receiver.url }, { principal });
  return { principal, webhook_endpoint_id };
}
type Owner = Awaited<ReturnType<typeof anOwner>>;

const changing = ({ principal, webhook_endpoint_id }: Owner, changes: { description?: string; enabled?: boolean }) =>
  call(updateWebhookEndpoint, { webhook_endpoint_id, changes }, { principal });
const endpointOf = ({ principal, webhook_endpoint_id }: Owner) =>
  call(getWebhookEndpoint, { webhook_endpoint_id }, { principal });
const endpointsOf = async (principal: Principal) => (await call(listWebhookEndpoints, {}, { principal })).items;
const deliveriesOf = async ({ principal, webhook_endpoint_id }: Owner) =>
  (await call(listWebhookDeliveries, { webhook_endpoint_id }, { principal })).items;
const stored = (owner: Owner) => {
  const endpoints = harness
    .database('notification_test')
    .collection<{ _id: string; secrets: { seed: string }[] }>('webhook_endpoints');
  return endpoints.findOne({ _id: owner.webhook_endpoint_id });
};
/** The deliveries of an endpoint, once each of them was tried so often. */
const tried = (owner: Owner, times: number) =>
  until(async () => {
    const all = await deliveriesOf(owner);
    const isTried =
      all.length > 0 && all.every(({ attempts, status }) => status === 'succeeded' && attempts.length === times);
    return isTried ? all : null;
  }, `its deliveries were tried ${times} times`);

/** An account with an endpoint that has received an event. */
async function aReceivingOwner(): Promise<Owner> {
  const owner = await anOwner();
  await publish(harness, [anEvent({ audience: [owner.principal.accountId] })]);
  await tried(owner, 1);
  const { principal } = owner;
  await until(async () => (await call(listEvents, {}, { principal })).items.length > 0, 'the event is listed');
  return owner;
}

const CASES = [
  retried(createWebhookEndpoint, async () => {
    const principal = aPrincipal();
    return {
      principal,
      input: { url: receiver.url },
      rival: ({ id }) => changing({ principal, webhook_endpoint_id: id }, { description: 'second' }),
      look: () => endpointsOf(principal),
    };
  }),
  retried(updateWebhookEndpoint, async () => {
    const owner = await anOwner();
    const { principal, webhook_endpoint_id } = owner;
    return {
      principal,
      input: { webhook_endpoint_id, changes: { description: 'first', enabled: false, metadata: { made: 'first' } } },
      rival: () => changing(owner, { description: 'second', enabled: true }),
      look: () => endpointOf(owner),
    };
  }),
  retried(removeWebhookEndpoint, async () => {
    const { principal, webhook_endpoint_id } = await anOwner();
    return {
      principal,
      input: { webhook_endpoint_id },
      rival: () => call(createWebhookEndpoint, { url: receiver.url }, { principal }),
      look: () => endpointsOf(principal),
    };
  }),
  retried(rotateWebhookSecret, async () => {
    const owner = await anOwner();
    const { principal, webhook_endpoint_id } = owner;
    return {
      principal,
      input: { webhook_endpoint_id },
      rival: () => call(rotateWebhookSecret, { webhook_endpoint_id }, { principal }),
      look: async () => (await stored(owner))!.secrets.map(({ seed }) => seed),
    };
  }),
  retried(pingWebhookEndpoint, async () => {
    const owner = await anOwner();
    const { principal, webhook_endpoint_id } = owner;
    return {
      principal,
      input: { webhook_endpoint_id },
      rival: () => changing(owner, { enabled: false }),
      look: async () => [(await deliveriesOf(owner)).map(({ id }) => id), await endpointOf(owner)],
    };
  }),
  retried(replayWebhookEvents, async () => {
    const owner = await aReceivingOwner();
    const { principal, webhook_endpoint_id } = owner;
    return {
      principal,
      input: { webhook_endpoint_id, since_sequence: 0 },
      rival: async () => {
        await tried(owner, 2);
        await until(async () => !((await stored(owner)) as { replay?: object }).replay, 'the replay is over');
      },
      look: async () => [await deliveriesOf(owner), ((await stored(owner)) as { replay?: object }).replay],
    };
  }),
  retried(retryWebhookDelivery, async () => {
    const owner = await aReceivingOwner();
    const { principal, webhook_endpoint_id } = owner;
    const [delivery] = await deliveriesOf(owner);
    return {
      principal,
      input: { webhook_endpoint_id, webhook_delivery_id: delivery!.id },
      rival: async () => {
        await tried(owner, 2);
        await changing(owner, { enabled: false });
      },
      look: () => deliveriesOf(owner),
    };
  }),
];

// A stream is opened by a GET, and has no key.
it.each(publicWrites('notification').filter((operation) => operation !== openEventStream))(
  'the effect of another client stands when $name, which came before it, is repeated or ends late',
  (operation) => writes.check(harness, operation, CASES),
  PATIENCE_MS,
);
