import { afterAll, afterEach, beforeAll } from '@jest/globals';
import {
  createWebhookEndpoint,
  type InputOf,
  listWebhookDeliveries,
  type Principal,
  type WebhookDelivery,
  type WebhookEndpointWithSecret,
} from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { startHarness, type TestHarness, until, updateAll } from '@swim/testing';
import { allowPrivateTargets, startHere } from '../in-process.js';
import { Receiver } from '../receivers.js';

/** The engines of the tests of webhooks; the service runs from the first to the last test of a spec. */
export let harness: TestHarness;
/** The service, in the test's process. */
export let service: RunningService;
const receivers: Receiver[] = [];

beforeAll(async () => {
  harness = await startHarness();
  process.env.PURGE_INTERVAL_SECONDS = '1';
  service = await startHere();
  await allowPrivateTargets(true);
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});
afterAll(async () => {
  await service?.stop();
  await harness?.stop();
});

/** A receiver that is stopped after the test. */
export async function aReceiver(...answer: Parameters<typeof Receiver.start>): Promise<Receiver> {
  const receiver = await Receiver.start(...answer);
  receivers.push(receiver);
  return receiver;
}

/** Makes an endpoint that leads to a receiver. */
export const endpointTo = (
  owner: Principal,
  { url }: { url: string },
  input: Partial<InputOf<typeof createWebhookEndpoint>> = {},
): Promise<WebhookEndpointWithSecret> =>
  harness.call(createWebhookEndpoint, { url, ...input } as InputOf<typeof createWebhookEndpoint>, { principal: owner });
/** The newest 100 deliveries of an endpoint. */
export const deliveriesOf = async (owner: Principal, { id }: { id: string }): Promise<WebhookDelivery[]> =>
  (await harness.call(listWebhookDeliveries, { webhook_endpoint_id: id, limit: 100 }, { principal: owner })).items;
/** The stored deliveries. */
export const rows = () => harness.database('notification_test').collection<{ _id: string }>('webhook_deliveries');
/** Makes all pending tries of an endpoint due. */
export const hasten = (endpointId: string) =>
  updateAll(
    rows(),
    { endpointId, status: 'pending', claim: { $exists: false }, dueAt: { $exists: true } },
    { dueAt: new Date(0) },
  );
/** The deliveries of an endpoint with a status, once they are `count`. */
export const ended = (owner: Principal, endpoint: { id: string }, status: WebhookDelivery['status'], count = 1) =>
  until(async () => {
    const own = (await deliveriesOf(owner, endpoint)).filter((each) => each.status === status);
    return own.length === count ? own : null;
  }, `${count} deliveries have ${status}`);
/** The first delivery of an endpoint once it has been tried `count` times. */
export const tried = (owner: Principal, endpoint: { id: string }, count: number) =>
  until(async () => {
    const [first] = await deliveriesOf(owner, endpoint);
    return first && first.attempts.length >= count ? first : null;
  }, `a delivery was tried ${count} times`);
