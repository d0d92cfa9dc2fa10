import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSession, getSession, listSessions, readClock } from '@swim/contracts';
import { StreamKeeper } from '@swim/messaging';
import { createLogger, newId } from '@swim/platform';
import { freePort, ofSeveralTries, startNats, until } from '@swim/testing';
import { lesson } from '../fixtures/bodies.js';
import { FakeServices, never, onePage } from '../fixtures/fake-services.js';
import { type GatewayHarness, NO_LIMITS, startGatewayProcess, startHarness } from '../fixtures/harness.js';

const GATEWAY = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

let harness: GatewayHarness;
let key: string;
beforeAll(async () => {
  harness = await startHarness();
  key = harness.services.key().text;
});
afterAll(() => harness?.stop());

describe('a gateway that gets SIGTERM', () => {
  it('takes no new connections, answers what is under way with Connection: close, and ends with 0', async () => {
    const gateway = await harness.gateway(NO_LIMITS);
    let answerNow: (value: unknown) => void = () => undefined;
    harness.services.answer(createSession, () => new Promise((resolve) => (answerNow = resolve)));
    const pending = gateway.send('POST', '/v1/sessions', { key, body: lesson() });
    await until(() => harness.services.requestsOf(createSession).length === 1, 'the service has the request');
    const ending = gateway.stop('SIGTERM');
    await until(
      () =>
        fetch(`${gateway.origin}/v1/health`).then(
          () => false,
          () => true,
        ),
      'new connections are refused',
    );
    expect(gateway.child.ended).toBe(false);
    answerNow({ id: 'ses_1' });
    const answer = await pending;
    expect([answer.status, answer.headers.get('connection')]).toEqual([201, 'close']);
    expect(await ending).toBe(0);
  });

  it('with DRAIN_SECONDS first closes every connection with its next answer, also new ones, and promises none for longer', () =>
    ofSeveralTries(async () => {
      const gateway = await harness.gateway({ ...NO_LIMITS, DRAIN_SECONDS: '2' });
      expect((await gateway.send('GET', '/v1/health')).headers.get('keep-alive')).toBe('timeout=2');
      const ending = gateway.stop('SIGTERM');
      const closing = async () => (await gateway.send('GET', '/v1/health')).headers.get('connection') === 'close';
      await until(closing, 'connections end with their answers');
      expect(await closing()).toBe(true);
      expect(await ending).toBe(0);
    }));

  it('loses no request of clients that keep their connections', () =>
    ofSeveralTries(async () => {
      const gateway = await harness.gateway(NO_LIMITS);
      harness.services.answer(getSession, () => ({ id: 'ses_1' }));
      const outcomes: string[] = [];
      const client = async (): Promise<void> => {
        for (let outcome = ''; outcome === '' || outcome === '200'; outcomes.push(outcome)) {
          outcome = await gateway.send('GET', `/v1/sessions/${newId('ses')}`, { key }).then(
            ({ status }) => String(status),
            (error: { cause?: { code?: string } }) => error.cause?.code ?? String(error),
          );
        }
      };
      const clients = Array.from({ length: 8 }, client);
      await until(() => outcomes.length > 200, 'there is traffic');
      expect(await gateway.stop('SIGTERM')).toBe(0);
      await Promise.all(clients);
      // A rejected connection has sent nothing: the client may take the next gateway.
      expect([...new Set(outcomes)].sort()).toEqual(['200', 'ECONNREFUSED']);
    }));
});

describe('a gateway that does not know yet what time it is', () => {
  it('is not ready and answers 503, until people answers', async () => {
    harness.services.answer(listSessions, () => onePage([]));
    harness.services.answer(readClock, never);
    const [port, healthPort] = [await freePort(), await freePort()];
    const starting = harness.gateway({ ...NO_LIMITS, PORT: String(port), HEALTH_PORT: String(healthPort) });
    const send = (path: string, at = port) =>
      fetch(`http://127.0.0.1:${at}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const rejected = await until(() => send('/v1/sessions').catch(() => null), 'the gateway listens');
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await send('/v1/health')).status).toBe(503);
    expect(await (await send('/health', healthPort)).json()).toMatchObject({ failing: ['clock'] });
    harness.services.resumeClock();
    const gateway = await starting;
    expect((await send('/v1/sessions')).status).toBe(200);
    await gateway.stop();
  });
});

describe('a gateway that starts before the streams are there', () => {
  it('waits until they are made', async () => {
    const nats = await startNats(null);
    const services = await FakeServices.on(nats.url);
    let looks = 0;
    services.connection.subscribe('$JS.API.STREAM.INFO.RATE_LIMITS', { callback: () => void looks++ });
    const starting = startGatewayProcess({ ...NO_LIMITS, NATS_URL: nats.url, NATS_PASSWORD: nats.password });
    await until(() => looks >= 2, 'the gateway looks for its stream more than once');
    const keeper = new StreamKeeper(services.connection, createLogger('tests', 'silent'));
    await keeper.ensure();
    const gateway = await starting;
    expect((await gateway.send('GET', '/v1/health')).status).toBe(200);
    expect(await gateway.stop()).toBe(0);
    await services.connection.close();
    await nats.stop();
  });
});

describe('a gateway that would start half loaded', () => {
  const variant = (change: (folder: string) => void): string => {
    const folder = mkdtempSync(join(tmpdir(), 'swim-gateway-'));
    for (const part of ['dist', 'config', 'dashboard/dist', 'docs', 'openapi.json', 'package.json'])
      cpSync(join(GATEWAY, part), join(folder, part), { recursive: true });
    symlinkSync(PACKAGES, join(folder, 'node_modules'));
    change(folder);
    return folder;
  };
  const edit = (file: string, from: string | RegExp, to: string) => (folder: string) => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${file} has no ${from}`);
    writeFileSync(path, changed);
  };

  it.each([
    [
      'a policy is missing from the pipeline',
      edit('config/gateway.config.yml', '      - rate-limit:\n', ''),
      /The pipeline must run request-id, authenticate, rate-limit, .*; it runs request-id, authenticate, (?!rate-limit)/,
    ],
    [
      'policies stand in another order',
      edit(
        'config/gateway.config.yml',
        '      - request-id:\n      - authenticate:\n',
        '      - authenticate:\n      - request-id:\n',
      ),
      /it runs authenticate, request-id/,
    ],
    [
      'the pipeline is bound to a host',
      edit('config/gateway.config.yml', 'pathRegex: ^', "pathRegex: ^\n    host: 'api.test'"),
      /it runs nothing/,
    ],
    [
      'a policy is not one of ours',
      edit('config/gateway.config.yml', /rate-limit/g, 'cors'),
      /express-gateway|pipeline/,
    ],
    [
      'the plugin fails to load',
      edit(
        'dist/plugin.js',
        'export function init(context) {',
        "export function init(context) { throw new Error('broken plugin');",
      ),
      /broken plugin/,
    ],
    [
      'the configuration is no YAML',
      edit('config/gateway.config.yml', 'policies:', 'policies: ['),
      /express-gateway does not start/,
    ],
  ])('does not start, and names the cause: %s', async (_, change, sentence) => {
    const folder = variant(change);
    try {
      const starting = startGatewayProcess({ NATS_URL: harness.nats.url }, pathToFileURL(join(folder, 'dist/main.js')));
      const error = await starting.then(
        () => null,
        (failure: Error) => failure,
      );
      expect(error?.message).toMatch(/ended before it was ready \(1\)/);
      expect(error?.message).toMatch(/The gateway does not start half loaded: /);
      expect(error?.message).toMatch(sentence);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('runs where nothing was changed', async () => {
    const folder = variant(() => undefined);
    const gateway = await startGatewayProcess(
      { NATS_URL: harness.nats.url },
      pathToFileURL(join(folder, 'dist/main.js')),
    );
    expect((await gateway.send('GET', '/v1/health')).status).toBe(200);
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('the configuration', () => {
  it.each([
    ['RATE_LIMIT_PER_HOUR', '0'],
    ['RATE_LIMIT_PER_MINUTE', 'many'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'proxy.test'],
    ['PINNED_ENVIRONMENT', 'sandbox'],
    ['NATS_URL', ''],
  ])('with %s=%s ends the process with a sentence that names it', async (name, value) => {
    const error = await startGatewayProcess({ NATS_URL: harness.nats.url, [name]: value }).then(
      () => null,
      (failure: Error) => failure,
    );
    expect(error?.message).toMatch(/ended before it was ready \(78\)/);
    expect(error?.message).toContain(name);
  });
});
