import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getSession } from '@swim/contracts';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';
import { expectError } from '../fixtures/expectations.js';
import {
  type GatewayHarness,
  type GatewayProcess,
  NO_LIMITS,
  outcomeAt,
  readAnswer,
  startHarness,
} from '../fixtures/harness.js';

let harness: GatewayHarness;
/** With the settings of a fresh installation. */
let byDefault: GatewayProcess;
let key: string;
beforeAll(async () => {
  harness = await startHarness();
  byDefault = await harness.gateway();
  key = harness.services.key().text;
  harness.services.answer(getSession, () => ({ id: 'ses_1' }));
});
afterAll(() => harness?.stop());

describe('a gateway without HOST', () => {
  it('listens to this machine only, with both its ports', async () => {
    const gateway = await harness.gateway({ HOST: '', HEALTH_HOST: '' });
    for (const port of [gateway.port, gateway.healthPort]) {
      expect(await outcomeAt('127.0.0.1', port)).toBe('connected');
      // Any address of 127/8 reaches a server that listens at all addresses.
      expect(await outcomeAt('127.0.0.2', port)).toBe('ECONNREFUSED');
    }
  });

  it('listens on another address when HOST names it', async () => {
    const gateway = await harness.gateway({ HOST: '0.0.0.0' });
    expect(await outcomeAt('127.0.0.2', gateway.port)).toBe('connected');
    expect(await outcomeAt('127.0.0.2', gateway.healthPort)).toBe('ECONNREFUSED');
  });
});

/** A connection that sends nothing until the test does. */
const open = async (gateway: GatewayProcess) => {
  let text = '';
  let isEnded = false;
  const socket = connect({ host: '127.0.0.1', port: gateway.port });
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  socket.on('close', () => (isEnded = true));
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, text: () => text, isEnded: () => isEnded };
};

describe('more connections than MAX_CONNECTIONS', () => {
  const answers = async (gateway: GatewayProcess): Promise<boolean> => {
    const connection = await open(gateway);
    connection.socket.write('GET /v1/health HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n');
    await until(connection.isEnded, 'the connection is ended');
    return readAnswer(connection.text()).status === 200;
  };

  it('above the limit get 503 in the envelope and are closed; open ones stay, and a closed one frees a place', async () => {
    const gateway = await harness.gateway({ ...NO_LIMITS, MAX_CONNECTIONS: '3' });
    await until(() => answers(gateway), 'the connections of the health checks are gone');
    const kept = [await open(gateway), await open(gateway), await open(gateway)];
    const rejected = await open(gateway);
    await until(rejected.isEnded, 'the connection is ended');
    const answer = readAnswer(rejected.text());
    expectError(answer, 503, 'overloaded');
    expect([answer.headers.get('retry-after'), answer.headers.get('connection')]).toEqual(['1', 'close']);
    kept[0]!.socket.write(
      `GET /v1/sessions/${newId('ses')} HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    await until(() => kept[0]!.text().startsWith('HTTP/1.1 200'), 'the first is served');
    for (const { socket } of kept) socket.destroy();
    await until(() => answers(gateway), 'connections are accepted again');
  });
});

describe('an error after which the connection ends', () => {
  const tooLong = `GET /v1/sessions HTTP/1.1\r\nHost: api.test\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;
  const identified = (line: string) => `${line} HTTP/1.1\r\nHost: api.test\r\nX-Request-Id: mine-1\r\n\r\n`;

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 'malformed_request', null],
    ['headers of 20 KB', tooLong, 431, 'headers_too_large', null],
    ['a tunnel', identified('CONNECT api.test:443'), 400, 'malformed_request', 'mine-1'],
    ['the 17th request that waits', identified('GET /v1/sessions').repeat(17), 503, 'overloaded', 'mine-1'],
  ])('leads to the docs at PUBLIC_URL, and has the id of the request if there is one: %s', async (...row) => {
    const [, bytes, status, reason, requestId] = row;
    const gateway = await harness.gateway({ ...NO_LIMITS, PUBLIC_URL: 'https://api.example.com/v1' });
    const connection = await open(gateway);
    connection.socket.write(bytes);
    await until(connection.isEnded, 'the connection is ended');
    const answer = readAnswer(
      connection
        .text()
        .split(/(?=HTTP\/1\.1 )/)
        .at(-1)!,
    );
    expectError(answer, status, reason);
    expect(answer.body.error.details.doc_url).toBe(`https://api.example.com/docs/errors#${reason}`);
    expect(answer.headers.get('x-request-id')).toEqual(requestId ?? expect.stringMatching(/^req_/));
  });
});

describe('POST /mcp', () => {
  it('from a web page is served to PUBLIC_URL alone where that is set, whatever the Host', async () => {
    const gateway = await harness.gateway({ ...NO_LIMITS, PUBLIC_URL: 'https://api.example.com/v1' });
    const { text: key } = harness.services.key();
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const accept = 'application/json, text/event-stream';
    const from = (origin: string) => gateway.send('POST', '/mcp', { key, body, headers: { accept, origin } });
    expectError(await from(gateway.origin), 403, 'foreign_origin');
    expect((await from('https://api.example.com')).status).toBe(200);
  });
});

describe('Strict-Transport-Security', () => {
  const hsts = async (gateway: GatewayProcess, headers: Record<string, string>) =>
    (await gateway.send('GET', '/v1/health', { headers })).headers.get('strict-transport-security');

  it('is sent where a trusted proxy reports TLS, and nowhere else', async () => {
    const behind = await harness.gateway({ TRUSTED_PROXIES: '127.0.0.1' });
    expect(await hsts(behind, { 'x-forwarded-proto': 'https' })).toBe('max-age=31536000');
    expect(await hsts(behind, { 'x-forwarded-proto': 'http' })).toBeNull();
    expect(await hsts(behind, {})).toBeNull();
    const rejected = await behind.send('GET', '/v1/sessions', { headers: { 'x-forwarded-proto': 'https' } });
    expect([rejected.status, rejected.headers.get('strict-transport-security')]).toEqual([401, 'max-age=31536000']);
    expect(await hsts(byDefault, { 'x-forwarded-proto': 'https' })).toBeNull();
  });

  it('has the max-age of HSTS_MAX_AGE_SECONDS; 0 leaves it out', async () => {
    const short = await harness.gateway({ TRUSTED_PROXIES: '127.0.0.1', HSTS_MAX_AGE_SECONDS: '60' });
    expect(await hsts(short, { 'x-forwarded-proto': 'https' })).toBe('max-age=60');
    const none = await harness.gateway({ TRUSTED_PROXIES: '127.0.0.1', HSTS_MAX_AGE_SECONDS: '0' });
    expect(await hsts(none, { 'x-forwarded-proto': 'https' })).toBeNull();
  });
});

describe('/.well-known/security.txt', () => {
  it('names who takes reports, and ends within a year', async () => {
    const gateway = await harness.gateway({
      SECURITY_CONTACT: 'mailto:security@pool.example, https://pool.example/report',
    });
    const { status, headers, text } = await gateway.send('GET', '/.well-known/security.txt');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text.split('\n').filter((line) => line.startsWith('Contact: '))).toEqual([
      'Contact: mailto:security@pool.example',
      'Contact: https://pool.example/report',
    ]);
    const [, expires] = /^Expires: (\S+)$/m.exec(text)!;
    const daysLeft = (Date.parse(expires!) - Date.now()) / 86_400_000;
    expect([expires, daysLeft > 170 && daysLeft < 365]).toEqual([expires, true]);
  });

  it('is 404 where nobody is named', async () => {
    expectError(await byDefault.send('GET', '/.well-known/security.txt'), 404, 'unknown_route');
  });
});

describe('the documents', () => {
  it('are a page for a browser where the docs have none, and the error for a program', async () => {
    for (const path of ['/docs/nothing', '/docs/reference/nothing', '/docs/not/at/all']) {
      const page = await byDefault.send('GET', path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.text).toContain('<h1>Page not found</h1>');
      expectError(await byDefault.send('GET', path, { headers: { accept: 'application/json' } }), 404, 'unknown_route');
    }
  });

  it('contain what the search of the docs loads', async () => {
    for (const name of ['docs.js', 'search.js', 'minisearch.js']) {
      const script = await byDefault.send('GET', `/docs/${name}`);
      expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    }
    expect((await byDefault.send('GET', '/docs/minisearch.js')).text).toContain('as default');
    expect((await byDefault.send('GET', '/docs/search.json')).status).toBe(200);
  });

  it('name PUBLIC_URL as the first server of the API where it is set', async () => {
    const gateway = await harness.gateway({ ...NO_LIMITS, PUBLIC_URL: 'https://api.example.com/v1' });
    for (const path of ['/v1/openapi.json', '/v1/openapi-3.0.json']) {
      const { servers } = (await gateway.send('GET', path)).body as unknown as { servers: { url: string }[] };
      expect(servers[0]).toMatchObject({ url: 'https://api.example.com/v1' });
    }
  });

  it.each(['/docs', '/v1/openapi.json', '/v1/openapi-3.0.json'])(
    'describe the caching of %s: ETag, max-age, and 304 for a current copy',
    async (path) => {
      const first = await byDefault.send('GET', path, { headers: { 'accept-encoding': 'identity' } });
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      expect(first.headers.get('vary')).toBe('Accept-Encoding');
      const etag = first.headers.get('etag')!;
      expect(etag).toMatch(/^"[\w-]+"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const repeated = await byDefault.send('GET', path, {
          headers: { 'if-none-match': known, 'accept-encoding': 'identity' },
        });
        expect([repeated.status, repeated.text, repeated.headers.get('etag')]).toEqual([304, '', etag]);
        expect(repeated.headers.get('cache-control')).toBe('public, max-age=300');
      }
      const stale = await byDefault.send('GET', path, {
        headers: { 'if-none-match': '"other"', 'accept-encoding': 'identity' },
      });
      expect([stale.status, stale.text]).toEqual([200, first.text]);
    },
  );

  it.each(['/docs', '/v1/openapi.json', '/v1/openapi-3.0.json'])(
    'send %s compressed by brotli or gzip to clients that take it, under a tag of its own',
    async (path) => {
      const plain = await byDefault.send('GET', path, { headers: { 'accept-encoding': 'identity' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      for (const [encodings, encoding] of [
        ['gzip;q=0.5, br', 'br'],
        ['gzip, br;q=0', 'gzip'],
        ['*;q=0.1', 'br'],
      ] as const) {
        const sent = await byDefault.send('GET', path, { headers: { 'accept-encoding': encodings } });
        expect([encodings, sent.headers.get('content-encoding')]).toEqual([encodings, encoding]);
        expect(sent.text).toBe(plain.text);
        expect(Number(sent.headers.get('content-length'))).toBeLessThan(plain.text.length / 3);
        expect(sent.headers.get('etag')).toBe(plain.headers.get('etag')!.replace(/"$/, `-${encoding}"`));
      }
      const zipped = await byDefault.send('GET', path, { headers: { 'accept-encoding': 'gzip' } });
      const none = await byDefault.send('GET', path, { headers: { 'accept-encoding': 'gzip;q=0, br;q=0, *' } });
      expect(none.headers.get('content-encoding')).toBeNull();
      const head = await byDefault.send('HEAD', path, { headers: { 'accept-encoding': 'gzip' } });
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', zipped.headers.get('etag')]);
    },
  );
});

describe('the dashboard', () => {
  const assetIn = (html: string) => /"(\/dashboard\/assets\/[^"]+[.]js)"/.exec(html)![1]!;

  it('is one page at each of its addresses, which is revalidated at each visit', async () => {
    const page = await byDefault.send('GET', '/dashboard');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    for (const path of ['/dashboard/', '/dashboard/sandbox/developers/webhooks/whe_1', '/dashboard/sign-in?next=/live'])
      expect([path, (await byDefault.send('GET', path)).text]).toEqual([path, page.text]);
    const repeated = await byDefault.send('GET', '/dashboard', {
      headers: { 'if-none-match': page.headers.get('etag')! },
    });
    expect([repeated.status, repeated.text]).toEqual([304, '']);
  });

  it('has assets that may be kept for ever, and that are 404 where another release had them', async () => {
    const path = assetIn((await byDefault.send('GET', '/dashboard')).text);
    const asset = await byDefault.send('GET', path, { headers: { 'accept-encoding': 'br' } });
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect([asset.headers.get('content-encoding'), asset.headers.get('content-type')]).toEqual([
      'br',
      'text/javascript; charset=utf-8',
    ]);
    for (const unknown of [
      path.replace(/-[^-]+[.]js$/, '-other.js'),
      '/dashboard/assets/',
      '/dashboard/assets/../../main.js',
    ])
      expectError(await byDefault.send('GET', unknown), 404, 'unknown_route');
  });

  it('runs nothing inline and nothing from elsewhere, and is in no frame', async () => {
    const { headers, text } = await byDefault.send('GET', '/dashboard');
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it('answers other methods with 405, and unknown paths of its routes for users with JSON', async () => {
    expectError(await byDefault.send('POST', '/dashboard/sandbox'), 405, 'method_not_allowed');
    expectError(await byDefault.send('GET', '/dashboard/api/nothing'), 404, 'unknown_route');
  });
});
