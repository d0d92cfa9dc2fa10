import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApiError,
  AuthenticationError,
  AuthorizationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  RateLimitError,
  ServerError,
  Swim,
  TimeoutError,
  UnexpectedAnswerError,
  ValidationError,
} from '../src/index.js';
import { data, FakeApi, failure, hangUp, silence } from './fake-api.js';

const api = new FakeApi();
beforeAll(() => api.start());
afterAll(() => api.stop());

const member = { name: 'Mia', date_of_birth: '2017-05-04' };
const rejected = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => Promise.reject(new Error('It was not rejected.')),
    (error: unknown) => error,
  );
const keys = () => api.received.map(({ headers }) => headers['idempotency-key']);

describe('a request', () => {
  it('carries the key, the body and the query, and answers `data`', async () => {
    api.script(data({ id: 'mem_1' }));
    expect(await api.client().members.create('acct_1', member, { dryRun: true })).toEqual({ id: 'mem_1' });
    expect(api.received[0]).toMatchObject({
      method: 'POST',
      url: '/v1/accounts/acct_1/members?dry_run=true',
      headers: { authorization: 'Bearer swl_test_x', 'content-type': 'application/json' },
      body: JSON.stringify(member),
    });
  });

  it('of a client whose key is null is sent without `Authorization`, as its `fetch` sends it', async () => {
    api.script(data({ id: 'mem_1' }));
    const withCookie: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('cookie', 'session=1');
      return fetch(url, { ...init, headers });
    };
    await api.client({ apiKey: null, fetch: withCookie }).members.get('mem_1');
    expect(api.received[0]!.headers).toMatchObject({ cookie: 'session=1', accept: 'application/json' });
    expect(api.received[0]!.headers.authorization).toBeUndefined();
  });

  it('calls the hooks before each try and after each answer, and is sent with the headers that one adds', async () => {
    const seen: unknown[] = [];
    const client = api.client({
      onRequest: ({ method, url, headers }) => {
        headers.set('traceparent', `trace-${seen.length}`);
        seen.push([method, new URL(url).pathname]);
      },
      onResponse: ({ status, durationMs }) => seen.push([status, durationMs >= 0]),
    });
    api.script(failure(503, 'SERVER_ERROR', { reason: 'unavailable' }), data({ id: 'mem_1' }));
    await client.members.get('mem_1');
    const tried = ['GET', '/v1/members/mem_1'];
    expect(seen).toEqual([tried, [503, true], tried, [200, true]]);
    expect(api.received.map(({ headers }) => headers.traceparent)).toEqual(['trace-0', 'trace-2']);
  });

  it('has meta and headers of its answer on demand', async () => {
    api.script(data({ id: 'mem_1' }));
    const { meta, status, headers } = await api.client().members.get('mem_1').withMeta();
    expect([status, meta?.request_id, headers.get('content-type')]).toEqual([200, 'req_1', 'application/json']);
  });

  it('spells out objects, joins lists and leaves out what is undefined', async () => {
    api.script(data([], { pagination: { has_more: false, next_cursor: null, total: 0 } }));
    await api
      .client()
      .instructors.list({ search: 'ü &', location: { latitude: 52.5, longitude: 13.4, radius: 5 }, limit: undefined });
    expect(api.received[0]!.url).toBe(
      '/v1/instructors?search=%C3%BC%20%26&location[latitude]=52.5&location[longitude]=13.4&location[radius]=5',
    );
  });

  it.each(['', '..', undefined])('throws before it is sent when an identifier is %p', (id) => {
    api.script(data({}));
    expect(() => api.client().members.get(id as string)).toThrow(TypeError);
    expect(() => api.client().members.erase(id as string)).toThrow(TypeError);
    expect(api.received).toEqual([]);
  });

  it('escapes an identifier, so that it stays one part of the path', async () => {
    api.script(data({}));
    await api.client().members.get('../keys?x=1');
    expect(api.received[0]!.url).toBe('/v1/members/..%2Fkeys%3Fx%3D1');
  });

  it('answers undefined where the API answers no body', async () => {
    api.script((response) => response.writeHead(204).end());
    expect(await api.client().pools.remove('pool_1')).toBeUndefined();
  });

  it('is not made by a client without a key or with an address that is none', () => {
    expect(() => new Swim({ apiKey: '', baseUrl: 'http://localhost/v1' })).toThrow(TypeError);
    expect(() => new Swim({ apiKey: 'swl_test_x', baseUrl: 'localhost' })).toThrow(TypeError);
  });

  it('follows no redirect, which would take the key elsewhere', async () => {
    api.script((response) => response.writeHead(307, { location: '/v1/other' }).end());
    expect(await rejected(api.client({ maxRetries: 0 }).members.get('mem_1'))).toBeInstanceOf(ConnectionError);
    expect(api.received).toHaveLength(1);
  });
});

describe('an error', () => {
  it.each([
    [401, 'AUTHENTICATION_ERROR', AuthenticationError],
    [403, 'AUTHORIZATION_ERROR', AuthorizationError],
    [400, 'VALIDATION_ERROR', ValidationError],
    [404, 'NOT_FOUND', NotFoundError],
    [409, 'CONFLICT', ConflictError],
    [429, 'RATE_LIMIT_EXCEEDED', RateLimitError],
    [500, 'SERVER_ERROR', ServerError],
    [400, 'SOMETHING_NEW', ApiError],
  ])('of %i %s is of its class, with reason, status and request id', async (status, code, Class) => {
    api.script(failure(status, code, { reason: 'some_reason' }, { 'retry-after': '7' }));
    const error = await rejected(api.client({ maxRetries: 0 }).sessions.get('ses_1'));
    expect(error).toBeInstanceOf(Class);
    expect(error).toMatchObject({
      code,
      status,
      requestId: 'req_1',
      retryAfterSeconds: 7,
      details: { reason: 'some_reason' },
      message: 'No. (req_1)',
    });
  });

  it('that is no answer of the API says so', async () => {
    api.script((response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'));
    const error = await rejected(api.client({ maxRetries: 0 }).sessions.get('ses_1'));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({ status: 502 });
  });

  it('does not contain the key', async () => {
    api.script(hangUp);
    const client = api.client({ maxRetries: 0 });
    const error = await rejected(client.sessions.get('ses_1'));
    expect(JSON.stringify([error, client, String(error), (error as Error).stack])).not.toContain('swl_test_x');
  });
});

describe('a retry', () => {
  it('follows a lost connection, a 503 and a 429, with the same idempotency key', async () => {
    api.script(
      hangUp,
      failure(503, 'SERVER_ERROR', { reason: 'unavailable' }),
      failure(429, 'RATE_LIMIT_EXCEEDED', { reason: 'burst_limit' }, { 'retry-after': '1' }),
      data({ id: 'mem_1' }),
    );
    expect(await api.client({ maxRetries: 3 }).members.create('acct_1', member)).toEqual({ id: 'mem_1' });
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/);
    const [, , third, fourth] = api.received;
    expect(fourth!.atMs - third!.atMs).toBeGreaterThanOrEqual(995);
  });

  it('has another key in another request, and that of the caller where one is given', async () => {
    api.script(data({}));
    await api.client().members.create('acct_1', member);
    await api.client().members.create('acct_1', member);
    await api.client().members.create('acct_1', member, { idempotencyKey: 'mine' });
    expect(new Set(keys()).size).toBe(3);
    expect(keys()[2]).toBe('mine');
  });

  it('waits while an earlier request with the key is running', async () => {
    api.script(
      failure(409, 'CONFLICT', { reason: 'idempotency_in_progress' }, { 'retry-after': '0' }),
      data({ id: 'mem_1' }),
    );
    expect(await api.client().members.create('acct_1', member)).toEqual({ id: 'mem_1' });
  });

  it('does not follow a lost write without key, which may have taken effect; only a 429', async () => {
    const withoutKey = { idempotencyKey: null };
    api.script(hangUp, data({}));
    expect(await rejected(api.client().members.create('acct_1', member, withoutKey))).toBeInstanceOf(ConnectionError);
    expect(keys()).toEqual([undefined]);
    api.script(
      failure(429, 'RATE_LIMIT_EXCEEDED', { reason: 'burst_limit' }, { 'retry-after': '0' }),
      data({ id: 'mem_1' }),
    );
    expect(await api.client().members.create('acct_1', member, withoutKey)).toEqual({ id: 'mem_1' });
  });

  it.each([
    [400, 'VALIDATION_ERROR', 'required'],
    [409, 'CONFLICT', 'instructor_busy'],
    [404, 'NOT_FOUND', 'resource_not_found'],
  ])('does not follow a %i', async (status, code, reason) => {
    api.script(failure(status, code, { reason }));
    await rejected(api.client().members.get('mem_1'));
    expect(api.received).toHaveLength(1);
  });

  it('does not wait for the end of the hour: the error names the seconds', async () => {
    api.script(failure(429, 'RATE_LIMIT_EXCEEDED', { reason: 'hourly_limit' }, { 'retry-after': '1800' }));
    expect(await rejected(api.client().members.get('mem_1'))).toMatchObject({ retryAfterSeconds: 1800 });
    expect(api.received).toHaveLength(1);
  });

  it('ends after `maxRetries`, with the last error', async () => {
    api.script(failure(503, 'SERVER_ERROR', { reason: 'unavailable' }));
    expect(await rejected(api.client({ maxRetries: 1 }).members.get('mem_1'))).toBeInstanceOf(ServerError);
    expect(api.received).toHaveLength(2);
  });

  it('of a DELETE whose answer was lost finds the object gone, which is a success', async () => {
    api.script(hangUp, failure(404, 'NOT_FOUND', { reason: 'resource_not_found' }));
    expect(await api.client().members.erase('mem_1')).toBeUndefined();
    api.script(failure(404, 'NOT_FOUND', { reason: 'resource_not_found' }));
    expect(await rejected(api.client().members.erase('mem_1'))).toBeInstanceOf(NotFoundError);
  });
});

describe('a request without answer', () => {
  it('ends after `timeoutMs`', async () => {
    api.script(silence);
    const error = await rejected(api.client({ maxRetries: 0 }).members.get('mem_1', { timeoutMs: 30 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
  });

  it('whose body stops in the middle ends too', async () => {
    api.script((response) => response.writeHead(200, { 'content-length': '100' }).write('{"success":'));
    const error = await rejected(api.client({ maxRetries: 0 }).members.get('mem_1', { timeoutMs: 50 }));
    expect(error).toBeInstanceOf(TimeoutError);
  });

  it('ends when its signal is aborted, with the reason of the signal, and is not retried', async () => {
    const reason = new Error('The user went away.');
    const abort = new AbortController();
    api.script(() => abort.abort(reason));
    expect(await rejected(api.client().members.get('mem_1', { signal: abort.signal }))).toBe(reason);
    expect(api.received).toHaveLength(1);
  });

  it('ends its wait before a retry when its signal is aborted', async () => {
    const abort = new AbortController();
    api.script((response, received) => {
      failure(503, 'SERVER_ERROR', { reason: 'unavailable' }, { 'retry-after': '50' })(response, received);
      setTimeout(() => abort.abort(), 20);
    });
    expect(await rejected(api.client().members.get('mem_1', { signal: abort.signal }))).toMatchObject({
      name: 'AbortError',
    });
  });
});

const page = (items: string[], next: string | null) =>
  data(
    items.map((id) => ({ id })),
    { pagination: { has_more: next !== null, next_cursor: next, total: 3 } },
  );

describe('a list', () => {
  it('is iterated over its pages, of which the next is requested when the one before is read', async () => {
    api.script(page(['a', 'b'], 'cur/1'), page(['c'], null));
    const seen: string[] = [];
    for await (const { id } of api.client().sessions.list({ limit: 2, offset: 0, status: 'scheduled' })) {
      seen.push(`${id}${api.received.length}`);
    }
    expect(seen).toEqual(['a1', 'b1', 'c2']);
    expect(api.received.map(({ url }) => url)).toEqual([
      '/v1/sessions?limit=2&offset=0&status=scheduled',
      '/v1/sessions?limit=2&status=scheduled&cursor=cur%2F1',
    ]);
  });

  it('is awaited for its first page, and requests nothing before', async () => {
    api.script(page(['a'], 'next'));
    const list = api.client().sessions.list();
    expect(api.received).toEqual([]);
    expect(await list).toMatchObject({ data: [{ id: 'a' }], pagination: { total: 3, next_cursor: 'next' } });
  });

  it('throws the error of a page to who reads it', async () => {
    api.script(page(['a'], 'next'), failure(401, 'AUTHENTICATION_ERROR', { reason: 'revoked_key' }));
    const pages = api.client().sessions.list().pages();
    expect((await pages.next()).done).toBe(false);
    expect(await rejected(pages.next())).toBeInstanceOf(AuthenticationError);
  });
});
