import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import {
  getWebhookDelivery,
  listEvents,
  listWebhookDeliveries,
  pingWebhookEndpoint,
  removeWebhookEndpoint,
  retryWebhookDelivery,
  rotateWebhookSecret,
  type Scope,
  updateWebhookEndpoint,
} from '@swim/contracts';
import { lowestIdAt, newId } from '@swim/platform';
import { aPrincipal, rejectionOf, until } from '@swim/testing';
import { aHistory, anEvent, publish, publishTwin } from '../bus.js';
import { answering, verified } from '../receivers.js';
import { aReceiver, deliveriesOf, ended, endpointTo, harness, hasten, rows, tried } from './webhooks-harness.js';

describe('an event', () => {
  it('is delivered to each endpoint that receives its type, as GET /events answers it, signed', async () => {
    const owner = aPrincipal();
    const [all, some, none] = [await aReceiver(), await aReceiver(), await aReceiver()];
    const made = await endpointTo(owner, all);
    const ofSome = await endpointTo(owner, some, { events: ['booking.created', 'session.created'] });
    await endpointTo(owner, none, { events: ['session.created'] });
    await endpointTo(owner, none, { enabled: false });
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    await until(() => all.received.length === 1 && some.received.length === 1, 'both receive it');
    const [event] = (await harness.call(listEvents, {}, { principal: owner })).items;
    const [webhook] = all.received;
    expect(verified(webhook!, made.secret!)).toEqual(event);
    expect(verified(some.received[0]!, ofSome.secret!)).toEqual(event);
    expect(() => verified(webhook!, ofSome.secret!)).toThrow();
    expect(webhook!.headers).toMatchObject({ 'webhook-id': event!.id, 'content-type': 'application/json' });
    expect(none.received).toEqual([]);
    const [delivery] = await ended(owner, made, 'succeeded');
    expect(delivery).toEqual({
      object: 'webhook_delivery',
      id: expect.stringMatching(/^dlv_/),
      webhook_endpoint_id: made.id,
      event_id: event!.id,
      type: 'booking.created',
      status: 'succeeded',
      attempts: [
        { at: expect.any(String), status_code: 200, duration_ms: expect.any(Number), error: null, response_body: 'ok' },
      ],
      next_attempt_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const one = { webhook_endpoint_id: made.id, webhook_delivery_id: delivery!.id };
    const shown = await harness.call(getWebhookDelivery, one, { principal: owner });
    expect(shown).toEqual({ ...delivery, request_body: webhook!.body });
    const scopes: Scope[] = ['webhooks:write'];
    const withoutEvents = await harness.call(getWebhookDelivery, one, { principal: { ...owner, scopes } });
    expect(withoutEvents).toEqual({ ...delivery, request_body: null });
  });

  it('from before an endpoint was made is not delivered to it, when it comes again after NATS has lost its store', async () => {
    const owner = aPrincipal();
    const earlier = anEvent({
      audience: [owner.accountId],
      occurredAt: new Date(Date.now() - 60_000).toISOString(),
    });
    await publish(harness, [earlier]);
    const listed = async () => (await harness.call(listEvents, {}, { principal: owner })).items;
    await until(async () => (await listed()).length === 1, 'it is stored');
    const receiver = await aReceiver();
    const endpoint = await endpointTo(owner, receiver);
    await publishTwin(harness, earlier);
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    await until(async () => (await listed()).length === 2, 'the next is stored');
    const { id } = (await listed())[0]!;
    await until(() => receiver.eventIds.has(id), 'the next is delivered');
    expect((await deliveriesOf(owner, endpoint)).map(({ event_id }) => event_id)).toEqual([id]);
  });

  it('that comes twice is delivered once, and those of one object in their order', async () => {
    const owner = aPrincipal();
    const receiver = await aReceiver();
    const endpoint = await endpointTo(owner, receiver);
    const history = aHistory(20, { audience: [owner.accountId] });
    // At the same time, so that one batch contains both.
    await Promise.all(history.flatMap((event) => [publishTwin(harness, event), publishTwin(harness, event)]));
    // Before the lease of a delivery that was claimed and never sent would end.
    await until(() => receiver.received.length === 20, 'all are received', 30_000);
    await ended(owner, endpoint, 'succeeded', 20);
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    await ended(owner, endpoint, 'succeeded', 21);
    expect(receiver.received).toHaveLength(21);
    expect(receiver.eventIds.size).toBe(21);
  });

  it('is delivered to all accounts of its audience that have an endpoint', async () => {
    const [one, other] = [aPrincipal(), aPrincipal()];
    const [first, second] = [await aReceiver(), await aReceiver()];
    await endpointTo(one, first);
    await endpointTo(other, second);
    await publish(harness, [anEvent({ audience: [one.accountId, other.accountId, newId('acct')] })]);
    await until(() => first.received.length + second.received.length === 2, 'both receive it');
    expect(first.received[0]!.event.id).not.toBe(second.received[0]!.event.id);
  });

  it('is not delivered to an endpoint that was removed', async () => {
    const owner = aPrincipal();
    const receiver = await aReceiver(answering(500));
    const endpoint = await endpointTo(owner, receiver);
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    await tried(owner, endpoint, 1);
    await harness.call(removeWebhookEndpoint, { webhook_endpoint_id: endpoint.id }, { principal: owner });
    await hasten(endpoint.id);
    const isGone = async () => {
      await hasten(endpoint.id);
      return (await rows().countDocuments({ endpointId: endpoint.id })) === 0;
    };
    await until(isGone, 'the delivery is removed');
  });
});

// A machine without Python registers one test less.
if (spawnSync('python3', ['--version']).status === 0) {
  it('a webhook is verified by a receiver in Python, and one that another secret has signed is not', async () => {
    const owner = aPrincipal();
    const waiting = await aReceiver();
    const endpoint = await endpointTo(owner, waiting, { enabled: false });
    const env = { ...process.env, WEBHOOK_SECRET: endpoint.secret! };
    const python = spawn('python3', [fileURLToPath(new URL('../receiver.py', import.meta.url))], { env });
    try {
      const lines: string[] = [];
      createInterface({ input: python.stdout }).on('line', (line) => lines.push(line));
      await until(() => lines.length === 1, 'the receiver has a port');
      const url = `http://127.0.0.1:${lines[0]}/webhooks`;
      const changes = { url, enabled: true };
      await harness.call(updateWebhookEndpoint, { webhook_endpoint_id: endpoint.id, changes }, { principal: owner });
      await endpointTo(owner, { url });
      await publish(harness, [anEvent({ audience: [owner.accountId] })]);
      // Invalid deliveries are sent again.
      const received = () => new Set(lines.slice(1));
      await until(() => received().size === 2, 'both webhooks are received');
      const { id } = (await harness.call(listEvents, {}, { principal: owner })).items[0]!;
      const results = [...received()].map((line) => JSON.parse(line) as { valid: boolean; id: string });
      expect(results.toSorted((a, b) => Number(a.valid) - Number(b.valid))).toEqual([
        { valid: false, id },
        { valid: true, id },
      ]);
      await ended(owner, endpoint, 'succeeded');
    } finally {
      python.kill();
    }
  });
}

it('a delivery is removed after 30 days, unless a replay has made it pending', async () => {
  const owner = aPrincipal();
  const receiver = await aReceiver();
  const endpoint = await endpointTo(owner, receiver);
  await publish(harness, [anEvent({ audience: [owner.accountId] })]);
  const [delivery] = await ended(owner, endpoint, 'succeeded');
  const stored = await rows().findOne({ _id: delivery!.id });
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
  const [finished, pending] = [lowestIdAt('dlv', daysAgo(31)), lowestIdAt('dlv', daysAgo(32))];
  const old = { ...stored!, createdAt: daysAgo(31), attempts: [] };
  await rows().insertMany([
    { ...old, _id: pending, status: 'pending', dueAt: new Date(Date.now() + 3_600_000) },
    { ...old, _id: finished },
  ] as { _id: string }[]);
  await until(async () => (await rows().findOne({ _id: finished })) === null, 'the finished one is removed');
  expect((await deliveriesOf(owner, endpoint)).map(({ id }) => id)).toEqual([delivery!.id, pending]);
});

describe('a ping', () => {
  it('is delivered whatever types the endpoint receives, without a sequence, and not listed', async () => {
    const owner = aPrincipal();
    const receiver = await aReceiver();
    const endpoint = await endpointTo(owner, receiver, { events: ['session.created'] });
    const options = { principal: owner, idempotencyKey: 'ping once' };
    const ping = await harness.call(pingWebhookEndpoint, { webhook_endpoint_id: endpoint.id }, options);
    expect(ping).toMatchObject({ type: 'ping', webhook_endpoint_id: endpoint.id });
    await ended(owner, endpoint, 'succeeded');
    expect(await harness.call(pingWebhookEndpoint, { webhook_endpoint_id: endpoint.id }, options)).toEqual(ping);
    expect(receiver.received).toHaveLength(1);
    expect(verified(receiver.received[0]!, endpoint.secret!)).toMatchObject({ id: ping.event_id, type: 'ping' });
    expect(receiver.received[0]!.event).not.toHaveProperty('sequence');
    expect((await harness.call(listEvents, {}, { principal: owner })).pagination.total).toBe(0);
  });

  it('of a dry run is neither stored nor sent', async () => {
    const owner = aPrincipal();
    const receiver = await aReceiver();
    const endpoint = await endpointTo(owner, receiver);
    const options = { principal: owner, dryRun: true };
    expect(await harness.call(pingWebhookEndpoint, { webhook_endpoint_id: endpoint.id }, options)).toMatchObject({
      status: 'pending',
    });
    expect(await deliveriesOf(owner, endpoint)).toEqual([]);
  });
});

describe('after a rotation', () => {
  it('both secrets sign, for 24 hours', async () => {
    const owner = aPrincipal();
    const receiver = await aReceiver();
    const made = await endpointTo(owner, receiver);
    const rotated = await harness.call(rotateWebhookSecret, { webhook_endpoint_id: made.id }, { principal: owner });
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    await until(() => receiver.received.length === 1, 'it is delivered');
    verified(receiver.received[0]!, made.secret!);
    verified(receiver.received[0]!, rotated.secret!);
    const endpoints = harness.database('notification_test').collection<{ _id: string }>('webhook_endpoints');
    await endpoints.updateOne({ _id: made.id }, { $set: { 'secrets.1.until': new Date(Date.now() - 1) } });
    const isAlone = async () => {
      await publish(harness, [anEvent({ audience: [owner.accountId] })]);
      const signature = receiver.received.at(-1)!.headers['webhook-signature'];
      return String(signature).split(' ').length === 1;
    };
    await until(isAlone, 'the former secret does not sign any more');
    verified(receiver.received.at(-1)!, rotated.secret!);
  });
});

it('deliveries of other accounts and unknown ones are rejected: resource_not_found', async () => {
  const [owner, other] = [aPrincipal(), aPrincipal()];
  const receiver = await aReceiver();
  const endpoint = await endpointTo(owner, receiver);
  await publish(harness, [anEvent({ audience: [owner.accountId] })]);
  const [delivery] = await ended(owner, endpoint, 'succeeded');
  const ofEndpoint = { webhook_endpoint_id: endpoint.id };
  const one = { ...ofEndpoint, webhook_delivery_id: delivery!.id };
  const unknown = { ...ofEndpoint, webhook_delivery_id: newId('dlv') };
  const requests = [
    harness.call(listWebhookDeliveries, ofEndpoint, { principal: other }),
    harness.call(getWebhookDelivery, one, { principal: other }),
    harness.call(getWebhookDelivery, unknown, { principal: owner }),
    harness.call(retryWebhookDelivery, one, { principal: other }),
    harness.call(retryWebhookDelivery, unknown, { principal: owner }),
    harness.call(pingWebhookEndpoint, ofEndpoint, { principal: other }),
  ];
  const reasons = await Promise.all(requests.map(async (each) => (await rejectionOf(each)).reason));
  expect(reasons).toEqual(Array(6).fill('resource_not_found'));
});
