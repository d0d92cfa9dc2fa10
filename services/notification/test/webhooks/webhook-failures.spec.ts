import { describe, expect, it, jest } from '@jest/globals';
import { getWebhookEndpoint, pingWebhookEndpoint, retryWebhookDelivery, updateWebhookEndpoint } from '@swim/contracts';
import { aPrincipal, ofSeveralTries, partOf, rejectionOf, until, updateAll } from '@swim/testing';
import { WebhookEndpointsRepository } from '../../src/webhook-endpoints/webhook-endpoints.repository.js';
import { WebhookTargetsService } from '../../src/webhook-endpoints/webhook-targets.service.js';
import { aHistory, anEvent, publish } from '../bus.js';
import { allowPrivateTargets } from '../in-process.js';
import { answering } from '../receivers.js';
import {
  aReceiver,
  deliveriesOf,
  ended,
  endpointTo,
  harness,
  hasten,
  rows,
  service,
  tried,
} from './webhooks-harness.js';

describe('a delivery that fails', () => {
  it.each([
    ['500', answering(500, 'broken'), { status_code: 500, error: 'The answer was 500.', response_body: 'broken' }],
    ['a redirect', answering(302, '', { location: 'http://169.254.169.254/' }), { status_code: 302 }],
    ['an early end', (response: { destroy(): void }) => response.destroy(), { status_code: null, response_body: null }],
  ])('with %s is tried again, with the same id', (_, answer, attempt) =>
    // On a busy machine the service may retry it before the test does.
    ofSeveralTries(async () => {
      const owner = aPrincipal();
      const receiver = await aReceiver(answer);
      const endpoint = await endpointTo(owner, receiver);
      await publish(harness, [anEvent({ audience: [owner.accountId] })]);
      const first = await tried(owner, endpoint, 1);
      expect(first).toMatchObject({ status: 'pending', attempts: [attempt], next_attempt_at: expect.any(String) });
      const pauseMs =
        Date.parse(first.next_attempt_at!) - Date.parse(first.attempts[0]!.at) - first.attempts[0]!.duration_ms;
      expect(pauseMs).toBeGreaterThanOrEqual(4_990);
      expect(pauseMs).toBeLessThanOrEqual(5_510);
      receiver.answer = answering(204);
      await hasten(endpoint.id);
      const [delivery] = await ended(owner, endpoint, 'succeeded');
      expect(delivery!.attempts).toHaveLength(2);
      expect(delivery!.attempts[1]).toMatchObject({ status_code: 204, error: null });
      expect(receiver.eventIds.size).toBe(1);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    }),
  );

  it('ten times has failed for good; a retry makes one more try', async () => {
    const owner = aPrincipal();
    const receiver = await aReceiver(answering(503, '', { 'retry-after': '3600' }));
    const endpoint = await endpointTo(owner, receiver);
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    await tried(owner, endpoint, 1);
    await updateAll(rows(), { endpointId: endpoint.id }, { tries: 9, dueAt: new Date(0) });
    const [failed] = await ended(owner, endpoint, 'failed');
    expect(failed).toMatchObject({ next_attempt_at: null });
    const one = { webhook_endpoint_id: endpoint.id, webhook_delivery_id: failed!.id };
    await harness.call(retryWebhookDelivery, one, { principal: owner });
    await tried(owner, endpoint, 3);
    await ended(owner, endpoint, 'failed');
    receiver.answer = answering(200);
    const retried = await harness.call(retryWebhookDelivery, one, { principal: owner });
    expect(retried.status).not.toBe('failed');
    expect((await ended(owner, endpoint, 'succeeded'))[0]!.attempts).toHaveLength(4);
  });

  it('waits as long as Retry-After says', async () => {
    const owner = aPrincipal();
    const receiver = await aReceiver(answering(429, '', { 'retry-after': '3600' }));
    const endpoint = await endpointTo(owner, receiver);
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    const { attempts, next_attempt_at } = await tried(owner, endpoint, 1);
    const pauseMs = Date.parse(next_attempt_at!) - Date.parse(attempts[0]!.at);
    expect(pauseMs).toBeGreaterThanOrEqual(3_599_000);
    expect(pauseMs).toBeLessThan(3_660_000);
  });

  it('with 410 disables the endpoint, with an event, and what is pending fails without a try', async () => {
    const owner = aPrincipal();
    // The service itself retries not before the test has ended.
    const failing = answering(500, '', { 'retry-after': '3600' });
    const [receiver, other] = [await aReceiver(failing), await aReceiver()];
    const endpoint = await endpointTo(owner, receiver, { description: 'private words' });
    await endpointTo(owner, other, { events: ['webhook_endpoint.disabled'] });
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    await tried(owner, endpoint, 1);
    receiver.answer = answering(410);
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    await until(() => other.received.length === 1, 'the event of the disabling is delivered');
    expect(other.received[0]!.event).toMatchObject({
      type: 'webhook_endpoint.disabled',
      data: { object: { id: endpoint.id, object: 'webhook_endpoint', enabled: false, disabled_reason: 'gone' } },
      actor: 'system',
    });
    expect(other.received[0]!.body).not.toContain('private words');
    const shown = await harness.call(getWebhookEndpoint, { webhook_endpoint_id: endpoint.id }, { principal: owner });
    expect(shown).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    const count = receiver.received.length;
    await until(async () => {
      await hasten(endpoint.id);
      return (await deliveriesOf(owner, endpoint)).every(({ status }) => status === 'failed');
    }, 'both have failed');
    expect(receiver.received).toHaveLength(count);
    const [, earlier] = await deliveriesOf(owner, endpoint);
    expect(Date.parse(earlier!.attempts.at(-1)!.at)).toBeLessThanOrEqual(Date.now() + 1_000);
    const ping = harness.call(pingWebhookEndpoint, { webhook_endpoint_id: endpoint.id }, { principal: owner });
    expect((await rejectionOf(ping)).reason).toBe('invalid_state');
    const one = { webhook_endpoint_id: endpoint.id, webhook_delivery_id: earlier!.id };
    const retry = harness.call(retryWebhookDelivery, one, { principal: owner });
    expect((await rejectionOf(retry)).reason).toBe('invalid_state');
    const enable = { webhook_endpoint_id: endpoint.id, changes: { enabled: true } };
    expect(await harness.call(updateWebhookEndpoint, enable, { principal: owner })).toMatchObject({
      enabled: true,
      disabled_reason: null,
    });
  });

  it('disables an endpoint after five days in a row of failures', async () => {
    const owner = aPrincipal();
    const receiver = await aReceiver(answering(500));
    const endpoint = await endpointTo(owner, receiver);
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    await tried(owner, endpoint, 1);
    const endpoints = harness.database('notification_test').collection<{ _id: string }>('webhook_endpoints');
    const isFailing = async () => (await endpoints.findOne({ _id: endpoint.id, 'days.failed': 1 })) !== null;
    await until(isFailing, 'the first failure is recorded');
    const yesterday = new Date(Date.now() - 24 * 3_600_000);
    await endpoints.updateOne({ _id: endpoint.id }, { $set: { days: { last: yesterday, failed: 5 } } });
    await until(async () => {
      await hasten(endpoint.id);
      const shown = await harness.call(getWebhookEndpoint, { webhook_endpoint_id: endpoint.id }, { principal: owner });
      return shown.disabled_reason === 'failing';
    }, 'the endpoint is disabled');
  });

  it('after five days disables no endpoint that has succeeded since the try began', async () => {
    const owner = aPrincipal();
    const held: (() => void)[] = [];
    const receiver = await aReceiver((response) => void held.push(() => answering(500)(response, {} as never)));
    const endpoint = await endpointTo(owner, receiver);
    const endpoints = harness.database('notification_test').collection<{ _id: string }>('webhook_endpoints');
    const yesterday = new Date(Date.now() - 24 * 3_600_000);
    await endpoints.updateOne({ _id: endpoint.id }, { $set: { days: { last: yesterday, failed: 5 } } });
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    await until(() => held.length === 1, 'the first try waits for its answer');
    // As another replica records a success.
    await endpoints.updateOne({ _id: endpoint.id }, { $set: { days: { last: new Date(), failed: 0 } } });
    receiver.answer = answering(200);
    held[0]!();
    await tried(owner, endpoint, 1);
    await hasten(endpoint.id);
    await ended(owner, endpoint, 'succeeded');
    const shown = await harness.call(getWebhookEndpoint, { webhook_endpoint_id: endpoint.id }, { principal: owner });
    expect(shown).toMatchObject({ enabled: true, disabled_reason: null });
  });

  it('leaves what is pending alone while it is not certain that the endpoint is disabled', async () => {
    const owner = aPrincipal();
    const receiver = await aReceiver(answering(410));
    const endpoint = await endpointTo(owner, receiver);
    const targets = partOf(service, WebhookTargetsService);
    const repository = partOf(service, WebhookEndpointsRepository);
    const [find, forget] = [targets.find.bind(targets), targets.forget.bind(targets)];
    // As the cache does, which on a busy machine may end before the second try.
    let cached: ReturnType<typeof find> | undefined;
    jest.spyOn(targets, 'find').mockImplementation((id) => {
      if (id !== endpoint.id) return find(id);
      cached ??= find(id);
      return cached;
    });
    jest.spyOn(targets, 'forget').mockImplementation((id) => {
      if (id === endpoint.id) cached = undefined;
      forget(id);
    });
    const ends = Promise.withResolvers<never>();
    const changed = jest.spyOn(repository, 'changeAny').mockReturnValueOnce(ends.promise);
    try {
      await publish(harness, [anEvent({ audience: [owner.accountId] })]);
      await until(() => changed.mock.calls.length === 1, 'the endpoint is being disabled');
      receiver.answer = answering(200);
      await publish(harness, [anEvent({ audience: [owner.accountId] })]);
      await ended(owner, endpoint, 'succeeded');
      ends.reject(new Error('The database is away.'));
      receiver.answer = answering(410);
      await publish(harness, [anEvent({ audience: [owner.accountId] })]);
      await until(() => changed.mock.calls.length === 2, 'the next try that fails disables it');
    } finally {
      jest.restoreAllMocks();
    }
  });
});

describe('a receiver', () => {
  it('that sends without end has 16 KiB of its answer kept', async () => {
    const owner = aPrincipal();
    const receiver = await aReceiver((response) => {
      const piece = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', more);
      };
      response.writeHead(200);
      more();
    });
    const endpoint = await endpointTo(owner, receiver);
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    const [delivery] = await ended(owner, endpoint, 'succeeded');
    expect(delivery!.attempts[0]!.response_body).toBe('x'.repeat(16 * 1024));
  });

  it('that answers 100,000 headers has failed', async () => {
    const owner = aPrincipal();
    const receiver = await aReceiver((response) => {
      const headers = Array.from({ length: 100_000 }, (_, at) => `x-${at}: y\r\n`).join('');
      response.socket!.end(`HTTP/1.1 200 OK\r\n${headers}\r\n`);
    });
    const endpoint = await endpointTo(owner, receiver);
    await publish(harness, [anEvent({ audience: [owner.accountId] })]);
    const { attempts } = await tried(owner, endpoint, 1);
    expect(attempts[0]).toMatchObject({ status_code: null, error: expect.stringMatching(/headers|closed/) });
  });

  it.each([
    [
      '101',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      101,
      'The answer was 101.',
    ],
    ['1xx without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000), null, expect.stringMatching(/^More than 10 /)],
  ])('that answers %s has failed, and gets the next delivery', async (_, answer, statusCode, error) => {
    const owner = aPrincipal();
    const receiver = await aReceiver((response) => void response.socket!.write(answer));
    const endpoint = await endpointTo(owner, receiver);
    await publish(harness, aHistory(4, { audience: [owner.accountId] }));
    const all = await until(async () => {
      const own = await deliveriesOf(owner, endpoint);
      return own.length === 4 && own.every(({ attempts }) => attempts.length >= 1) ? own : null;
    }, 'all four were tried');
    expect(all[0]!.attempts[0]).toMatchObject({ status_code: statusCode, error });
    receiver.answer = answering(200);
    const areDelivered = async () => {
      await hasten(endpoint.id);
      return (await deliveriesOf(owner, endpoint)).every(({ status }) => status === 'succeeded');
    };
    await until(areDelivered, 'all four are delivered');
  });

  const hangs = async () => {
    const [owner, other] = [aPrincipal(), aPrincipal()];
    const [hanging, healthy] = [await aReceiver(() => undefined), await aReceiver()];
    await endpointTo(owner, hanging);
    await endpointTo(other, healthy);
    await publish(harness, aHistory(100, { audience: [owner.accountId] }));
    await until(() => hanging.received.length >= 4, 'the hanging receiver is busy');
    await publish(harness, aHistory(20, { audience: [other.accountId] }));
    await until(() => healthy.received.length === 20, 'the healthy receiver gets its events', 10_000);
    expect(hanging.mostOpen).toBe(4);
    expect(hanging.received).toHaveLength(4);
  };
  it('that hangs delays no other, and has four requests at once at most', () => ofSeveralTries(hangs));

  const fillsPlaces = async () => {
    const owners = [aPrincipal(), aPrincipal(), aPrincipal()];
    const [hanging, healthy] = [await aReceiver(() => undefined), await aReceiver()];
    const audience = owners.map(({ accountId }) => accountId);
    for (const owner of owners)
      await Promise.all(Array.from({ length: 16 }, () => endpointTo(owner, hanging, { events: ['review.created'] })));
    const other = aPrincipal();
    await endpointTo(other, healthy);
    await publish(harness, aHistory(8, { audience, type: 'review.created' }));
    await until(() => hanging.mostOpen >= 128, 'the hanging receiver has every place');
    const sinceMs = performance.now();
    await publish(harness, aHistory(20, { audience: [other.accountId] }));
    await until(() => healthy.received.length === 20, 'the healthy receiver gets its events', 12_000);
    // A hanging try ends after 15 s.
    expect(performance.now() - sinceMs).toBeLessThan(10_000);
  };
  it('that hangs delays no other when there are enough of its kind to take every place', () =>
    ofSeveralTries(fillsPlaces));

  it('whose address became private is not connected to', async () => {
    const owner = aPrincipal();
    const receiver = await aReceiver();
    const endpoint = await endpointTo(owner, { url: `http://localhost:${receiver.port}/` });
    await allowPrivateTargets(false);
    try {
      await publish(harness, [anEvent({ audience: [owner.accountId] })]);
      const { attempts } = await tried(owner, endpoint, 1);
      expect(attempts[0]).toMatchObject({
        status_code: null,
        error: 'The URL leads to an address that is not public.',
      });
      expect(receiver.received).toEqual([]);
    } finally {
      await allowPrivateTargets(true);
    }
  });
});
