import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccountEvent, WebhookDelivery, WebhookEndpointWithSecret } from '@swim/contracts';
import { until } from '@swim/testing';
import { done, FULL_METADATA, hasEvents, MORE_METADATA, rejected, type Scene } from './scene.js';

const STREAM_MS = 20_000;

/** Events, and the streams of them. */
export async function followEvents(scene: Scene): Promise<void> {
  const { family, booking, stack } = scene;
  const query = `type=booking.confirmed&object_id=${booking.id}`;
  const [{ id }] = (await hasEvents(family, query, 1)) as [AccountEvent];
  await done(200, family.get(`/events?${query}`));
  await done(200, family.get(`/events/${id}`));

  const url = `${stack.origin}/v1/events/stream`;
  const headers = { authorization: `Bearer ${family.key}` };
  const ends = new AbortController();
  const open = (after = {}) =>
    fetch(url, {
      headers: { ...headers, ...after },
      signal: AbortSignal.any([ends.signal, AbortSignal.timeout(STREAM_MS)]),
    });
  const first = await open({ 'last-event-id': '0' });
  scene.recording.addAnswer('openEventStream', {}, await firstEvent(first));
  const others = await Promise.all(Array.from({ length: 19 }, () => open()));
  if (others.some(({ status }) => status !== 200)) throw new Error('Not every stream was opened.');
  await rejected('limit_reached', family.get('/events/stream'));
  ends.abort();
  const future = { headers: { 'last-event-id': '999999999' } };
  const isFree = async () =>
    (await family.once.send('GET', '/events/stream', future)).error.details.reason === 'out_of_range';
  await until(isFree, 'a stream has ended');
  await rejected('out_of_range', family.send('GET', '/events/stream', future));
}

/** The first event of a stream, as it is sent; the stream stays open. */
async function firstEvent({ body }: Response): Promise<string> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done: hasEnded } = await reader.read();
    if (hasEnded) throw new Error('The stream has ended without an event.');
    text += value;
    const [event] = /^id: \d+\ndata: .*\n\n/m.exec(text) ?? [];
    if (event) return event;
  }
}

/** A server that receives webhooks; `status` is what it answers. */
async function receive(): Promise<{ url: string; answer: (status: number) => void; close: () => Promise<void> }> {
  let status = 200;
  const server = http.createServer((request, response) => {
    request.resume();
    response.writeHead(status).end('thank you');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    answer: (next) => {
      status = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Webhook endpoints and their deliveries. */
export async function deliver(scene: Scene): Promise<void> {
  const { family, stack } = scene;
  const receiver = await receive();
  try {
    const { url } = receiver;
    const body = { url, events: ['payment_method.added'], description: 'CRM' };
    scene.endpoint = await family.make<WebhookEndpointWithSecret>('/webhook-endpoints', body);
    const path = `/webhook-endpoints/${scene.endpoint.id}`;
    const unreachable = { url: 'https://169.254.169.254/latest' };
    await rejected('forbidden_target', family.post('/webhook-endpoints', { ...body, ...unreachable }));
    await rejected('forbidden_target', family.patch(path, unreachable));
    await done(200, family.get('/webhook-endpoints'));
    await done(200, family.get(path));
    await done(200, family.patch(path, { events: ['payment_method.added', 'payment_method.removed'] }));
    await done(200, family.post(`${path}/rotate-secret`, {}));
    const delivered = await deliveries(scene, path, receiver.answer);
    await hasEvents(family, 'type=payment_method.removed', 2);
    await done(200, family.post(`${path}/replay`, { since_sequence: 0, types: ['payment_method.removed'] }));
    await rejected('out_of_range', family.post(`${path}/replay`, { since_sequence: 999_999_999 }));
    await done(200, family.patch(path, { enabled: false, metadata: FULL_METADATA }));
    await rejected('too_long', family.patch(path, MORE_METADATA));
    await rejected('invalid_state', family.post(`${path}/ping`, {}));
    await rejected('invalid_state', family.post(`${path}/deliveries/${delivered}/retry`, {}));
    await rejected('invalid_state', family.post(`${path}/replay`, { since_sequence: 0 }));
    for (let more = 0; more < 15; more++) await family.make('/webhook-endpoints', body);
    await rejected('limit_reached', family.post('/webhook-endpoints', body));
    await done(204, family.delete(path));
    scene.endpoint = { ...scene.endpoint, id: (await family.read<{ id: string }[]>('/webhook-endpoints'))[0]!.id };
    const live = scene.recorded(await stack.open('family', 'live'));
    const plain = { url: 'http://93.184.215.14/hooks' };
    await rejected('https_required', live.post('/webhook-endpoints', { ...body, ...plain }));
    const secure = await live.make<WebhookEndpointWithSecret>('/webhook-endpoints', {
      url: 'https://93.184.215.14/hooks',
    });
    await rejected('https_required', live.patch(`/webhook-endpoints/${secure.id}`, plain));
  } finally {
    await receiver.close();
  }
}

/** The deliveries of two pings, of which the second fails at first; returns the id of the other. */
async function deliveries({ family }: Scene, path: string, answer: (status: number) => void): Promise<string> {
  const list = `${path}/deliveries`;
  const ended = (id: string, count: number) =>
    until(async () => {
      const { data } = await family.once.get<WebhookDelivery>(`${list}/${id}`);
      return data.attempts.length === count;
    }, `try ${count} has ended`);
  const { id } = await family.make<WebhookDelivery>(`${path}/ping`, {});
  await ended(id, 1);
  await done(200, family.get(`${list}?ids=${id}`));
  await done(200, family.get(`${list}/${id}`));
  answer(503);
  const failing = await family.make<WebhookDelivery>(`${path}/ping`, {});
  await ended(failing.id, 1);
  answer(200);
  await done(200, family.post(`${list}/${failing.id}/retry`, {}));
  return id;
}
