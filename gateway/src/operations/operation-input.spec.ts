import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@swim/platform';
import { PAGES } from '../public-pages.js';
import { paramsOf, Router } from '../router.js';
import { ROUTES } from '../routes.js';
import { bodyField } from './input-errors.js';
import {
  canonicalJson,
  checkedInput,
  fingerprintOf,
  queryFields,
  readDryRun,
  readIdempotencyKey,
} from './operation-input.js';

const router = new Router(ROUTES, PAGES);
const account = newId('acct');

function checked(method: string, path: string, fields: Record<string, unknown>): Record<string, unknown> {
  const match = router.match(method, path);
  if (match.kind !== 'operation') throw new Error(`${method} ${path} is no route`);
  return checkedInput(match.endpoint, match.values, fields);
}
const rejected = (reason: string, field: string) =>
  expect.objectContaining({ reason, details: expect.objectContaining({ field }) });

describe('the input of an operation', () => {
  it('is the path beside the query, as text', () => {
    const instructor = newId('ins');
    expect(checked('GET', `/v1/sessions`, { limit: '5', instructor_id: instructor })).toEqual({
      limit: '5',
      instructor_id: instructor,
    });
    expect(checked('GET', `/v1/accounts/${account}/bookings`, { limit: '5' })).toEqual({
      account_id: account,
      limit: '5',
    });
  });

  it('of a list has the parameters metadata[KEY] as one object, whatever the key', () => {
    const fieldsOf = (...pairs: [string, string][]) => queryFields(new Map(pairs));
    expect(fieldsOf(['limit', '5'], ['metadata[crm_id]', '47'], ['metadata[a[b]]', ''])).toEqual({
      limit: '5',
      metadata: { crm_id: '47', 'a[b]': '' },
    });
    expect(() => checked('GET', '/v1/sessions', fieldsOf(['metadata[]', 'x']))).toThrow(
      rejected('unknown_field', 'metadata[]'),
    );
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const reserved = fieldsOf([`metadata[${name}]`, 'x']);
      expect(() => checked('GET', '/v1/sessions', reserved)).toThrow(rejected('invalid_value', `metadata.${name}`));
    }
    expect(() => checked('GET', '/v1/events', fieldsOf(['metadata[a]', 'x']))).toThrow(
      rejected('unknown_field', 'metadata'),
    );
    expect(() => checked('GET', '/v1/sessions', fieldsOf(['metadata[a][$ne]', 'x']))).toThrow(
      rejected('unknown_field', 'metadata[a][$ne]'),
    );
    expect(() => fieldsOf(['metadata', 'x'], ['metadata[a]', 'x'])).toThrow(
      rejected('duplicate_parameter', 'metadata'),
    );
  });

  it('of a list has the parameter metadata as the object that it spells out in JSON', () => {
    const metadataOf = (text: string) => queryFields(new Map([['metadata', text]]));
    expect(checked('GET', '/v1/sessions', metadataOf('{"crm_id": "47"}'))).toEqual({ metadata: { crm_id: '47' } });
    expect(() => checked('GET', '/v1/sessions', metadataOf('{"__proto__": "x"}'))).toThrow(
      rejected('invalid_value', 'metadata.__proto__'),
    );
    for (const text of ['{', '[]', '47', '{"crm_id": 47}'])
      expect(() => checked('GET', '/v1/sessions', metadataOf(text))).toThrow(
        expect.objectContaining({ reason: 'invalid_type' }),
      );
  });

  it('is the path beside the body', () => {
    const session = newId('ses');
    expect(checked('POST', `/v1/sessions/${session}/cancel`, {})).toEqual({ session_id: session });
    expect(checked('POST', `/v1/sessions/${session}/cancel`, { reason: 'Flu' })).toEqual({
      session_id: session,
      reason: 'Flu',
    });
  });

  it('has the body of a PATCH as changes, a name that no error contains', () => {
    const session = newId('ses');
    const path = `/v1/sessions/${session}`;
    expect(checked('PATCH', path, { notes: 'x' })).toEqual({ session_id: session, changes: { notes: 'x' } });
    expect(() => checked('PATCH', path, {})).toThrow(rejected('empty_patch', 'body'));
    // The service compares it with the session's.
    expect(checked('PATCH', path, { status: 'cancelled' })).toEqual({
      session_id: session,
      changes: { status: 'cancelled' },
    });
    expect(() => checked('PATCH', path, { colour: 'red' })).toThrow(rejected('unknown_field', 'colour'));
    expect(() => checked('PATCH', path, { session_id: session })).toThrow(rejected('unknown_field', 'session_id'));
    expect(bodyField('changes.a.b')).toBe('a.b');
    expect(bodyField('changes')).toBe('body');
    expect(bodyField('changeset')).toBe('changeset');
  });

  it('leaves out an account_id that only restricts the key', () => {
    const method = newId('pm');
    expect(checked('DELETE', `/v1/accounts/${account}/payment-methods/${method}`, {})).toEqual({
      payment_method_id: method,
    });
  });

  it('never lets the query or the body replace the path', () => {
    expect(() => checked('GET', `/v1/accounts/${account}/bookings`, { account_id: newId('acct') })).toThrow(
      rejected('unknown_field', 'account_id'),
    );
    expect(() => checked('POST', `/v1/accounts/${account}/members`, { account_id: account })).toThrow(
      rejected('unknown_field', 'account_id'),
    );
  });

  it('is resource_not_found when the path has an invalid id', () => {
    for (const id of ['x', 'ses_1', newId('ins'), '{"$ne":null}', `${newId('ses')}\0`]) {
      expect(() => checked('GET', `/v1/sessions/${encodeURIComponent(id)}`, {})).toThrow(
        expect.objectContaining({ reason: 'resource_not_found' }),
      );
      expect(() => checked('PATCH', `/v1/sessions/${encodeURIComponent(id)}`, { nonsense: 1 })).toThrow(
        expect.objectContaining({ reason: 'resource_not_found' }),
      );
    }
  });

  it('rejects metadata with names of Object.prototype: invalid_value', () => {
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const body = JSON.parse(`{"metadata":{"${name}":"x"}}`) as Record<string, unknown>;
      const wrong = rejected('invalid_value', `metadata.${name}`);
      expect(() => checked('POST', '/v1/webhook-endpoints', { url: 'https://example.com', ...body })).toThrow(wrong);
    }
  });

  it('rejects metadata whose key zod drops, in a patch as well: invalid_value', () => {
    const body = JSON.parse('{"metadata":{"__proto__":"x"}}') as Record<string, unknown>;
    const wrong = rejected('invalid_value', 'metadata.__proto__');
    expect(() => checked('PATCH', `/v1/accounts/${account}`, body)).toThrow(wrong);
  });

  it('rejects names of Object.prototype as unknown fields', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const body = JSON.parse(`{"${name}":{"x":1}}`) as Record<string, unknown>;
      expect(() => checked('POST', `/v1/sessions/${newId('ses')}/cancel`, body)).toThrow(
        rejected('unknown_field', name),
      );
      expect(() => checked('PATCH', `/v1/sessions/${newId('ses')}`, body)).toThrow(rejected('unknown_field', name));
    }
  });
});

describe('dry_run', () => {
  it('is true or false, and the only parameter of a write', () => {
    expect(readDryRun(new Map())).toBe(false);
    expect(readDryRun(new Map([['dry_run', 'false']]))).toBe(false);
    expect(readDryRun(new Map([['dry_run', 'true']]))).toBe(true);
    for (const value of ['', '1', 'TRUE', 'yes'])
      expect(() => readDryRun(new Map([['dry_run', value]]))).toThrow(rejected('invalid_value', 'dry_run'));
    expect(() => readDryRun(new Map([['limit', '1']]))).toThrow(rejected('unknown_field', 'limit'));
    expect(() => readDryRun(new Map([['', '1']]))).toThrow(rejected('unknown_field', 'query'));
  });
});

const keyOf = (key?: string) =>
  readIdempotencyKey({ headers: key === undefined ? {} : { 'idempotency-key': key } } as unknown as IncomingMessage);

describe('an idempotency key', () => {
  it('is 1 to 255 printable ASCII characters', () => {
    expect(keyOf()).toBeNull();
    for (const key of ['a', 'k'.repeat(255), 'a b/c:~!']) expect(keyOf(key)).toBe(key);
    for (const key of ['', 'k'.repeat(256), 'é', 'a\tb']) {
      expect(() => keyOf(key)).toThrow(expect.objectContaining({ reason: 'invalid_idempotency_key' }));
    }
  });
});

describe('a fingerprint', () => {
  const printOf = (method: 'POST' | 'PATCH', path: string, body: Record<string, unknown>, ...values: string[]) =>
    fingerprintOf({ method, path, params: paramsOf(path) }, values, body);

  it('is equal for two serializations of one body', () => {
    const [one, other] = [
      JSON.parse('{"b":[1,{"d":1,"c":2}],"a":"x"}'),
      JSON.parse(' {"a" : "x", "b":[1.0,{"c":2,"d":1}]}'),
    ];
    expect(printOf('POST', '/v1/x', one)).toBe(printOf('POST', '/v1/x', other));
    expect(printOf('POST', '/v1/x', one)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('differs for another method, path or body', () => {
    const prints = [
      printOf('POST', '/v1/x', { a: 1 }),
      printOf('PATCH', '/v1/x', { a: 1 }),
      printOf('POST', '/v1/y', { a: 1 }),
      printOf('POST', '/v1/x', { a: '1' }),
      printOf('POST', '/v1/x', { a: [1] }),
      printOf('POST', '/v1/x', { a: 1, b: null }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });

  it('has the decoded values of the path', () => {
    const cancel = (path: string) => {
      const match = router.match('POST', path);
      if (match.kind !== 'operation') throw new Error(`${path} is no route`);
      return fingerprintOf(match.endpoint, match.values, {});
    };
    const id = newId('ses');
    const print = cancel(`/v1/sessions/${id}/cancel`);
    expect(cancel(`/v1/sessions/${id.replace('s', '%73')}/cancel`)).toBe(print);
    expect(cancel(`/v1/sessions/${newId('ses')}/cancel`)).not.toBe(print);
  });

  it('keeps the order of lists, and names of Object.prototype', () => {
    expect(canonicalJson(JSON.parse('{"b":[2,1],"__proto__":1}'))).toBe('{"__proto__":1,"b":[2,1]}');
  });
});
