import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  createSession,
  getSession,
  listBookings,
  listSessions,
  removePaymentMethod,
  updateSession,
} from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { lesson } from './bodies.js';
import { type Answered, type GatewayProcess, NO_LIMITS, startWorld, type World } from './gateway-parts.js';
import { expectRefused, expectSound } from './sound.js';
import { onePage, Written } from './stand-ins.js';

let world: World;
let gateway: GatewayProcess;
let key: string;
let accountId: string;
const encoded = (text: string) => new TextEncoder().encode(text);
const written = (body: string, more: object = {}) =>
  new Written({
    body: encoded(body),
    error: false,
    pagination: null,
    replayed: false,
    retryAfterSeconds: null,
    ...more,
  });

beforeAll(async () => {
  world = await startWorld();
  gateway = await world.gateway(NO_LIMITS);
  const known = world.services.key();
  key = known.text;
  accountId = known.principal.accountId;
}, 90_000);
afterAll(() => world?.stop());

const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> =>
  gateway.ask(method, path, { key, body, headers });

describe('an answer', () => {
  it('holds the very bytes of the service, never parsed', async () => {
    const session = newId('ses');
    world.services.answer(getSession, () => written('{ "z":1.0, "a":"ü🏊", "big":12345678901234567890 }'));
    const answer = await ask('GET', `/v1/sessions/${session}`);
    expect(answer.status).toBe(200);
    expectSound(answer, true);
    expect(
      answer.text.startsWith('{"success":true,"data":{ "z":1.0, "a":"ü🏊", "big":12345678901234567890 },"meta":{'),
    ).toBe(true);
    expect(world.services.heardOf(getSession).at(-1)).toMatchObject({ input: { session_id: session } });
  });

  it('of a list has the pagination beside the data', async () => {
    const pagination = { has_more: true, next_cursor: 'abc', total: 7 };
    world.services.answer(listSessions, () => ({ items: [{ id: 'ses_1' }], pagination }));
    const answer = await ask('GET', '/v1/sessions?limit=1&status=scheduled');
    expect(answer.body).toEqual({ success: true, data: [{ id: 'ses_1' }], pagination, meta: expect.anything() });
    expect(world.services.heardOf(listSessions).at(-1)!.input).toEqual({ limit: '1', status: 'scheduled' });
  });

  it('is 201 when something was made, 200 when something was changed, 204 without a body when something is gone', async () => {
    world.services.answer(createSession, () => ({ id: 'ses_1' }));
    world.services.answer(updateSession, () => ({ id: 'ses_1' }));
    world.services.answer(cancelSession, () => ({ id: 'ses_1' }));
    world.services.answer(removePaymentMethod, () => ({}));
    expect((await ask('POST', '/v1/sessions', lesson())).status).toBe(201);
    expect((await ask('PATCH', `/v1/sessions/${newId('ses')}`, { notes: 'x' })).status).toBe(200);
    expect((await ask('POST', `/v1/sessions/${newId('ses')}/cancel`)).status).toBe(200);
    for (const path of [
      `/v1/payment-methods/${newId('pm')}`,
      `/v1/accounts/${accountId}/payment-methods/${newId('pm')}`,
    ]) {
      const gone = await ask('DELETE', path);
      expect([gone.status, gone.text, gone.headers.get('content-type')]).toEqual([204, '', null]);
      expect(gone.headers.get('x-request-id')).toMatch(/^req_/);
      expect(gone.headers.get('x-ratelimit-limit')).toBe('1000000');
    }
  });

  it('to HEAD is that to GET without its body', async () => {
    world.services.answer(getSession, () => ({ id: 'ses_1' }));
    const path = `/v1/sessions/${newId('ses')}`;
    const [head, get] = [await ask('HEAD', path), await ask('GET', path)];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
    expect((await ask('HEAD', '/v1/sessions/nothing')).status).toBe(404);
  });

  it('passes an account in the path on to the list, and the changes of a PATCH apart from its path', async () => {
    world.services.answer(listBookings, () => onePage([]));
    await ask('GET', `/v1/accounts/${accountId}/bookings`);
    await ask('GET', '/v1/bookings');
    expect(world.services.heardOf(listBookings).map(({ input }) => input)).toEqual([{ account_id: accountId }, {}]);
    const session = newId('ses');
    await ask('PATCH', `/v1/sessions/${session}`, { notes: 'y' });
    expect(world.services.heardOf(updateSession).at(-1)!.input).toEqual({
      session_id: session,
      changes: { notes: 'y' },
    });
  });

  it('warns of what has no effect', async () => {
    world.services.answer(listSessions, () => onePage([]));
    const answer = await ask('GET', '/v1/sessions', undefined, { 'idempotency-key': 'abc' });
    expect(answer.body.meta.warnings).toEqual(['Idempotency-Key has no effect on GET.']);
    expect((await ask('GET', '/v1/sessions')).body.meta).not.toHaveProperty('warnings');
  });
});

describe('a refusal of a service', () => {
  it('is passed on whole, with its status and Retry-After', async () => {
    const suggestions = [{ start: '2027-01-01T10:00:00Z', end: '2027-01-01T10:30:00Z' }];
    world.services.answer(createSession, () =>
      Promise.reject(new AppError('instructor_busy', { field: 'date', details: { suggestions } })),
    );
    const busy = await ask('POST', '/v1/sessions', lesson());
    expectRefused(busy, 409, 'instructor_busy', 'date');
    expect(busy.body.error.details.suggestions).toEqual(suggestions);
    world.services.answer(createSession, () =>
      Promise.reject(new AppError('idempotency_in_progress', { retryAfterSeconds: 3 })),
    );
    const running = await ask('POST', '/v1/sessions', lesson());
    expectRefused(running, 409, 'idempotency_in_progress');
    expect(running.headers.get('retry-after')).toBe('3');
    world.services.answer(createSession, () => Promise.reject(new AppError('busy_retry')));
    expect((await ask('POST', '/v1/sessions', lesson())).headers.get('retry-after')).toBe('1');
  });

  it('of bad input always names a field, in the words of the client', async () => {
    world.services.answer(updateSession, () => Promise.reject(new AppError('in_past', { field: 'changes.date' })));
    expectRefused(await ask('PATCH', `/v1/sessions/${newId('ses')}`, { notes: 'x' }), 400, 'in_past', 'date');
    world.services.answer(updateSession, () => Promise.reject(new AppError('not_found')));
    expectRefused(await ask('PATCH', `/v1/sessions/${newId('ses')}`, { notes: 'x' }), 400, 'not_found', '');
  });

  it('never tells more of a failure inside than that there was one', async () => {
    world.services.answer(getSession, () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:27017')));
    const answer = await ask('GET', `/v1/sessions/${newId('ses')}`);
    expectRefused(answer, 500, 'internal');
    expect(answer.text).not.toMatch(/ECONNREFUSED|10\.0\.0\.7/);
  });
});

describe('a dry run', () => {
  it('is told to the service, answered 200, and marked', async () => {
    world.services.answer(createSession, () => ({ id: 'ses_1' }));
    world.services.answer(removePaymentMethod, () => ({}));
    const made = await ask('POST', '/v1/sessions?dry_run=true', lesson());
    expect([made.status, made.body.meta.dry_run]).toEqual([200, true]);
    expect(world.services.heardOf(createSession).at(-1)).toMatchObject({ call: { dryRun: true } });
    const removed = await ask('DELETE', `/v1/payment-methods/${newId('pm')}?dry_run=true`);
    expect([removed.status, removed.body.data, removed.body.meta.dry_run]).toEqual([200, {}, true]);
  });

  it('is none when it is false, and is known to writes only', async () => {
    const made = await ask('POST', '/v1/sessions?dry_run=false', lesson());
    expect([made.status, made.body.meta]).toEqual([
      201,
      { timestamp: expect.anything(), request_id: expect.anything() },
    ]);
    expectRefused(await ask('GET', '/v1/sessions?dry_run=true'), 400, 'unknown_field', 'dry_run');
    expectRefused(await ask('POST', '/v1/sessions?dry_run=1', lesson()), 400, 'invalid_value', 'dry_run');
  });
});

describe('an idempotency key', () => {
  it('travels with a fingerprint that two spellings of one request share', async () => {
    world.services.answer(createSession, () => ({ id: 'ses_1' }));
    const { date, ...others } = lesson();
    await ask('POST', '/v1/sessions', { date, ...others }, { 'idempotency-key': 'key one' });
    await ask('POST', '/v1/sessions', { ...others, date }, { 'idempotency-key': 'key one' });
    const [first, second] = world.services
      .heardOf(createSession)
      .slice(-2)
      .map(({ call }) => call);
    expect(first).toMatchObject({ idempotencyKey: 'key one', fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(second!.fingerprint).toBe(first!.fingerprint);
  });

  it('is told as replayed, with the status and the bytes of the first answer', async () => {
    world.services.answer(createSession, () => written('{"id":"ses_1"}', { replayed: true }));
    const replayed = await ask('POST', '/v1/sessions', lesson(), { 'idempotency-key': 'k' });
    expect([replayed.status, replayed.headers.get('idempotent-replayed'), replayed.body.data]).toEqual([
      201,
      'true',
      { id: 'ses_1' },
    ]);
    const error = '{"code":"CONFLICT","message":"Taken.","details":{"reason":"instructor_busy","x":1}}';
    world.services.answer(createSession, () => written(error, { replayed: true, error: true }));
    const refused = await ask('POST', '/v1/sessions', lesson(), { 'idempotency-key': 'k' });
    expect([refused.status, refused.headers.get('idempotent-replayed')]).toEqual([409, 'true']);
    expect(refused.text).toContain(`"error":${error},`);
  });
});

describe('request ids', () => {
  it('are kept where they are well-formed, and travel to the service', async () => {
    world.services.answer(getSession, () => ({ id: 'ses_1' }));
    const idOf = async (id?: string) =>
      (await ask('GET', `/v1/sessions/${newId('ses')}`, undefined, id === undefined ? {} : { 'x-request-id': id })).body
        .meta.request_id;
    for (const id of ['my_Req-123', 'a', 'a'.repeat(64)]) {
      expect(await idOf(id)).toBe(id);
      expect(world.services.heardOf(getSession).at(-1)!.call.requestId).toBe(id);
    }
    for (const id of ['a'.repeat(65), 'a b;<c>', 'a.b', undefined])
      expect(await idOf(id)).toMatch(/^req_[0-9a-z]{26}$/);
  });
});

describe('the public pages', () => {
  it('need no key: health, the OpenAPI document, and the docs', async () => {
    for (const path of ['/health', '/v1/health']) {
      const health = await gateway.ask('GET', path);
      expect([health.status, health.body.data]).toEqual([200, { status: 'ok' }]);
      expectSound(health, true);
    }
    const openapi = await gateway.ask('GET', '/v1/openapi.json');
    expect([openapi.status, openapi.headers.get('content-type'), openapi.body]).toMatchObject([
      200,
      'application/json; charset=utf-8',
      { openapi: '3.1.0' },
    ]);
    const docs = await gateway.ask('GET', '/docs');
    expect([docs.status, docs.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(docs.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('the log', () => {
  it('has one line for each request, without path, query, body or key', async () => {
    const talkative = await world.gateway({ ...NO_LIMITS, LOG_LEVEL: 'info' });
    world.services.answer(createSession, () => ({ id: 'ses_1' }));
    const secret = 'canary-notes';
    await talkative.ask('POST', '/v1/sessions', {
      key,
      body: { ...lesson(), notes: secret },
      headers: { 'x-request-id': 'logged-1', 'idempotency-key': 'canary-key' },
    });
    await talkative.ask('GET', `/v1/sessions?search=canary-query`, { key });
    await talkative.ask('GET', '/v1/nothing/canary-path', { key });
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
      durationMs: expect.any(Number),
    });
    expect(lines.filter(({ msg }) => msg === 'answered').length).toBe(3);
    expect(talkative.output()).not.toMatch(/canary/);
    expect(talkative.output()).not.toContain(key);
  });
});
