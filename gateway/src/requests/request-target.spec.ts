import { describe, expect, it } from '@jest/globals';
import { readQuery, readTarget } from './request-target.js';

describe('a request target', () => {
  it('is split at its first question mark', () => {
    expect(readTarget('/v1/x')).toEqual({ path: '/v1/x', query: '' });
    expect(readTarget('/v1/x?a=1?b')).toEqual({ path: '/v1/x', query: 'a=1?b' });
    expect(readTarget('/v1/x?')).toEqual({ path: '/v1/x', query: '' });
  });

  it('may be absolute, as clients send it to a proxy', () => {
    expect(readTarget('http://api.test:80/v1/x?a=1')).toEqual({ path: '/v1/x', query: 'a=1' });
    expect(readTarget('http://api.test')).toEqual({ path: '/', query: '' });
    expect(readTarget('HTTP://api.test?a')).toEqual({ path: '/', query: 'a' });
  });

  it('never reads a second slash as the start of an authority', () => {
    expect(readTarget('//evil.test/v1').path).toBe('//evil.test/v1');
    expect(readTarget('*').path).toBe('*');
  });
});

const read = (query: string) => Object.fromEntries(readQuery(query));
const rejected = (reason: string, field: string) =>
  expect.objectContaining({ reason, details: expect.objectContaining({ field }) });

describe('a query', () => {
  it('is flat names and decoded values', () => {
    expect(read('')).toEqual({});
    expect(read('a=1&b=x%20y&c=x+y&d=%C3%A9&e=a=b&&f')).toEqual({
      a: '1',
      b: 'x y',
      c: 'x y',
      d: 'é',
      e: 'a=b',
      f: '',
    });
  });

  it('treats brackets as parts of a name', () => {
    expect(read('status[$ne]=x&location%5Blatitude%5D=1&a[]=2')).toEqual({
      'status[$ne]': 'x',
      'location[latitude]': '1',
      'a[]': '2',
    });
  });

  it('rejects a repeated name in any encoding', () => {
    expect(() => readQuery('=1&=2')).toThrow(rejected('duplicate_parameter', 'query'));
    expect(() => readQuery('a=1&b=2&a=1')).toThrow(rejected('duplicate_parameter', 'a'));
    expect(() => readQuery('status=1&st%61tus=2')).toThrow(rejected('duplicate_parameter', 'status'));
  });

  it('rejects percent signs that are no UTF-8', () => {
    for (const query of ['a=%', 'a=%zz', 'a=%ff', 'a=%ed%a0%80', '%=1']) {
      expect(() => readQuery(query)).toThrow(rejected('malformed_url', 'query'));
    }
  });

  it('rejects NUL', () => {
    expect(() => readQuery('search=a%00b')).toThrow(rejected('forbidden_characters', 'search'));
    expect(() => readQuery('%00=1')).toThrow(rejected('forbidden_characters', 'query'));
  });

  it('keeps names of Object.prototype as plain names', () => {
    const values = Object.fromEntries(readQuery('__proto__=x&constructor=y'));
    expect(Object.keys(values)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
  });
});
