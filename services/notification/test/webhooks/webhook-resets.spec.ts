import { expect, it } from '@jest/globals';
import {
  getWebhookDelivery,
  listEvents,
  type Principal,
  replayWebhookEvents,
  resetEvents,
  retryWebhookDelivery,
} from '@swim/contracts';
import { aPrincipal, type RequestOptions, until } from '@swim/testing';
import { aHistory, anEvent, publish } from '../bus.js';
import { untilDone } from '../in-process.js';
import { answering } from '../receivers.js';
import { aReceiver, deliveriesOf, ended, endpointTo, harness, rows, tried } from './webhooks-harness.js';

const COUNT = 3;
const PURGED = 'The event is no longer kept.';

const has = (principal: Principal, count: number) =>
  until(
    async () => (await harness.call(listEvents, {}, { principal })).pagination.total === count,
    `the account has ${count} events`,
  );
/** An account with three events, and the instant after these. */
async function anAccount(): Promise<{ owner: Principal; before: Date }> {
  const owner = aPrincipal();
  const history = aHistory(COUNT, { audience: [owner.accountId] });
  await publish(harness, history);
  await has(owner, COUNT);
  return { owner, before: new Date(Date.parse(history.at(-1)!.occurredAt) + 1) };
}
const reset = ({ accountId }: Principal, before: Date) =>
  untilDone(() => harness.call(resetEvents, { accountId, before: before.toISOString(), phase: 'empty' }));
const replay = (owner: Principal, endpoint: { id: string }, options: RequestOptions = {}) =>
  harness.call(
    replayWebhookEvents,
    { webhook_endpoint_id: endpoint.id, since_sequence: 0 },
    { principal: owner, ...options },
  );
const endpoints = () => harness.database('notification_test').collection<{ _id: string }>('webhook_endpoints');

it('a replay delivers the events since a reset only', async () => {
  const { owner, before } = await anAccount();
  await reset(owner, before);
  const receiver = await aReceiver();
  const none = await endpointTo(owner, receiver);
  expect(await replay(owner, none)).toEqual({ replayed: 0 });
  const later = new Date(before.getTime() + 1_000).toISOString();
  await publish(harness, [anEvent({ audience: [owner.accountId], occurredAt: later })]);
  await has(owner, 1);
  const endpoint = await endpointTo(owner, receiver);
  expect(await replay(owner, endpoint, { dryRun: true })).toEqual({ replayed: 1 });
  expect(await replay(owner, endpoint)).toEqual({ replayed: 1 });
  await until(() => endpoints().findOne({ _id: endpoint.id, replay: null }), 'the replay has ended');
  await ended(owner, endpoint, 'succeeded');
  expect(new Set(receiver.received.map(({ event }) => event.sequence))).toEqual(new Set([COUNT + 1]));
});

it('a replay that began before a reset goes on with the events since the reset', async () => {
  const { owner, before } = await anAccount();
  await reset(owner, before);
  const receiver = await aReceiver();
  const endpoint = await endpointTo(owner, receiver);
  // As a replica leaves it that has started the replay and not parked a page.
  const state = { id: 'req_before_reset', position: 0, through: COUNT, types: null };
  await endpoints().updateOne({ _id: endpoint.id }, { $set: { replay: state } });
  await until(() => endpoints().findOne({ _id: endpoint.id, replay: null }), 'the replay has ended');
  expect(await deliveriesOf(owner, endpoint)).toEqual([]);
  expect(receiver.received).toEqual([]);
});

it('a delivery that waits for a retry does not send an event from before a reset', async () => {
  const { owner, before } = await anAccount();
  const receiver = await aReceiver(answering(500, '', { 'retry-after': '3600' }));
  // Made after the instant of the reset: it stays, with its deliveries.
  const endpoint = await endpointTo(owner, receiver);
  await replay(owner, endpoint);
  await until(() => receiver.received.length === COUNT, 'all are tried');
  await tried(owner, endpoint, 1);
  const waiting = { endpointId: endpoint.id, tries: 1, claim: { $exists: false } };
  await until(async () => (await rows().countDocuments(waiting)) === COUNT, 'all wait for a retry');
  await reset(owner, before);
  receiver.answer = answering(200);
  const [delivery] = await deliveriesOf(owner, endpoint);
  const one = { webhook_endpoint_id: endpoint.id, webhook_delivery_id: delivery!.id };
  expect(await harness.call(getWebhookDelivery, one, { principal: owner })).toMatchObject({ request_body: null });
  await rows().updateMany(waiting, { $set: { dueAt: new Date(0) } });
  const failed = await ended(owner, endpoint, 'failed', COUNT);
  expect(failed.map(({ attempts }) => attempts.at(-1)!.error)).toEqual(Array(COUNT).fill(PURGED));
  await harness.call(retryWebhookDelivery, one, { principal: owner });
  const attempts = async () => (await harness.call(getWebhookDelivery, one, { principal: owner })).attempts;
  await until(async () => (await attempts()).filter(({ error }) => error === PURGED).length === 2, 'it is not sent');
  expect(receiver.received).toHaveLength(COUNT);
});
