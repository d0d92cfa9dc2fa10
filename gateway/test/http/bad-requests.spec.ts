import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember, createSession, listSessions } from '@swim/contracts';
import { newId } from '@swim/platform';
import { lesson } from '../fixtures/bodies.js';
import { expectError } from '../fixtures/expectations.js';
import { onePage } from '../fixtures/fake-services.js';
import {
  type GatewayHarness,
  type GatewayProcess,
  NO_LIMITS,
  type SendOptions,
  startHarness,
} from '../fixtures/harness.js';

let harness: GatewayHarness;
let gateway: GatewayProcess;
let key: string;
let accountId: string;

beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway(NO_LIMITS);
  const known = harness.services.key();
  key = known.text;
  accountId = known.principal.accountId;
  for (const operation of [createSession, createMember]) harness.services.answer(operation, () => ({}));
  harness.services.answer(listSessions, () => onePage([]));
});
afterAll(() => harness?.stop());

const post = (path: string, body: unknown, options: SendOptions = {}) =>
  gateway.send('POST', `/v1${path}`, { key, body, ...options });
const get = (path: string) => gateway.send('GET', `/v1${path}`, { key });
const reached = () => harness.services.requestsOf(listSessions).length;

describe('a query', () => {
  it.each([
    ['status[$ne]=x', 'unknown_field', 'status[$ne]'],
    ['status%5B%24ne%5D=x', 'unknown_field', 'status[$ne]'],
    ['__proto__=x', 'unknown_field', '__proto__'],
    ['limit=1&limit=2', 'duplicate_parameter', 'limit'],
    ['status=scheduled&st%61tus=x', 'duplicate_parameter', 'status'],
    ['limit=%', 'malformed_url', 'query'],
    ['limit=%ff', 'malformed_url', 'query'],
    ['member_id=a%00', 'forbidden_characters', 'member_id'],
    ['limit=0', 'out_of_range', 'limit'],
    ['limit=-1', 'out_of_range', 'limit'],
    ['limit=101', 'out_of_range', 'limit'],
    ['limit=1e2', 'invalid_type', 'limit'],
    ['limit=', 'invalid_type', 'limit'],
    ['offset=10001', 'out_of_range', 'offset'],
    ['cursor=a&offset=0', 'mutually_exclusive', 'cursor'],
    ['cursor=a', 'invalid_cursor', 'cursor'],
    ['status=open', 'invalid_value', 'status'],
    ['date_from=2027-02-30', 'invalid_date', 'date_from'],
    ['date_from=2027-06-01T10:00:00', 'offset_required', 'date_from'],
  ])('of %s is rejected by its name', async (query, reason, field) => {
    const before = reached();
    expectError(await get(`/sessions?${query}`), 400, reason, field);
    expect(reached()).toBe(before);
  });

  it.each([
    ['status[]=scheduled', 'status[] is unknown. Did you mean status?'],
    ['memberId=x', 'memberId is unknown. Did you mean member_id?'],
    ['cursor=a&offset=0', 'cursor and offset cannot be sent together: leave one out.'],
    [
      'date_from=2027-01-01T10:00:00+01:00',
      'date_from must be a date, such as 2027-03-01, or an instant with its UTC offset, such as 2027-03-01T16:00:00Z; you sent a space before the offset: write + as %2B in a URL.',
    ],
    [
      'status=scheduled&status=cancelled',
      'status: This query parameter is given more than once. Send it once; where it takes several values, separate them by commas.',
    ],
  ])('of %s is rejected with what would be right', async (query, message) => {
    expect((await get(`/sessions?${query}`)).body.error.message).toBe(message);
  });

  it.each([
    ['limit=0', { minimum: 1, maximum: 100 }],
    ['cursor=a&offset=0', { expected: 'left out, or sent without offset' }],
    ['cursor=a', { expected: 'the next_cursor of the page before, unchanged, with the same filters' }],
    ['limit=1&limit=2', { expected: 'sent once' }],
    ['limit=%', { expected: 'valid, with percent-encoded UTF-8' }],
    ['date_from=2027-03-02&date_to=2027-03-01', { expected: 'no earlier than date_from' }],
    ['unknown=1', { allowed: expect.arrayContaining(['limit', 'status', 'metadata']) }],
  ])('of %s is rejected with a member that says what would be right', async (query, bounds) => {
    expect((await get(`/sessions?${query}`)).body.error.details.errors).toEqual([
      { field: expect.any(String), reason: expect.any(String), message: expect.any(String), ...bounds },
    ]);
  });

  it('on a write knows dry_run and nothing else', async () => {
    const unknown = await post('/sessions?limit=1', lesson());
    expectError(unknown, 400, 'unknown_field', 'limit');
    expect(unknown.body.error.details.errors![0]!.allowed).toEqual(['dry_run']);
    expectError(await post('/sessions?dry_run=true&dry_run=true', lesson()), 400, 'duplicate_parameter', 'dry_run');
  });
});

describe('a path', () => {
  it('whose parts are no ids of the right kind names nothing: 404', async () => {
    for (const id of ['x', newId('ins'), '%7B%22$ne%22:null%7D', `${newId('ses')}%00`, '..%2f..%2fetc']) {
      expectError(await get(`/sessions/${id}`), 404, 'resource_not_found');
    }
    expectError(
      await gateway.send('PATCH', '/v1/sessions/x', { key, body: { nonsense: 1 } }),
      404,
      'resource_not_found',
    );
  });

  it('that is in no table is 404, with a key or outside the API without one', async () => {
    expectError(await get('/nothing'), 404, 'unknown_route');
    expectError(await get('/sessions/'), 404, 'unknown_route');
    for (const path of ['/', '/v2/sessions', '/favicon.ico', '/admin', '/v1health'])
      expectError(await gateway.send('GET', path), 404, 'unknown_route');
    expectError(await gateway.send('GET', '/v1/%zz'), 400, 'malformed_url', 'path');
  });

  it.each([
    ['/sessions', '/v1/sessions'],
    ['/v2/sessions', '/v1/sessions'],
    ['/v1/sessions/', '/v1/sessions'],
    ['//v1//sessions', '/v1/sessions'],
    ['/v1/Sessions', '/v1/sessions'],
    ['/v1/session', '/v1/sessions'],
    ['/v1/instuctors', '/v1/instructors'],
    ['/v1/webhookEndpoints', '/v1/webhook-endpoints'],
    ['/v1/booking/bkg_01k5zr8q3ve9mbf6w2n0x4ht7c/', '/v1/bookings/{booking_id}'],
  ])('%s, which is in no table, is 404 with the question whether %s is meant', async (path, meant) => {
    const answer = await gateway.send('GET', path, { key });
    expectError(answer, 404, 'unknown_route');
    expect(answer.body.error.message).toBe(`No operation has this path. Did you mean ${meant}?`);
  });

  it.each(['/v1/customers', '/', '/admin', '/v1/constructor'])('%s, which is near none, is 404', async (path) => {
    expect((await gateway.send('GET', path, { key })).body.error.message).toBe(
      'No operation has this path. Check the URL.',
    );
  });

  it('of the sandbox, misspelt with a live key, is not named', async () => {
    const live = harness.services.key({ principal: { env: 'live' } }).text;
    const { body } = await gateway.send('GET', '/v1/Sandbox/clock', { key: live });
    expect(body.error.message).toBe('No operation has this path. Check the URL.');
  });

  it('that does not have the method is 405 with Allow', async () => {
    const cases = [
      ['PUT', '/sessions', 'GET, HEAD, POST'],
      ['DELETE', `/sessions/${newId('ses')}`, 'GET, HEAD, PATCH'],
      ['OPTIONS', '/sessions', 'GET, HEAD, POST'],
      ['GET', `/sessions/${newId('ses')}/cancel`, 'POST'],
    ] as const;
    for (const [method, path, allow] of cases) {
      const answer = await gateway.send(method, `/v1${path}`, { key });
      expectError(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe(allow);
      const methods = allow.replaceAll(', ', ' or ');
      expect(answer.body.error.message).toBe(`This path does not support ${method}. Use ${methods}.`);
    }
    const page = await gateway.send('POST', '/v1/health');
    expectError(page, 405, 'method_not_allowed');
    expect(page.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('an idempotency key', () => {
  it('that is empty, of 256 characters or not printable is 400', async () => {
    for (const idempotencyKey of ['', 'k'.repeat(256), 'caf\u00e9']) {
      expectError(
        await post('/sessions', lesson(), { headers: { 'idempotency-key': idempotencyKey } }),
        400,
        'invalid_idempotency_key',
        'Idempotency-Key',
      );
    }
    const long = await post('/sessions', lesson(), { headers: { 'idempotency-key': 'k'.repeat(256) } });
    expect(long.body.error.details.errors).toEqual([
      {
        field: 'Idempotency-Key',
        reason: 'invalid_idempotency_key',
        message: 'Idempotency-Key must have 1 to 255 printable ASCII characters; you sent 256.',
        min_length: 1,
        max_length: 255,
      },
    ]);
    expect((await post('/sessions', lesson(), { headers: { 'idempotency-key': 'k'.repeat(255) } })).status).toBe(201);
  });
});

describe('a key without the right to a request', () => {
  it('gets the name of the missing scope, before the rest of the request is read', async () => {
    const poor = harness.services.key({ principal: { scopes: ['sessions:read', 'members:write'] } }).text;
    const rejected = await gateway.send('POST', '/v1/sessions', {
      key: poor,
      raw: 'nonsense',
      headers: { 'content-type': 'text/plain' },
    });
    expectError(rejected, 403, 'missing_scope');
    expect([rejected.body.error.details.scope, rejected.body.error.message]).toEqual([
      'sessions:write',
      expect.stringContaining('sessions:write'),
    ]);
    expect((await gateway.send('GET', '/v1/sessions', { key: poor })).status).toBe(200);
    expectError(await gateway.send('GET', '/v1/events', { key: poor }), 403, 'missing_scope');
  });

  it('gets foreign_account for another account, whether or not it exists and whatever else is wrong', async () => {
    const other = harness.services.key().principal.accountId;
    for (const id of [other, newId('acct'), 'nonsense', `${accountId}%00`]) {
      const answer = await gateway.send('POST', `/v1/accounts/${id}/members`, {
        key,
        raw: 'nonsense',
        headers: { 'content-type': 'text/plain' },
      });
      expectError(answer, 403, 'foreign_account');
      expectError(await get(`/accounts/${id}/bookings?limit=0`), 403, 'foreign_account');
    }
    expect((await post(`/accounts/${accountId}/members`, { name: 'Mia', date_of_birth: '2016-02-29' })).status).toBe(
      201,
    );
  });
});
