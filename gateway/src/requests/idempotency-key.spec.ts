import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { canonicalJson, fingerprintOf, readIdempotencyKey } from './idempotency-key.js';

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
  it('is the same for two spellings of one body', () => {
    const [one, other] = [
      JSON.parse('{"b":[1,{"d":1,"c":2}],"a":"x"}'),
      JSON.parse(' {"a" : "x", "b":[1.0,{"c":2,"d":1}]}'),
    ];
    expect(fingerprintOf('POST', '/v1/x', one)).toBe(fingerprintOf('POST', '/v1/x', other));
    expect(fingerprintOf('POST', '/v1/x', one)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is another for another method, path or body', () => {
    const prints = [
      fingerprintOf('POST', '/v1/x', { a: 1 }),
      fingerprintOf('PATCH', '/v1/x', { a: 1 }),
      fingerprintOf('POST', '/v1/y', { a: 1 }),
      fingerprintOf('POST', '/v1/x', { a: '1' }),
      fingerprintOf('POST', '/v1/x', { a: [1] }),
      fingerprintOf('POST', '/v1/x', { a: 1, b: null }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });

  it('keeps the order of lists, and names that objects are born with', () => {
    expect(canonicalJson(JSON.parse('{"b":[2,1],"__proto__":1}'))).toBe('{"__proto__":1,"b":[2,1]}');
  });
});
