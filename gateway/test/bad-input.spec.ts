import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createInstructor, createMember, createPayment, createSession, listSessions } from '@swim/contracts';
import { newId } from '@swim/platform';
import { type AskOptions, type GatewayProcess, NO_LIMITS, startWorld, type World } from './gateway-parts.js';
import { expectRefused } from './sound.js';
import { onePage } from './stand-ins.js';

let world: World;
let gateway: GatewayProcess;
let key: string;
let accountId: string;

beforeAll(async () => {
  world = await startWorld();
  gateway = await world.gateway(NO_LIMITS);
  const known = world.services.key({ principal: { kind: 'school' } });
  key = known.text;
  accountId = known.principal.accountId;
  for (const operation of [createSession, createInstructor, createMember, createPayment]) world.services.answer(operation, () => ({}));
  world.services.answer(listSessions, () => onePage([]));
}, 90_000);
afterAll(() => world?.stop());

const post = (path: string, body: unknown, options: AskOptions = {}) => gateway.ask('POST', `/v1${path}`, { key, body, ...options });
const get = (path: string) => gateway.ask('GET', `/v1${path}`, { key });
const raw = (text: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) => gateway.ask('POST', '/v1/sessions', { key, raw: text, headers });
const lesson = (more: object = {}) => ({ instructor_id: newId('ins'), member_id: newId('mem'), date: '2099-01-01T10:00:00Z', duration_minutes: 30, ...more });
const booking = (more: object = {}) => ({ instructor_id: newId('ins'), member_ids: [newId('mem')], sessions: [{ date: '2099-01-01T10:00:00Z', duration_minutes: 30 }], ...more });
const payment = (more: object = {}) => ({ booking_id: newId('bkg'), payment_method_id: newId('pm'), amount_cents: 100, currency: 'USD', ...more });
const reached = () => world.services.heard.filter(({ operation }) => operation !== 'people.verifyKey').length;

describe('a body', () => {
  it('of another type than JSON is 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
      expectRefused(await raw('{}', { 'content-type': type }), 415, 'unsupported_media_type', 'Content-Type');
    }
    expectRefused(await raw(Buffer.from('{}'), {}), 415, 'unsupported_media_type');
  });

  it('that is broken, no object, or nested too deeply is 400', async () => {
    for (const text of ['{', '{"a":1,}', 'hello', Buffer.from([0x7b, 0xff, 0x7d])]) expectRefused(await raw(text), 400, 'invalid_json', 'body');
    for (const text of ['[]', '"x"', '1', 'null']) expectRefused(await raw(text), 400, 'invalid_body', 'body');
    expectRefused(await raw('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)), 400, 'too_deep', 'body');
    expectRefused(await raw(`{"a":${'['.repeat(100_000)}`), 400, 'too_deep', 'body');
  });

  it('that is not there misses what is required', async () => {
    expectRefused(await raw('{}'), 400, 'required', 'instructor_id');
    expectRefused(await gateway.ask('POST', '/v1/sessions', { key }), 400, 'required', 'instructor_id');
  });

  it('larger than 256 KiB is 413, also when the client sends on and on', async () => {
    for (const bytes of [300 * 1024, 8 * 1024 * 1024]) {
      expectRefused(await raw(`{"notes":"${'x'.repeat(bytes)}"}`), 413, 'body_too_large', 'body');
    }
    expect((await raw(`{"notes":"${'x'.repeat(256 * 1024 - 12)}"}`)).status).toBe(400);
  });

  it('with names that objects are born with is one with unknown fields', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', '$where']) {
      expectRefused(await raw(JSON.stringify(lesson()).replace('{', `{"${name}":{"isAdmin":true},`)), 400, 'unknown_field', name);
    }
    expectRefused(await post('/sessions', lesson({ status: 'completed' })), 400, 'unknown_field', 'status');
  });

  it('with NUL or an unpaired surrogate is 400, in whatever field', async () => {
    expectRefused(await raw(JSON.stringify(lesson({ notes: 'a\0b' }))), 400, 'forbidden_characters', 'notes');
    expectRefused(await raw(JSON.stringify(lesson({ notes: '\ud800' }))), 400, 'forbidden_characters', 'notes');
    expectRefused(await raw(JSON.stringify(lesson({ location: { type: 'pool\0' } }))), 400, 'forbidden_characters', 'location.type');
  });

  it('with a card number anywhere is refused, and the number is written nowhere', async () => {
    expectRefused(await post('/payments', payment({ payment_method_id: '4242 4242 4242 4242' })), 400, 'card_number', 'payment_method_id');
    const answer = await post('/sessions', lesson({ notes: 'charge 5555-5555-5555-4444 please' }));
    expectRefused(answer, 400, 'card_number', 'notes');
    expect(answer.text + gateway.output()).not.toMatch(/5555|4242/);
    expect((await post('/sessions', lesson({ notes: 'call +4242424242424242' }))).status).toBe(201);
  });
});

describe('a field', () => {
  it.each([
    ['an operator for an id', { instructor_id: { $ne: null } }, 'invalid_id', 'instructor_id'],
    ['an operator written as text', { instructor_id: '{"$ne":null}' }, 'invalid_id', 'instructor_id'],
    ['an id of another kind', { instructor_id: newId('mem') }, 'invalid_id', 'instructor_id'],
    ['no offset', { date: '2099-01-01T10:00:00' }, 'offset_required', 'date'],
    ['30 February', { date: '2099-02-30T10:00:00Z' }, 'invalid_date', 'date'],
    ['a leap second', { date: '2016-12-31T23:59:60Z' }, 'invalid_date', 'date'],
    ['the year 275761', { date: '+275761-01-01T00:00:00Z' }, 'invalid_format', 'date'],
    ['a number for a date', { date: 1234567890 }, 'invalid_type', 'date'],
    ['no minutes', { duration_minutes: 0 }, 'too_small', 'duration_minutes'],
    ['negative minutes', { duration_minutes: -30 }, 'too_small', 'duration_minutes'],
    ['half minutes', { duration_minutes: 30.5 }, 'invalid_type', 'duration_minutes'],
    ['a billion minutes', { duration_minutes: 1e9 }, 'too_large', 'duration_minutes'],
    ['minutes as text', { duration_minutes: '30' }, 'invalid_type', 'duration_minutes'],
    ['oversize text', { notes: 'x'.repeat(2001) }, 'too_long', 'notes'],
    ['a pool without its id', { location: { type: 'pool' } }, 'required', 'location.pool_id'],
  ])('of a session that is %s is refused by its name', async (_, more, reason, field) => {
    expectRefused(await post('/sessions', lesson(more)), 400, reason, field);
  });

  it('of a booking is checked down to each session', async () => {
    const slots = (count: number) => Array.from({ length: count }, (_, n) => ({ date: new Date(Date.UTC(2099, 0, 1 + n)).toISOString(), duration_minutes: 30 }));
    expectRefused(await post('/bookings', booking({ sessions: [...slots(1), ...slots(1)] })), 400, 'overlapping_sessions', 'sessions');
    expectRefused(await post('/bookings', booking({ sessions: slots(53) })), 400, 'too_long', 'sessions');
    expectRefused(await post('/bookings', booking({ sessions: [] })), 400, 'too_short', 'sessions');
    const member = newId('mem');
    expectRefused(await post('/bookings', booking({ member_ids: [member, member] })), 400, 'duplicate_value', 'member_ids');
    expectRefused(await post('/bookings', booking({ sessions: [{ date: 'x', duration_minutes: 30 }] })), 400, 'invalid_format', 'sessions.0.date');
  });

  it('of money is whole, positive, and in a currency that exists', async () => {
    for (const [amount, reason] of [[-1, 'too_small'], [0, 'too_small'], [1.5, 'invalid_type'], [2 ** 53, 'invalid_type']] as const) {
      const answer = await post('/payments', payment({ amount_cents: amount }));
      expect([amount, answer.status, answer.body.error.details.field]).toEqual([amount, 400, 'amount_cents']);
      if (amount !== 2 ** 53) expect(answer.body.error.details.reason).toBe(reason);
    }
    for (const currency of ['usd', 'XXX', 'US', '€']) expect((await post('/payments', payment({ currency }))).body.error.details.field).toBe('currency');
  });

  it('is refused together with every other one at fault', async () => {
    const answer = await post('/sessions', { date: 'x', duration_minutes: 0, nonsense: 1 });
    expect(answer.body.error.details.errors!.map(({ field }) => field).sort()).toEqual(['date', 'duration_minutes', 'instructor_id', 'member_id', 'nonsense']);
  });

  it('of a patch is named without anything before it; an empty patch is none', async () => {
    const path = `/v1/sessions/${newId('ses')}`;
    const patch = (body: object) => gateway.ask('PATCH', path, { key, body });
    expectRefused(await patch({}), 400, 'empty_patch', '');
    expectRefused(await gateway.ask('PATCH', path, { key }), 400, 'empty_patch', '');
    expectRefused(await patch({ status: 'cancelled' }), 400, 'unknown_field', 'status');
    const late = await patch({ date: '2099-02-30T10:00:00Z' });
    expectRefused(late, 400, 'invalid_date', 'date');
    expect(late.text).not.toContain('changes');
  });
});

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
    ['limit=1e2', 'out_of_range', 'limit'],
    ['limit=', 'out_of_range', 'limit'],
    ['offset=10001', 'out_of_range', 'offset'],
    ['cursor=a&offset=0', 'mutually_exclusive', 'cursor'],
    ['status=open', 'invalid_value', 'status'],
    ['date_from=2027-02-30', 'invalid_date', 'date_from'],
    ['date_from=2027-06-01T10:00:00', 'offset_required', 'date_from'],
  ])('of %s is refused by its name', async (query, reason, field) => {
    const before = reached();
    expectRefused(await get(`/sessions?${query}`), 400, reason, field);
    expect(reached()).toBe(before);
  });

  it('on a write knows dry_run and nothing else', async () => {
    expectRefused(await post('/sessions?limit=1', lesson()), 400, 'unknown_field', 'limit');
    expectRefused(await post('/sessions?dry_run=true&dry_run=true', lesson()), 400, 'duplicate_parameter', 'dry_run');
  });
});

describe('a path', () => {
  it('whose parts are no ids of the right kind names nothing: 404', async () => {
    for (const id of ['x', newId('ins'), '%7B%22$ne%22:null%7D', `${newId('ses')}%00`, '..%2f..%2fetc']) {
      expectRefused(await get(`/sessions/${id}`), 404, 'resource_not_found');
    }
    expectRefused(await gateway.ask('PATCH', '/v1/sessions/x', { key, body: { nonsense: 1 } }), 404, 'resource_not_found');
  });

  it('that is in no table is 404, with a key or outside the API without one', async () => {
    expectRefused(await get('/nothing'), 404, 'unknown_route');
    expectRefused(await get('/sessions/'), 404, 'unknown_route');
    for (const path of ['/', '/v2/sessions', '/favicon.ico', '/admin', '/v1health']) expectRefused(await gateway.ask('GET', path), 404, 'unknown_route');
    expectRefused(await gateway.ask('GET', '/v1/%zz'), 400, 'malformed_url', 'path');
  });

  it('that does not have the method is 405 with Allow', async () => {
    const cases = [['PUT', '/sessions', 'GET, HEAD, POST'], ['DELETE', `/sessions/${newId('ses')}`, 'GET, HEAD, PATCH'], ['OPTIONS', '/sessions', 'GET, HEAD, POST'], ['GET', `/sessions/${newId('ses')}/cancel`, 'POST']] as const;
    for (const [method, path, allow] of cases) {
      const answer = await gateway.ask(method, `/v1${path}`, { key });
      expectRefused(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe(allow);
    }
    const page = await gateway.ask('POST', '/v1/health');
    expectRefused(page, 405, 'method_not_allowed');
    expect(page.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('an idempotency key', () => {
  it('that is empty, of 256 characters or not printable is 400', async () => {
    for (const idempotencyKey of ['', 'k'.repeat(256), 'caf\u00e9']) {
      expectRefused(await post('/sessions', lesson(), { headers: { 'idempotency-key': idempotencyKey } }), 400, 'invalid_idempotency_key', 'Idempotency-Key');
    }
    expect((await post('/sessions', lesson(), { headers: { 'idempotency-key': 'k'.repeat(255) } })).status).toBe(201);
  });
});

describe('whoever may not ask', () => {
  it('is told the scope that is missing, before anything of the request is read', async () => {
    const poor = world.services.key({ principal: { scopes: ['sessions:read', 'members:write'] } }).text;
    const refused = await gateway.ask('POST', '/v1/sessions', { key: poor, raw: 'nonsense', headers: { 'content-type': 'text/plain' } });
    expectRefused(refused, 403, 'missing_scope');
    expect([refused.body.error.details.scope, refused.body.error.message]).toEqual(['sessions:write', expect.stringContaining('sessions:write')]);
    expect((await gateway.ask('GET', '/v1/sessions', { key: poor })).status).toBe(200);
    expectRefused(await gateway.ask('GET', '/v1/events', { key: poor }), 403, 'missing_scope');
  });

  it('is told that an account is another one, whether or not it exists, whatever else is wrong', async () => {
    const other = world.services.key().principal.accountId;
    for (const id of [other, newId('acct'), 'nonsense', `${accountId}%00`]) {
      const answer = await gateway.ask('POST', `/v1/accounts/${id}/members`, { key, raw: 'nonsense', headers: { 'content-type': 'text/plain' } });
      expectRefused(answer, 403, 'foreign_account');
      expectRefused(await get(`/accounts/${id}/bookings?limit=0`), 403, 'foreign_account');
    }
    expect((await post(`/accounts/${accountId}/members`, { name: 'Mia', date_of_birth: '2016-02-29' })).status).toBe(201);
  });
});
