import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Instructor, Member } from '@swim/contracts';
import { formatApiKey, newId } from '@swim/platform';
import { inDays, until } from '@swim/testing';
import { apiError, Customer } from '../../fixtures/customer.js';
import { aMember, anInstructor, nextTime, sessionBody } from '../../fixtures/fixtures.js';
import { exchange, readAnswer, request } from '../../fixtures/raw-socket.js';
import { journey, stack } from '../../fixtures/shared-stack.js';
import { type Contents, differencesBetween } from '../../fixtures/snapshot.js';

journey('HTTP that is malformed or unauthorized', () => {
  let family: Customer;
  let instructor: Instructor;
  let member: Member;
  let before: Contents;
  /** Sent first, since the server's time-out is ten seconds. */
  let slowHeaders: Promise<string>;
  beforeAll(async () => {
    slowHeaders = exchange(stack.origin, 'GET /v1/sessions HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    family = stack.family;
    [instructor, member] = [await anInstructor(stack.school), await aMember(family)];
    before = await stack.snapshot();
  });
  afterAll(async () => {
    // Only accounts and keys may be new: the tests below open some.
    const changes = differencesBetween(before, await stack.snapshot());
    expect(changes.filter((each) => !/^\+ people_(?:test|live)\.(?:api_keys|accounts) /.test(each))).toEqual([]);
  });

  const as = (authorization: string) => stack.stranger.send('GET', '/sessions', { headers: { authorization } });

  describe('a key is rejected', () => {
    it('when it is missing, on every path', async () => {
      for (const path of ['/sessions', '/bookings', '/events', `/accounts/${family.id}`, '/no-such-path']) {
        expect(await stack.stranger.get(path)).toMatchObject({
          ...apiError(401, 'missing_key'),
          error: { code: 'AUTHENTICATION_ERROR' },
        });
      }
      expect((await stack.stranger.post('/sessions', {})).status).toBe(401);
      expect((await stack.stranger.post('/payments', {})).status).toBe(401);
    });

    it.each<[what: string, authorization: () => string]>([
      ['as Basic', () => `Basic ${Buffer.from(`${family.key}:`).toString('base64')}`],
      ['without Bearer', () => family.key],
      [
        'with its last letter changed',
        () => `Bearer ${family.key.slice(0, -1)}${family.key.endsWith('0') ? '1' : '0'}`,
      ],
      [
        'with a letter of its secret changed',
        () => `Bearer ${family.key.slice(0, 40)}${family.key[40] === '0' ? '1' : '0'}${family.key.slice(41)}`,
      ],
      ['cut short', () => `Bearer ${family.key.slice(0, -1)}`],
      ['with something after it', () => `Bearer ${family.key} x`],
      ['that is junk', () => 'Bearer junk'],
      ['that is empty', () => 'Bearer '],
    ])('%s: malformed', async (_, authorization) => {
      const answer = await as(authorization());
      expect(answer.status).toBe(401);
      expect(['malformed_key', 'missing_key']).toContain(answer.error.details.reason);
      expect(answer.text).not.toContain(family.key.slice(30, 60));
    });

    it('that is unknown, expired or revoked', async () => {
      expect(await as(`Bearer ${formatApiKey('test', newId('key'))}`)).toMatchObject(apiError(401, 'unknown_key'));
      const idOfAnother = `key_${family.key.slice('swl_test_'.length, 'swl_test_'.length + 26)}`;
      expect(await as(`Bearer ${formatApiKey('test', idOfAnother)}`)).toMatchObject(apiError(401, 'unknown_key'));
      const expired = await stack.mint(family.id, { expiresAt: new Date(Date.now() - 1_000) });
      expect(await expired.get('/sessions')).toMatchObject(apiError(401, 'expired_key'));
      const revoked = await stack.mint(family.id, { revokedAt: new Date() });
      expect(await revoked.get('/sessions')).toMatchObject(apiError(401, 'revoked_key'));
    });

    it('of the other environment, by a gateway that serves one only', async () => {
      const live = await stack.open('family', 'live');
      const sandbox = `${await stack.addGateway({ PINNED_ENVIRONMENT: 'test' })}/v1`;
      expect(await new Customer(sandbox, live.id, live.key).get('/sessions')).toMatchObject(
        apiError(401, 'wrong_environment'),
      );
      expect((await new Customer(sandbox, family.id, family.key).get('/sessions')).status).toBe(200);
      expect((await live.get('/sessions')).status).toBe(200);
    });

    it('in the query, which logs contain', async () => {
      const answer = await stack.stranger.get(`/sessions?api_key=${family.key}`);
      expect(answer).toMatchObject(apiError(401, 'missing_key'));
    });
  });

  describe('a path', () => {
    it.each([
      '/',
      '/v1',
      '/v1/',
      '/v2/sessions',
      '/v1/session',
      '/v1/sessions/x/y',
      '/v1/Sessions',
      '/v1//sessions',
      '/v1/sessions/',
      '/v1/%73essions/..',
      '/v1/sessions/%',
      '/admin',
      '/v1/member',
    ])('that does not exist is answered 404 or 400: %s', async (path) => {
      const answer = await new Customer(stack.origin, family.id, family.key).get(path);
      expect([400, 404]).toContain(answer.status);
      expect(['NOT_FOUND', 'VALIDATION_ERROR']).toContain(answer.error.code);
    });

    it.each([
      ['PUT', '/sessions', 'GET, POST'],
      ['DELETE', '/sessions', 'GET, POST'],
      ['POST', '/events', 'GET'],
      ['PATCH', '/bookings', 'GET, POST'],
      ['OPTIONS', '/payments', 'GET, POST'],
    ])('that does not support %s %s lists the methods that it does', async (method, path, allow) => {
      const answer = await family.send(method, path);
      expect(answer).toMatchObject({ ...apiError(405, 'method_not_allowed'), error: { code: 'NOT_FOUND' } });
      expect(
        answer.headers
          .get('allow')!
          .split(', ')
          .filter((each) => each !== 'HEAD')
          .join(', '),
      ).toBe(allow);
    });

    it.each([
      'ses_1',
      'mem_01k5zr8q3ve9mbf6w2n0x4ht7c',
      "ses_'; DROP TABLE",
      '%7B%22%24ne%22%3Anull%7D',
      'SES_01k5zr8q3ve9mbf6w2n0x4ht7c',
      'x'.repeat(3_000),
    ])('with an id that is not well-formed is answered 404: %s', async (id) => {
      expect(await family.get(`/sessions/${id}`)).toMatchObject(apiError(404, 'resource_not_found'));
      expect(await family.send('PATCH', `/sessions/${id}`, { body: { notes: 'x' } })).toMatchObject({ status: 404 });
    });
  });

  describe('a query is rejected', () => {
    it.each<[query: string, reason: string, field: string]>([
      ['/sessions?status[$ne]=x', 'unknown_field', 'status[$ne]'],
      ['/sessions?status=cancelled&status=scheduled', 'duplicate_parameter', 'status'],
      ['/sessions?member_id[]=mem_1', 'unknown_field', 'member_id[]'],
      ['/sessions?__proto__=x', 'unknown_field', '__proto__'],
      ['/sessions?date_from=2027-02-30', 'invalid_date', 'date_from'],
      ['/sessions?status=%00', 'forbidden_characters', 'status'],
      ['/sessions?status=%zz', 'malformed_url', 'query'],
      ['/members/mem_01k5zr8q3ve9mbf6w2n0x4ht7c?fields=name', 'unknown_field', 'fields'],
    ])('%s', async (query, reason, field) => {
      expect(await family.get(query)).toMatchObject(apiError(400, reason, field));
    });

    it.each<[query: string, reason: string, field: string]>([
      ['timezone=Mars/Olympus', 'unknown_timezone', 'timezone'],
      [`date_from=${inDays(9)}&date_to=${inDays(8)}`, 'range_reversed', 'date_to'],
      [`date_from=${inDays(1)}&date_to=${inDays(40)}`, 'range_too_long', 'date_to'],
      ['duration_minutes=0', 'too_small', 'duration_minutes'],
      ['duration_minutes=1e2', 'invalid_type', 'duration_minutes'],
    ])('of availability: ?%s', async (query, reason, field) => {
      expect(await family.get(`/instructors/${instructor.id}/availability?${query}`)).toMatchObject(
        apiError(400, reason, field),
      );
    });
  });

  describe('a malformed request', () => {
    const body = () => JSON.stringify(sessionBody(instructor, member, nextTime()));
    const authorized = () => ({
      Authorization: `Bearer ${family.key}`,
      'Content-Type': 'application/json',
      Connection: 'close',
    });

    it.each<[what: string, bytes: () => string | Uint8Array, status: number]>([
      [
        'both Content-Length and Transfer-Encoding',
        () =>
          request(
            'POST /v1/sessions',
            { ...authorized(), 'Content-Length': '5', 'Transfer-Encoding': 'chunked' },
            '0\r\n\r\n',
          ),
        400,
      ],
      [
        'two Content-Lengths',
        () => request('POST /v1/sessions', { ...authorized(), 'Content-Length': '2\r\nContent-Length: 3' }, '{}'),
        400,
      ],
      [
        'a negative Content-Length',
        () => request('POST /v1/sessions', { ...authorized(), 'Content-Length': '-1' }, '{}'),
        400,
      ],
      [
        'an unknown Transfer-Encoding',
        () => request('POST /v1/sessions', { ...authorized(), 'Transfer-Encoding': 'xchunked' }, '0\r\n\r\n'),
        400,
      ],
      [
        'a chunk without a size',
        () =>
          request('POST /v1/sessions', { ...authorized(), 'Transfer-Encoding': 'chunked' }, 'zz\r\n{}\r\n0\r\n\r\n'),
        400,
      ],
      ['headers of 20 KB', () => request('GET /v1/sessions', { ...authorized(), 'X-Long': 'x'.repeat(20_000) }), 431],
      ['a path of 20 KB', () => request(`GET /v1/sessions/${'x'.repeat(20_000)}`, authorized()), 431],
      ['a header without a colon', () => 'GET /v1/sessions HTTP/1.1\r\nHost: localhost\r\nbroken\r\n\r\n', 400],
      [
        'a folded header',
        () => `GET /v1/sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer\r\n ${family.key}\r\n\r\n`,
        400,
      ],
      ['no Host', () => 'GET /v1/sessions HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      ['an unknown method', () => 'BOOK /v1/sessions HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
      ['another protocol', () => 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 400],
      [
        'a TLS handshake',
        () => Uint8Array.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
        400,
      ],
      ['CONNECT', () => 'CONNECT example.test:443 HTTP/1.1\r\nHost: example.test:443\r\n\r\n', 400],
      ['a NUL in its path', () => 'GET /v1/\0sessions HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
      [
        '300 KB in chunks',
        () =>
          request(
            'POST /v1/sessions',
            { ...authorized(), 'Transfer-Encoding': 'chunked' },
            `${(300_000).toString(16)}\r\n${'x'.repeat(300_000)}\r\n0\r\n\r\n`,
          ),
        413,
      ],
      [
        '300 KB announced and not sent',
        () => request('POST /v1/sessions', { ...authorized(), 'Content-Length': '300000' }),
        413,
      ],
    ])('is answered in the envelope: %s', async (_, bytes, status) => {
      const answer = readAnswer(await exchange(stack.origin, bytes()));
      expect(answer).toMatchObject({ status, error: { code: 'VALIDATION_ERROR' } });
    });

    it('a request that is smuggled in the body of another is not executed', async () => {
      const hidden = request('POST /v1/sessions', { ...authorized(), 'Content-Length': String(body().length) }, body());
      const smuggling = {
        Authorization: `Bearer ${family.key}`,
        'Content-Type': 'application/json',
        'Content-Length': '4',
        'Transfer-Encoding': 'chunked',
      };
      const received = await exchange(stack.origin, request('POST /v1/sessions', smuggling, `0\r\n\r\n${hidden}`));
      expect(readAnswer(received)).toMatchObject({ status: 400 });
      expect(await family.readAll('/sessions')).toEqual([]);
    });

    it('headers that never end time out with 400', async () => {
      expect(readAnswer(await slowHeaders)).toMatchObject({
        status: 400,
        error: { details: { reason: 'malformed_request' } },
      });
    });

    it('leaves the gateway available to other clients', async () => {
      await until(async () => (await family.get('/sessions')).status === 200, 'a customer is served');
      expect((await new Customer(stack.origin, '', '').get('/health')).status).toBe(200);
      expect(stack.isWhole).toBe(true);
    });
  });
});
