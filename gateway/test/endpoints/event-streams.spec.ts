import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStream, readEvents } from '@swim/contracts';
import { keySubject } from '@swim/messaging';
import { AppError, parseApiKey } from '@swim/platform';
import { EventStreamClient, ofSeveralTries, until } from '@swim/testing';
import { expectError } from '../fixtures/expectations.js';
import { FakeStreams } from '../fixtures/fake-streams.js';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, startHarness } from '../fixtures/harness.js';

const PATH = '/v1/events/stream';

let harness: GatewayHarness;
let gateway: GatewayProcess;
let streams: FakeStreams;
let key: { text: string; accountId: string };

const newKey = (facts: Parameters<GatewayHarness['services']['key']>[0] = {}) => {
  const { text, principal } = harness.services.key(facts);
  return { text, accountId: principal.accountId };
};
const open = (lastEventId?: number, { text } = key, from = gateway) =>
  EventStreamClient.open(from.origin, text, lastEventId);
const addAll = (count: number, options = {}) => {
  for (let index = 0; index < count; index++) streams.add(key.accountId, options);
};
/** The sequences of a client's events. */
const received = (client: EventStreamClient) => client.events.map(({ sequence }) => sequence);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
/** Revokes a key as people does, and resolves when the gateways are notified of it. */
async function revoke({ text }: { text: string }): Promise<void> {
  const { keyId, env } = parseApiKey(text)!;
  harness.services.change(text, { rejection: 'revoked_key' });
  await harness.services.connection.request(keySubject(env, keyId), JSON.stringify({ keyId, revoked: true }), {
    timeout: 5_000,
  });
}

beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway(NO_LIMITS);
});
beforeEach(() => {
  streams = new FakeStreams(harness.services);
  key = newKey();
});
afterAll(() => harness?.stop());

describe('GET /events/stream', () => {
  it('answers server-sent events, which no proxy may hold back', async () => {
    const client = await open();
    expect(Object.fromEntries(client.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-ratelimit-limit': NO_LIMITS.RATE_LIMIT_PER_HOUR,
    });
    client.close();
  });

  it('sends the events after Last-Event-ID page by page, then those that are signalled', async () => {
    addAll(120);
    const client = await open(0);
    await client.received(120);
    addAll(1);
    await client.received(121);
    expect(received(client)).toEqual(upTo(121));
    expect(client.lastEventId).toBe('121');
    client.close();
  });

  it('begins after the newest event without Last-Event-ID, and names its position', async () => {
    addAll(3);
    const client = await open();
    expect(client.lastEventId).toBe('3');
    addAll(1);
    await client.received(1);
    expect(received(client)).toEqual([4]);
    client.close();
  });

  it('is one request of the limit, however many events it sends', async () => {
    addAll(120);
    const counted = async () => {
      const client = await open(0);
      await client.received(120);
      client.close();
      const { headers } = client.response;
      return { left: Number(headers.get('x-ratelimit-remaining')), reset: headers.get('x-ratelimit-reset') };
    };
    const ofOneHour = async () => {
      const [first, second] = [await counted(), await counted()];
      return first.reset === second.reset ? { first, second } : null;
    };
    const { first, second } = await until(ofOneHour, 'two streams are opened in the same hour');
    expect(first.left - second.left).toBe(1);
  });

  it('finds an event whose signal is lost', async () => {
    const client = await open();
    await until(() => streams.reads.length > 0, 'the stream has looked for events');
    addAll(1, { signals: false });
    await client.received(1);
    client.close();
  });

  it('sends truncated first where the events after Last-Event-ID are gone', async () => {
    addAll(9);
    streams.events.splice(0, 5);
    const client = await open(2);
    await client.received(4);
    expect(client.messages[0]).toMatchObject({ id: '5', event: 'truncated' });
    expect(received(client)).toEqual([6, 7, 8, 9]);
    client.close();
  });

  it('goes on after failures of the service', async () => {
    harness.services.answer(readEvents, () => {
      throw new AppError('unavailable');
    });
    const reads = () => harness.services.requestsOf(readEvents).length;
    const before = reads();
    const client = await open();
    addAll(1);
    await until(() => reads() > before + 2, 'the stream has read in vain');
    streams.resumeReading();
    await client.received(1);
    client.close();
  });

  it('rejects a position that is no sequence, parameters of the query, and whatever the service rejects', async () => {
    const send = (path: string, headers: Record<string, string> = {}) =>
      gateway.send('GET', path, { key: key.text, headers });
    for (const value of ['-1', 'x', '1.5', '01', '1e3', '9999999999999999', ''])
      expectError(await send(PATH, { 'last-event-id': value }), 400, 'invalid_format', 'Last-Event-ID');
    const { error } = (await send(PATH, { 'last-event-id': 'x' })).body;
    const expected = 'the sequence of an event, or 0 for all events that are kept';
    expect(error.message).toBe(`Last-Event-ID must be ${expected}.`);
    expect(error.details.errors).toMatchObject([{ minimum: 0, expected }]);
    expectError(await send(`${PATH}?type=booking.created`), 400, 'unknown_field', 'type');
    harness.services.answer(openEventStream, () => {
      throw new AppError('limit_reached', { field: 'account_id' });
    });
    expectError(await send(PATH), 409, 'limit_reached');
    expect(streams.opened).toEqual([]);
  });

  it('needs a key with the scope to read events', async () => {
    expectError(await gateway.send('GET', PATH), 401, 'missing_key');
    const { text } = newKey({ principal: { scopes: ['webhooks:write'] } });
    expectError(await gateway.send('GET', PATH, { key: text }), 403, 'missing_scope');
  });

  it('is answered to HEAD without a stream, and to other methods with 405', async () => {
    const head = await gateway.send('HEAD', PATH, { key: key.text });
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
    expect(streams.opened).toEqual([]);
    const post = await gateway.send('POST', PATH, { key: key.text, body: {} });
    expectError(post, 405, 'method_not_allowed');
    expect(post.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('a stream ends', () => {
  /** Milliseconds until the streams of a key end after `work`. */
  const endMs = async (work: (key: { text: string }) => Promise<void>, facts = {}) => {
    const own = newKey(facts);
    const clients = await Promise.all([open(0, own), open(0, own)]);
    await work(own);
    const startedAtMs = performance.now();
    await Promise.all(clients.map((client) => client.ended()));
    expect(clients.map(({ retries }) => retries.length)).toEqual([1, 1]);
    return performance.now() - startedAtMs;
  };

  it('within a second after its key is revoked', async () => {
    await ofSeveralTries(async () => expect(await endMs(revoke)).toBeLessThan(1_000));
  });

  it('within a second after its key expires', async () => {
    await ofSeveralTries(async () => {
      const expiresAt = new Date(Date.now() + 3_000).toISOString();
      const expires = async ({ text }: { text: string }) => {
        await until(() => Date.now() >= Date.parse(expiresAt), 'the key expires');
        harness.services.change(text, { rejection: 'expired_key' });
      };
      expect(await endMs(expires, { expiresAt })).toBeLessThan(1_000);
    });
  });

  it('within a second after its key loses the scope', async () => {
    const narrow = async ({ text }: { text: string }) => {
      const { keyId, env } = parseApiKey(text)!;
      const { principal } = harness.services.verdictOn(keyId);
      harness.services.change(text, { principal: { ...principal, scopes: ['sessions:read'] } });
      const invalidation = JSON.stringify({ keyId, revoked: false });
      await harness.services.connection.request(keySubject(env, keyId), invalidation, { timeout: 5_000 });
    };
    await ofSeveralTries(async () => expect(await endMs(narrow)).toBeLessThan(1_000));
  });

  it('without an effect on other streams when their client disconnects, and gives its place back at once', async () => {
    const [first, second] = [await open(), await open()];
    first.close();
    await until(() => streams.closed.has(streams.opened[0]!), 'the place is released');
    expect(streams.closed.has(streams.opened[1]!)).toBe(false);
    addAll(1);
    await second.received(1);
    second.close();
  });

  it('when another stream has its place, and sends the client the time to reconnect', async () => {
    const client = await open();
    streams.lost.add(streams.opened[0]!);
    await client.ended();
    expect(client.retries).toEqual([2_000, expect.any(Number)]);
  });
});

describe('a client that does not read', () => {
  it('is disconnected, and little is read for it; a comment shows others that the connection lives', async () => {
    addAll(4_000, { bytes: 10_000, signals: false });
    const alive = await open();
    const socket = connect({ host: '127.0.0.1', port: gateway.port });
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      `GET ${PATH} HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer ${key.text}\r\nLast-Event-ID: 0\r\n\r\n`,
    );
    socket.pause();
    await until(() => streams.closed.has(streams.opened[1]!), 'the gateway gives its place back');
    // What the system buffers, and a page; not the 40 MB that there are.
    const own = Math.max(...streams.reads.filter((after) => after < 4_000));
    expect(own).toBeLessThan(2_000);
    await until(() => alive.comments.length > 0, 'a comment has come');
    alive.close();
    socket.resume();
    await closed;
    const resumed = await open(own);
    await resumed.received(100);
    expect(received(resumed)[0]).toBe(own + 1);
    resumed.close();
  });
});

describe('a gateway that gets SIGTERM', () => {
  it('ends its streams with a time to reconnect, and gives their places back', async () => {
    const other = await harness.gateway(NO_LIMITS);
    const clients = await Promise.all(Array.from({ length: 30 }, () => open(0, key, other)));
    const ending = other.stop('SIGTERM');
    await Promise.all(clients.map((client) => client.ended()));
    for (const { retries } of clients) expect(retries).toEqual([2_000, expect.any(Number)]);
    expect(new Set(clients.map(({ retries }) => retries[1])).size).toBeGreaterThan(5);
    expect(await ending).toBe(0);
    for (const token of streams.opened) expect(streams.closed).toContain(token);
  });
});

describe('two gateways', () => {
  it('send the same events to the streams of an account', async () => {
    const other = await harness.gateway(NO_LIMITS);
    const clients = await Promise.all([open(0), open(0, key, other)]);
    addAll(20);
    for (const client of clients) await client.received(20);
    for (const client of clients) expect(received(client)).toEqual(upTo(20));
    for (const client of clients) client.close();
  });
});
