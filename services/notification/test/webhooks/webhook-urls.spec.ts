import { expect, it, jest } from '@jest/globals';
import { getWebhookEndpoint, type Principal, updateWebhookEndpoint } from '@swim/contracts';
import { aPrincipal, until } from '@swim/testing';
import { WebhookTargetsService } from '../../src/webhook-endpoints/webhook-targets.service.js';
import { anEvent, publish } from '../bus.js';
import { answering, type Receiver } from '../receivers.js';
import { aReceiver, ended, endpointTo, harness, hasten, service, tried } from './webhooks-harness.js';

interface Stored {
  _id: string;
  days: { last: Date; failed: number } | null;
}

const fiveDays = () => ({ last: new Date(Date.now() - 24 * 3_600_000), failed: 5 });

const endpoints = () => harness.database('notification_test').collection<Stored>('webhook_endpoints');
const shown = (principal: Principal, { id }: { id: string }) =>
  harness.call(getWebhookEndpoint, { webhook_endpoint_id: id }, { principal });
const moveTo = (principal: Principal, { id }: { id: string }, { url }: { url: string }) =>
  harness.call(updateWebhookEndpoint, { webhook_endpoint_id: id, changes: { url } }, { principal });

/** An endpoint that gets another URL while a try to the former one waits for its answer. */
async function anEndpointThatMoves(to: Receiver) {
  const owner = aPrincipal();
  const held = Promise.withResolvers<(status: number) => void>();
  const former = await aReceiver((response) => held.resolve((status) => void response.writeHead(status).end()));
  const endpoint = await endpointTo(owner, former);
  await publish(harness, [anEvent({ audience: [owner.accountId] })]);
  const answer = await held.promise;
  await moveTo(owner, endpoint, to);
  return { owner, endpoint, answer };
}

it('an endpoint with a new URL stays enabled when its former URL answers 410', async () => {
  const targets = service.app.get(WebhookTargetsService, { strict: false });
  const disable = jest.spyOn(targets, 'disable');
  try {
    const { owner, endpoint, answer } = await anEndpointThatMoves(await aReceiver());
    answer(410);
    await until(() => disable.mock.results[0], 'the endpoint of the former URL is about to be disabled');
    await disable.mock.results[0]!.value;
    expect(await shown(owner, endpoint)).toMatchObject({ enabled: true, disabled_reason: null });
  } finally {
    disable.mockRestore();
  }
});

it('an endpoint with a new URL does not fail because a try to its former URL fails', async () => {
  const targets = service.app.get(WebhookTargetsService, { strict: false });
  const mark = jest.spyOn(targets, 'markDays');
  try {
    const { owner, endpoint, answer } = await anEndpointThatMoves(await aReceiver());
    answer(500);
    await until(() => mark.mock.results[0], 'the failure of the former URL is about to be recorded');
    await mark.mock.results[0]!.value;
    expect(await endpoints().findOne({ _id: endpoint.id, 'days.last': { $type: 'date' } })).toBeNull();
    await tried(owner, endpoint, 1);
    await hasten(endpoint.id);
    await ended(owner, endpoint, 'succeeded');
  } finally {
    mark.mockRestore();
  }
});

it('an endpoint whose former URL has failed for five days is not disabled by the first failure of a new URL', async () => {
  const owner = aPrincipal();
  const endpoint = await endpointTo(owner, await aReceiver());
  await endpoints().updateOne({ _id: endpoint.id }, { $set: { days: fiveDays() } });
  await moveTo(owner, endpoint, await aReceiver(answering(500)));
  await publish(harness, [anEvent({ audience: [owner.accountId] })]);
  await tried(owner, endpoint, 1);
  const isFailing = () => endpoints().findOne({ _id: endpoint.id, 'days.failed': 1 });
  await until(isFailing, 'the days of the new URL begin with its own first failure');
  expect(await shown(owner, endpoint)).toMatchObject({ enabled: true });
});

it('a change of an endpoint that keeps its URL does not end its failures', async () => {
  const owner = aPrincipal();
  const receiver = await aReceiver();
  const endpoint = await endpointTo(owner, receiver);
  const days = fiveDays();
  await endpoints().updateOne({ _id: endpoint.id }, { $set: { days } });
  await moveTo(owner, endpoint, receiver);
  expect(await endpoints().findOne({ _id: endpoint.id })).toMatchObject({ days });
});
