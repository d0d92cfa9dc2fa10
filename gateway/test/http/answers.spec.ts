import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  createSession,
  getSession,
  HEALTH_CHECKS,
  listBookings,
  listSessions,
  removePaymentMethod,
  updateSession,
} from '@swim/contracts';
import { AppError, newId, parseApiKey } from '@swim/platform';
import { until } from '@swim/testing';
import { lesson } from '../fixtures/bodies.js';
import { expectError, expectSound } from '../fixtures/expectations.js';
import { never, onePage, Written } from '../fixtures/fake-services.js';
import {
  type Answered,
  type GatewayHarness,
  type GatewayProcess,
  NO_LIMITS,
  startHarness,
} from '../fixtures/harness.js';

let harness: GatewayHarness;
let gateway: GatewayProcess;
let key: string;
let accountId: string;
const UNPAGED = { error: false, pagination: null, replayed: false, retryAfterSeconds: null };
const encoded = (text: string) => new TextEncoder().encode(text);
const written = (body: string, more: object = {}) => new Written({ body: encoded(body), ...UNPAGED, ...more });

beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway(NO_LIMITS);
  const known = harness.services.key();
  key = known.text;
  accountId = known.principal.accountId;
});
afterAll(() => harness?.stop());

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> =>
  gateway.send(method, path, { key, body, headers });

describe('an answer', () => {
  it('holds the very bytes of the service, never parsed', async () => {
    const session = newId('ses');
    harness.services.answer(getSession, () => written('{ "z":1.0, "a":"ü🏊", "big":12345678901234567890 }'));
    const answer = await send('GET', `/v1/sessions/${session}`);
    expect(answer.status).toBe(200);
    expectSound(answer, true);
    expect(
      answer.text.startsWith('{"success":true,"data":{ "z":1.0, "a":"ü🏊", "big":12345678901234567890 },"meta":{'),
    ).toBe(true);
    expect(harness.services.requestsOf(getSession).at(-1)).toMatchObject({ input: { session_id: session } });
  });

  it('of a list has the pagination beside the data', async () => {
    const pagination = { has_more: true, next_cursor: 'abc', total: 7 };
    harness.services.answer(listSessions, () => ({ items: [{ id: 'ses_1' }], pagination }));
    const answer = await send('GET', '/v1/sessions?limit=1&status=scheduled');
    expect(answer.body).toEqual({
      success: true,
      data: [{ object: 'session', id: 'ses_1' }],
      pagination,
      meta: expect.anything(),
    });
    expect(harness.services.requestsOf(listSessions).at(-1)!.input).toEqual({ limit: '1', status: 'scheduled' });
  });

  it('is 201 when something was made, 200 when something was changed, 204 without a body when something is gone', async () => {
    harness.services.answer(createSession, () => ({ id: 'ses_1' }));
    harness.services.answer(updateSession, () => ({ id: 'ses_1' }));
    harness.services.answer(cancelSession, () => ({ id: 'ses_1' }));
    harness.services.answer(removePaymentMethod, () => ({}));
    expect((await send('POST', '/v1/sessions', lesson())).status).toBe(201);
    expect((await send('PATCH', `/v1/sessions/${newId('ses')}`, { notes: 'x' })).status).toBe(200);
    expect((await send('POST', `/v1/sessions/${newId('ses')}/cancel`)).status).toBe(200);
    for (const path of [
      `/v1/payment-methods/${newId('pm')}`,
      `/v1/accounts/${accountId}/payment-methods/${newId('pm')}`,
    ]) {
      const gone = await send('DELETE', path);
      expect([gone.status, gone.text, gone.headers.get('content-type')]).toEqual([204, '', null]);
      expect(gone.headers.get('x-request-id')).toMatch(/^req_/);
      expect(gone.headers.get('x-ratelimit-limit')).toBe('1000000000');
    }
  });

  it('to HEAD is that to GET without its body', async () => {
    harness.services.answer(getSession, () => ({ id: 'ses_1' }));
    const path = `/v1/sessions/${newId('ses')}`;
    const [head, get] = [await send('HEAD', path), await send('GET', path)];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
    expect((await send('HEAD', '/v1/sessions/nothing')).status).toBe(404);
  });

  it('passes an account in the path on to the list, and the changes of a PATCH apart from its path', async () => {
    harness.services.answer(listBookings, () => onePage([]));
    await send('GET', `/v1/accounts/${accountId}/bookings`);
    await send('GET', '/v1/bookings');
    expect(harness.services.requestsOf(listBookings).map(({ input }) => input)).toEqual([
      { account_id: accountId },
      {},
    ]);
    const session = newId('ses');
    await send('PATCH', `/v1/sessions/${session}`, { notes: 'y' });
    expect(harness.services.requestsOf(updateSession).at(-1)!.input).toEqual({
      session_id: session,
      changes: { notes: 'y' },
    });
  });

  it('warns of what has no effect', async () => {
    harness.services.answer(listSessions, () => onePage([]));
    const answer = await send('GET', '/v1/sessions', undefined, { 'idempotency-key': 'abc' });
    expect(answer.body.meta.warnings).toEqual(['Idempotency-Key has no effect on GET.']);
    expect((await send('GET', '/v1/sessions')).body.meta).not.toHaveProperty('warnings');
  });
});

describe('an error of a service', () => {
  it('is passed on whole, with its status and Retry-After', async () => {
    const suggestions = [{ start: '2027-01-01T10:00:00Z', end: '2027-01-01T10:30:00Z' }];
    harness.services.answer(createSession, () =>
      Promise.reject(new AppError('instructor_busy', { field: 'date', details: { suggestions } })),
    );
    const busy = await send('POST', '/v1/sessions', lesson());
    expectError(busy, 409, 'instructor_busy', 'date');
    expect(busy.body.error.details.suggestions).toEqual(suggestions);
    harness.services.answer(createSession, () =>
      Promise.reject(new AppError('idempotency_in_progress', { retryAfterSeconds: 3 })),
    );
    const running = await send('POST', '/v1/sessions', lesson());
    expectError(running, 409, 'idempotency_in_progress');
    expect(running.headers.get('retry-after')).toBe('3');
    harness.services.answer(createSession, () => Promise.reject(new AppError('busy_retry')));
    expect((await send('POST', '/v1/sessions', lesson())).headers.get('retry-after')).toBe('1');
  });

  it('of bad input always names a field, in the words of the client', async () => {
    harness.services.answer(updateSession, () => Promise.reject(new AppError('in_past', { field: 'changes.date' })));
    expectError(await send('PATCH', `/v1/sessions/${newId('ses')}`, { notes: 'x' }), 400, 'in_past', 'date');
    harness.services.answer(updateSession, () => Promise.reject(new AppError('not_found')));
    expectError(await send('PATCH', `/v1/sessions/${newId('ses')}`, { notes: 'x' }), 400, 'not_found', 'body');
  });

  it('discloses nothing of an internal failure but `internal`', async () => {
    harness.services.answer(getSession, () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:27017')));
    const answer = await send('GET', `/v1/sessions/${newId('ses')}`);
    expectError(answer, 500, 'internal');
    expect(answer.text).not.toMatch(/ECONNREFUSED|10\.0\.0\.7/);
  });
});

describe('a dry run', () => {
  it('is forwarded to the service, answered 200, and marked', async () => {
    harness.services.answer(createSession, () => ({ id: 'ses_1' }));
    harness.services.answer(removePaymentMethod, () => ({}));
    const made = await send('POST', '/v1/sessions?dry_run=true', lesson());
    expect([made.status, made.body.meta.dry_run]).toEqual([200, true]);
    expect(harness.services.requestsOf(createSession).at(-1)).toMatchObject({ context: { dryRun: true } });
    const removed = await send('DELETE', `/v1/payment-methods/${newId('pm')}?dry_run=true`);
    expect([removed.status, removed.body.data, removed.body.meta.dry_run]).toEqual([200, {}, true]);
  });

  it('is none when it is false, and is known to writes only', async () => {
    const made = await send('POST', '/v1/sessions?dry_run=false', lesson());
    expect([made.status, made.body.meta]).toEqual([
      201,
      { timestamp: expect.anything(), request_id: expect.anything() },
    ]);
    expectError(await send('GET', '/v1/sessions?dry_run=true'), 400, 'unknown_field', 'dry_run');
    expectError(await send('POST', '/v1/sessions?dry_run=1', lesson()), 400, 'invalid_value', 'dry_run');
  });
});

describe('an idempotency key', () => {
  it('travels with a fingerprint that two spellings of one request share', async () => {
    harness.services.answer(createSession, () => ({ id: 'ses_1' }));
    const { date, ...others } = lesson();
    await send('POST', '/v1/sessions', { date, ...others }, { 'idempotency-key': 'key one' });
    await send('POST', '/v1/sessions', { ...others, date }, { 'idempotency-key': 'key one' });
    const [first, second] = harness.services
      .requestsOf(createSession)
      .slice(-2)
      .map(({ context }) => context);
    expect(first).toMatchObject({ idempotencyKey: 'key one', fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(second!.fingerprint).toBe(first!.fingerprint);
  });

  it('is marked as replayed, with the status and the bytes of the first answer', async () => {
    harness.services.answer(createSession, () => written('{"id":"ses_1"}', { replayed: true }));
    const replayed = await send('POST', '/v1/sessions', lesson(), { 'idempotency-key': 'k' });
    expect([replayed.status, replayed.headers.get('idempotent-replayed'), replayed.body.data]).toEqual([
      201,
      'true',
      { id: 'ses_1' },
    ]);
    const error = '{"code":"CONFLICT","message":"Taken.","details":{"field":"date","reason":"instructor_busy","x":1}}';
    harness.services.answer(createSession, () => written(error, { replayed: true, error: true }));
    const rejected = await send('POST', '/v1/sessions', lesson(), { 'idempotency-key': 'k' });
    expect([rejected.status, rejected.headers.get('idempotent-replayed')]).toEqual([409, 'true']);
    const first = error.replace('"x":1', '"x":1,"doc_url":"/docs/errors#instructor_busy"');
    expect(rejected.text).toContain(`"error":${first},`);
  });
});

describe('request ids', () => {
  it('are kept where they are well-formed, and travel to the service', async () => {
    harness.services.answer(getSession, () => ({ id: 'ses_1' }));
    const idOf = async (id?: string) =>
      (await send('GET', `/v1/sessions/${newId('ses')}`, undefined, id === undefined ? {} : { 'x-request-id': id }))
        .body.meta.request_id;
    for (const id of ['my_Req-123', 'a', 'a'.repeat(64)]) {
      expect(await idOf(id)).toBe(id);
      expect(harness.services.requestsOf(getSession).at(-1)!.context.requestId).toBe(id);
    }
    for (const id of ['a'.repeat(65), 'a b;<c>', 'a.b', undefined])
      expect(await idOf(id)).toMatch(/^req_[0-9a-z]{26}$/);
  });
});

describe('the public pages', () => {
  it('name the services that do not reach their database, or do not answer; when none is left, health is 503', async () => {
    const [people, booking, ...others] = HEALTH_CHECKS;
    const health = async () => (await gateway.send('GET', '/v1/health')).body;
    harness.services.answer(people!, () => ({ failing: ['database'] }));
    harness.services.answer(booking!, never);
    const services = [people!.service, booking!.service];
    await until(async () => (await health()).data?.status === 'degraded', 'health is degraded');
    expect((await health()).data).toEqual({ status: 'degraded', services });
    for (const check of others) harness.services.answer(check, () => ({ failing: ['database'] }));
    await until(async () => (await health()).error, 'health is unavailable');
    expectError(await gateway.send('GET', '/v1/health'), 503, 'unavailable');
    for (const check of HEALTH_CHECKS) harness.services.answer(check, () => ({ failing: [] }));
    await until(async () => (await health()).data?.status === 'ok', 'health is ok again');
  });

  it('need no key: health, the OpenAPI document, and the docs', async () => {
    for (const path of ['/health', '/v1/health']) {
      const health = await gateway.send('GET', path);
      expect([health.status, health.body.data]).toEqual([200, { status: 'ok' }]);
      expectSound(health, true);
    }
    for (const [path, version] of [
      ['/v1/openapi.json', '3.1.0'],
      ['/v1/openapi-3.0.json', '3.0.3'],
    ]) {
      const openapi = await gateway.send('GET', path!);
      expect([openapi.status, openapi.headers.get('content-type'), openapi.body]).toMatchObject([
        200,
        'application/json; charset=utf-8',
        { openapi: version, servers: [{ url: '/v1' }, {}, {}] },
      ]);
      expect(openapi.headers.get('access-control-allow-origin')).toBe('*');
    }
    const docs = await gateway.send('GET', '/docs');
    expect([docs.status, docs.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(docs.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(docs.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('the log', () => {
  it('has one line per request, without path, query, body or key', async () => {
    const talkative = await harness.gateway({ ...NO_LIMITS, LOG_LEVEL: 'info' });
    harness.services.answer(createSession, () => ({ id: 'ses_1' }));
    const secret = 'canary-notes';
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await talkative.send('POST', '/v1/sessions', {
      key,
      body: { ...lesson(), notes: secret },
      headers: { 'x-request-id': 'logged-1', 'idempotency-key': 'canary-key', traceparent },
    });
    await talkative.send('GET', `/v1/sessions?search=canary-query`, { key });
    await talkative.send('GET', '/v1/nothing/canary-path', { key });
    await talkative.stop();
    const lines = talkative
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = lines.find(({ requestId }) => requestId === 'logged-1');
    expect(line).toMatchObject({
      method: 'POST',
      route: '/v1/sessions',
      status: 201,
      accountId,
      keyId: parseApiKey(key)!.keyId,
      network: '127.0.0.0/24',
      traceparent,
      durationMs: expect.any(Number),
    });
    expect(lines.filter(({ msg }) => msg === 'answered').length).toBe(3);
    expect(talkative.output()).not.toMatch(/canary/);
    expect(talkative.output()).not.toContain(key);
  });
});
