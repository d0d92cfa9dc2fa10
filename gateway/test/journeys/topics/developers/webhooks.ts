import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  AccountEvent,
  Booking,
  Instructor,
  Member,
  WebhookDelivery,
  WebhookDeliveryWithRequest,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '@swim/contracts';
import { newId, SPAN_ATTRIBUTES } from '@swim/platform';
import { until } from '@swim/testing';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import { aBooking, aMember, anInstructor, bookingBody, nextTime } from '../../fixtures/fixtures.js';
import { journey, spans, stack } from '../../fixtures/shared-stack.js';

interface Received {
  headers: Record<string, string>;
  body: string;
}

/** The event of a webhook, verified by two libraries; throws unless the secret has signed it. */
function verified({ headers, body }: Received, secret: string): AccountEvent {
  new SvixWebhook(secret).verify(body, headers);
  return new Webhook(secret).verify(body, headers) as AccountEvent;
}

journey('webhooks', () => {
  const received: Received[] = [];
  let status = 200;
  let server: http.Server;
  let family: Customer;
  let instructor: Instructor;
  let member: Member;
  let endpoint: WebhookEndpointWithSecret;
  let path: string;

  beforeAll(async () => {
    server = http.createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
      response.writeHead(status).end('thank you');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    family = stack.family;
    [instructor, member] = [await anInstructor(stack.school), await aMember(family)];
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const body = { url, events: ['booking.created', 'booking.confirmed'], description: 'CRM' };
    endpoint = await family.make('/webhook-endpoints', body);
    path = `/webhook-endpoints/${endpoint.id}`;
  });
  afterAll(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  });

  const idOf = ({ body }: Received) => (JSON.parse(body) as AccountEvent).id;
  const deliveries = (query = '') => family.readAll<WebhookDelivery>(`${path}/deliveries${query}`);
  const newest = () => received.at(-1)!;
  const receivedCount = (count: number) => until(() => received.length >= count, `${count} webhooks are received`);

  it('deliver the events of a booking, signed, as GET /events answers them', async () => {
    const booking = await aBooking(family, instructor, member);
    await receivedCount(2);
    const events = await family.readAll<AccountEvent>(`/events?object_id=${booking.id}`);
    const delivered = received.map((each) => verified(each, endpoint.secret!));
    expect(delivered.toSorted((a, b) => b.sequence - a.sequence)).toEqual(events);
    expect(received.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(
      events.map(({ id }) => id).toSorted(),
    );
  });

  it('are listed, with every attempt and the request', async () => {
    const all = await until(async () => {
      const own = await deliveries('?status=succeeded');
      return own.length === 2 ? own : null;
    }, 'both have succeeded');
    for (const delivery of all)
      expect(delivery).toEqual({
        object: 'webhook_delivery',
        id: expect.stringMatching(/^dlv_/),
        webhook_endpoint_id: endpoint.id,
        event_id: expect.stringMatching(/^evt_/),
        type: expect.stringMatching(/^booking\./),
        status: 'succeeded',
        attempts: [
          {
            at: expect.stringMatching(/Z$/),
            status_code: 200,
            duration_ms: expect.any(Number),
            error: null,
            response_body: 'thank you',
          },
        ],
        next_attempt_at: null,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      });
    const shown = await family.read<WebhookDeliveryWithRequest>(`${path}/deliveries/${all[0]!.id}`);
    expect(received.map(({ body }) => body)).toContain(shown.request_body);
  });

  it('are retried on demand when they have failed', async () => {
    status = 500;
    const before = received.length;
    const ping = await family.make<WebhookDelivery>(`${path}/ping`, {});
    expect(ping).toMatchObject({ type: 'ping', status: 'pending' });
    await receivedCount(before + 1);
    status = 200;
    await until(async () => {
      const now = await family.read<WebhookDelivery>(`${path}/deliveries/${ping.id}`);
      return now.attempts.length > 0;
    }, 'the failed attempt is stored');
    expectStatus(200, await family.post(`${path}/deliveries/${ping.id}/retry`, {}));
    const retried = await until(async () => {
      const now = await family.read<WebhookDelivery>(`${path}/deliveries/${ping.id}`);
      return now.status === 'succeeded' ? now : null;
    }, 'the retry has succeeded');
    expect(retried.attempts.map(({ status_code }) => status_code)).toEqual([500, 200]);
    expect(newest().headers['webhook-id']).toBe(ping.event_id);
    expect(verified(newest(), endpoint.secret!)).not.toHaveProperty('sequence');
    expect((await family.readAll<AccountEvent>('/events')).map(({ id }) => id)).not.toContain(ping.event_id);
  });

  it('are signed with both secrets after a rotation, which alone shows the new one', async () => {
    const headers = { 'idempotency-key': newId('req') };
    const rotated = expectStatus(
      200,
      await family.post<WebhookEndpointWithSecret>(`${path}/rotate-secret`, {}, headers),
    );
    const { secret, ...shown } = rotated.data;
    expect(secret).not.toBe(endpoint.secret);
    expect(await family.read<WebhookEndpoint>(path)).toEqual(shown);
    const repeated = await family.post<WebhookEndpointWithSecret>(`${path}/rotate-secret`, {}, headers);
    expect(repeated.data).toEqual(rotated.data);
    await until(async () => {
      const count = received.length;
      await family.make(`${path}/ping`, {});
      await receivedCount(count + 1);
      return newest().headers['webhook-signature']!.split(' ').length === 2;
    }, 'both secrets sign');
    for (const each of [secret!, endpoint.secret!])
      expect(verified(newest(), each)).toMatchObject({ type: 'ping', data: { object: { id: endpoint.id } } });
    endpoint = rotated.data;
  });

  it('are replayed since a sequence', async () => {
    const [latest] = await family.readAll<AccountEvent>('/events?type=booking.created,booking.confirmed');
    const count = received.length;
    const replay = { since_sequence: latest!.sequence - 1 };
    const answer = await family.post(`${path}/replay`, replay);
    expect(answer).toMatchObject({ status: 200, data: { replayed: 1 } });
    await receivedCount(count + 1);
    expect(verified(newest(), endpoint.secret!)).toEqual(latest);
    expect(await family.post(`${path}/replay`, { since_sequence: 1_000_000 })).toMatchObject(
      apiError(400, 'out_of_range', 'since_sequence'),
    );
  });

  it('belong to the trace of the booking, which goes through the services and contains nothing personal', async () => {
    const [traceId, root] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const headers = { 'idempotency-key': newId('req'), traceparent: `00-${traceId}-${root}-01` };
    await family.make('/bookings', bookingBody(instructor, [member], [nextTime()]), headers);
    const services = ['gateway', 'booking', 'people', 'scheduling', 'notification'];
    const names = ['booking.create', 'scheduling.claim', 'process booking.created', 'process booking.confirmed'];
    // Each process sends its spans by itself, every five seconds.
    const trace = await until(() => {
      const received = spans.ofTrace(traceId);
      const known = new Set([root, ...received.map(({ spanId }) => spanId)]);
      const isWhole = received.every(({ parentSpanId }) => known.has(parentSpanId!));
      const parts = new Set(received.flatMap(({ service, name }) => [service, name]));
      const hasAll = [...services, ...names].every((part) => parts.has(part));
      return isWhole && hasAll && received.filter(({ name }) => name === 'POST').length === 2 ? received : null;
    }, 'the trace has all services, and its webhooks');
    expect(trace.filter(({ parentSpanId }) => parentSpanId === root)).toMatchObject([
      { service: 'gateway', name: 'POST /v1/bookings', attributes: { 'http.response.status_code': expect.anything() } },
    ]);
    const attributes = trace.map((span) => span.attributes);
    expect(SPAN_ATTRIBUTES).toEqual(expect.arrayContaining(attributes.flatMap(Object.keys)));
    // No ids either: they lead to persons.
    expect(JSON.stringify(attributes)).not.toMatch(/[a-z]+_[0-9a-hjkmnp-tv-z]{26}/);
  });

  describe('of another account', () => {
    it('are neither shown, changed nor sent', async () => {
      const { school } = stack;
      const [delivery] = await deliveries();
      const one = `${path}/deliveries/${delivery!.id}`;
      const absent = apiError(404, 'resource_not_found');
      for (const url of [path, `${path}/deliveries`, one]) expect(await school.get(url)).toMatchObject(absent);
      for (const url of [`${path}/ping`, `${path}/rotate-secret`, `${one}/retry`])
        expect(await school.post(url, {})).toMatchObject(absent);
      expect(await school.post(`${path}/replay`, { since_sequence: 0 })).toMatchObject(absent);
      expect(await school.patch(path, { enabled: false })).toMatchObject(absent);
      expect(await school.delete(path)).toMatchObject(absent);
      const own = await school.make<WebhookEndpointWithSecret>('/webhook-endpoints', { url: endpoint.url });
      expect(await school.get(`/webhook-endpoints/${own.id}/deliveries/${delivery!.id}`)).toMatchObject(absent);
      const reader = await stack.mint(family.id, { scopes: ['webhooks:read'] });
      expect(await reader.post(`${path}/ping`, {})).toMatchObject(apiError(403, 'missing_scope'));
    });
  });

  it('end with their endpoint', async () => {
    expect((await family.delete(path)).status).toBe(204);
    expect(await family.get(`${path}/deliveries`)).toMatchObject(apiError(404, 'resource_not_found'));
    const count = received.filter((each) => each.headers['webhook-id'] !== undefined).length;
    const booking: Booking = await aBooking(family, instructor, member);
    await until(
      async () => (await family.readAll(`/events?object_id=${booking.id}`)).length === 2,
      'the events are listed',
    );
    const mine = new Set((await family.readAll<AccountEvent>(`/events?object_id=${booking.id}`)).map(({ id }) => id));
    expect(received.slice(count).filter((each) => mine.has(idOf(each)))).toEqual([]);
  });
});
