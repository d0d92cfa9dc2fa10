import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSession, getSession } from '@swim/contracts';
import { newId } from '@swim/platform';
import { ofSeveralTries, until } from '@swim/testing';
import { lesson } from '../fixtures/bodies.js';
import { expectError, expectSound } from '../fixtures/expectations.js';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, readAnswer, startHarness } from '../fixtures/harness.js';

let harness: GatewayHarness;
let gateway: GatewayProcess;
let key: string;

beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway(NO_LIMITS);
  key = harness.services.key().text;
  harness.services.answer(getSession, () => ({ id: 'ses_1' }));
  harness.services.answer(createSession, () => ({ id: 'ses_1' }));
});
afterAll(() => harness?.stop());

const head = (first: string, ...headers: string[]) => `${[first, 'Host: api.test', ...headers].join('\r\n')}\r\n\r\n`;
const authorized = (...headers: string[]) => [`Authorization: Bearer ${key}`, ...headers];
const aSession = () => `/v1/sessions/${newId('ses')}`;

/** A connection whose client decides what it sends and when; `text` is all that has come back. */
function open(): { write: (text: string) => void; text: () => string; ended: () => boolean; close: () => void } {
  let text = '';
  let ended = false;
  const socket = connect({ host: '127.0.0.1', port: gateway.port });
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  socket.on('close', () => (ended = true));
  return {
    write: (bytes) => void socket.write(bytes),
    text: () => text,
    ended: () => ended,
    close: () => void socket.destroy(),
  };
}

describe('what is not HTTP', () => {
  it.each([
    ['no request line', 'hello\r\n\r\n'],
    ['a method that nobody knows', head('FETCH / HTTP/1.1')],
    ['a version that nobody knows', head('GET / HTTP/9.9')],
    ['a space in the target', head('GET /v1/a b HTTP/1.1')],
    ['a header without a name', head('GET / HTTP/1.1', ': x')],
    ['a header with a space in its name', head('GET / HTTP/1.1', 'A B: x')],
    ['a length that is no number', head('POST / HTTP/1.1', 'Content-Length: x')],
    ['two lengths', head('POST / HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2')],
    ['both a length and chunks', head('POST / HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked')],
    ['chunks that are not the last encoding', head('POST / HTTP/1.1', 'Transfer-Encoding: chunked, gzip')],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a tunnel', 'CONNECT api.test:443 HTTP/1.1\r\nHost: api.test\r\n\r\n'],
    ['no Host', 'GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('is answered 400 in the envelope: %s', async (_, bytes) => {
    const answer = await gateway.bytes(Buffer.from(bytes, 'latin1'));
    expectError(answer, 400, 'malformed_request');
    expect(answer.headers.get('connection')).toBe('close');
  });

  it('in the midst of a body is answered 400 too, under the id of its request', async () => {
    const request = head(
      'POST /v1/sessions HTTP/1.1',
      ...authorized('Content-Type: application/json', 'Transfer-Encoding: chunked', 'X-Request-Id: broken-1'),
    );
    const answer = await gateway.bytes(`${request}5\r\n{"a":\r\nnonsense\r\n`);
    expectError(answer, 400, 'malformed_request');
    expect(answer.body.meta.request_id).toBe('broken-1');
  });

  it('after a whole request does not cost it its answer', async () => {
    const connection = open();
    connection.write(`${head(`GET ${aSession()} HTTP/1.1`, ...authorized())}nonsense\r\n\r\n`);
    await until(connection.ended, 'the connection is ended');
    const [first, second] = connection.text().split(/(?=HTTP\/1\.1 )/);
    expect(readAnswer(first!).status).toBe(200);
    expectError(readAnswer(second!), 400, 'malformed_request');
  });
});

describe('headers', () => {
  it('of 20 KB are 431 in the envelope', async () => {
    expectError(
      await gateway.bytes(head('GET /v1/sessions HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`)),
      431,
      'headers_too_large',
      'headers',
    );
    expectError(await gateway.bytes(head(`GET /${'x'.repeat(20_000)} HTTP/1.1`)), 431, 'headers_too_large', 'headers');
    await ofSeveralTries(async () => {
      const headers = { 'x-long': 'x'.repeat(200_000) };
      expectError(await gateway.send('GET', '/v1/sessions', { headers }), 431, 'headers_too_large');
    });
  });

  it('that come too slowly are answered 400 after 10 seconds, and the connection ends', async () => {
    const connection = open();
    const startedAtMs = performance.now();
    connection.write('GET /v1/health HTTP/1.1\r\nHost: api.test\r\n');
    await until(connection.ended, 'the connection is ended');
    expect(performance.now() - startedAtMs).toBeGreaterThan(9_000);
    const answer = readAnswer(connection.text());
    expectError(answer, 400, 'malformed_request');
    expect(answer.body.error.message).toContain('in time');
  });

  it('of which none came within 10 seconds are answered nothing, since a browser would take it for the answer to its next one', async () => {
    const connection = open();
    await until(connection.ended, 'the connection is ended');
    expect(connection.text()).toBe('');
  });

  it.each([
    'Host: other.test',
    'Authorization: Bearer x',
    'Idempotency-Key: b',
    'HOST: api.test',
    'idempotency-key: a',
  ])('that must come once are rejected when they come twice: %s', async (second) => {
    const [field] = /^[^:]*/.exec(second)!;
    const first = authorized('Idempotency-Key: a', 'Connection: close');
    const answer = await gateway.bytes(head(`GET ${aSession()} HTTP/1.1`, ...first, second));
    expectError(answer, 400, 'malformed_request');
    expect(answer.body.error.details.field!.toLowerCase()).toBe(field!.toLowerCase());
  });

  it('that may come twice do: Accept', async () => {
    const accepts = authorized('Accept: a/b', 'Accept: c/d', 'Connection: close');
    expect((await gateway.bytes(head(`GET ${aSession()} HTTP/1.1`, ...accepts))).status).toBe(200);
  });

  it('of more than 200 lines are 431, however short they are', async () => {
    const lines = (count: number) => authorized('Connection: close', ...Array.from({ length: count }, () => 'a:'));
    expect((await gateway.bytes(head(`GET ${aSession()} HTTP/1.1`, ...lines(197)))).status).toBe(200);
    const answer = await gateway.bytes(head(`GET ${aSession()} HTTP/1.1`, ...lines(3_000)));
    expectError(answer, 431, 'headers_too_large', 'headers');
  });

  it('that expect something are answered as if they did not', async () => {
    const body = '{}';
    const expecting = (what: string) =>
      gateway.bytes(
        head(
          'POST /v1/sessions HTTP/1.1',
          ...authorized(
            'Content-Type: application/json',
            `Content-Length: ${body.length}`,
            `Expect: ${what}`,
            'Connection: close',
          ),
        ) + body,
      );
    expectError(await expecting('something'), 400, 'required');
  });

  it('that request another protocol are ignored', async () => {
    const answer = await gateway.bytes(
      head('GET /v1/health HTTP/1.1', 'Connection: Upgrade, close', 'Upgrade: websocket'),
    );
    expect(answer.status).toBe(200);
    expectSound(answer, true);
  });
});

describe('a request target', () => {
  it('may be absolute', async () => {
    const answer = await gateway.bytes(
      head(`GET http://api.test${aSession()} HTTP/1.1`, ...authorized('Connection: close')),
    );
    expect(answer.status).toBe(200);
  });

  it('that the engine could not read is answered by us', async () => {
    for (const target of ['http://[', '//', 'http://a:b:c/x', '*', '?', '/%', '/v1/../v1/sessions', '/\xff']) {
      const answer = await gateway.bytes(
        Buffer.from(head(`OPTIONS ${target} HTTP/1.1`, 'Connection: close'), 'latin1'),
      );
      expect([target, [400, 401, 404].includes(answer.status)]).toEqual([target, true]);
      expectSound(answer, false);
    }
  });
});

describe('a body that is too large', () => {
  it('is rejected as soon as its length is known, before it is sent', async () => {
    const connection = open();
    connection.write(
      head('POST /v1/sessions HTTP/1.1', ...authorized('Content-Type: application/json', 'Content-Length: 999999999')),
    );
    await until(() => connection.text().endsWith('}}'), 'it is answered');
    const answer = readAnswer(connection.text());
    expectError(answer, 413, 'body_too_large');
    expect(answer.headers.get('connection')).toBe('close');
    await until(connection.ended, 'the connection is ended');
  });

  it('is rejected though the client never stops sending it in chunks', async () => {
    const connection = open();
    connection.write(
      head('POST /v1/sessions HTTP/1.1', ...authorized('Content-Type: application/json', 'Transfer-Encoding: chunked')),
    );
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const sending = setInterval(() => connection.write(chunk), 2);
    await until(connection.ended, 'the connection is ended');
    clearInterval(sending);
    expectError(readAnswer(connection.text()), 413, 'body_too_large');
  });
});

describe('Expect: 100-continue', () => {
  const announce = (bytes: number, ...headers: string[]) =>
    head('POST /v1/sessions HTTP/1.1', `Content-Length: ${bytes}`, 'Expect: 100-continue', ...headers);
  const json = 'Content-Type: application/json';

  it.each<[what: string, () => string, status: number, reason: string]>([
    ['without a key', () => announce(2, json), 401, 'missing_key'],
    ['with too large a body', () => announce(999_999_999, ...authorized(json)), 413, 'body_too_large'],
    ['with another type', () => announce(2, ...authorized('Content-Type: text/plain')), 415, 'unsupported_media_type'],
    [
      'with a key that is none',
      () => announce(2, ...authorized(json, 'Idempotency-Key: \t')),
      400,
      'invalid_idempotency_key',
    ],
  ])('%s is answered without asking for the body, and the connection ends', async (_, bytes, status, reason) => {
    const connection = open();
    connection.write(bytes());
    await until(connection.ended, 'the connection is ended');
    const answer = readAnswer(connection.text());
    expectError(answer, status, reason);
    expect(answer.headers.get('connection')).toBe('close');
  });

  it('is answered with 100 once the head is accepted, then with the answer', async () => {
    const connection = open();
    const body = JSON.stringify(lesson());
    connection.write(announce(body.length, ...authorized(json, 'Connection: close')));
    await until(() => connection.text().endsWith('\r\n\r\n'), 'the body is asked for');
    expect(connection.text()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    connection.write(body);
    await until(connection.ended, 'the connection is ended');
    expect(readAnswer(connection.text().split('\r\n\r\n').slice(1).join('\r\n\r\n')).status).toBe(201);
  });
});

describe('a connection', () => {
  it('is kept for many requests, also after an error that left a body unread', async () => {
    const connection = open();
    for (let round = 1; round <= 3; round++) {
      connection.write(
        head('POST /v1/sessions HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 1000') +
          'x'.repeat(1_000),
      );
      await until(() => connection.text().split('HTTP/1.1 401').length === round + 1, `answer ${round}`);
    }
    connection.write(head(`GET ${aSession()} HTTP/1.1`, ...authorized()));
    await until(() => connection.text().includes('HTTP/1.1 200'), 'the last answer');
    connection.close();
  });

  it('may have sixteen requests that wait for their answers; one more is 503, after their answers, and the last', async () => {
    const connection = open();
    connection.write(head('GET /v1/sessions HTTP/1.1').repeat(100));
    await until(connection.ended, 'the connection is ended');
    const answers = connection
      .text()
      .split(/(?=HTTP\/1\.1 )/)
      .map(readAnswer);
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 16 }, () => 401), 503]);
    expectError(answers.at(-1)!, 503, 'overloaded');
    expect(answers.at(-1)!.headers.get('connection')).toBe('close');
  });

  it('of HTTP/1.0 is served', async () => {
    const answer = await gateway.bytes('GET /v1/health HTTP/1.0\r\n\r\n');
    expect(answer.status).toBe(200);
  });

  it('that its client drops does no harm', async () => {
    for (let round = 0; round < 20; round++) {
      const connection = open();
      connection.write(
        head('POST /v1/sessions HTTP/1.1', ...authorized('Content-Type: application/json', 'Content-Length: 1000')) +
          '{',
      );
      connection.close();
    }
    expect((await gateway.send('GET', '/v1/health')).status).toBe(200);
    // Its last lines are written when it ends.
    expect(await gateway.stop()).toBe(0);
    // A slow start writes warnings.
    const lines = gateway.output().split('\n');
    expect(lines.filter((line) => line !== '' && !line.includes('"level":"warn"'))).toEqual([]);
  });
});
