import { describe, expect, it } from '@jest/globals';
import { MAX_DEPTH, readJsonBody } from './json-body.js';

const read = (text: string) => readJsonBody(Buffer.from(text));
const rejected = (reason: string, field: string) =>
  expect.objectContaining({ reason, details: expect.objectContaining({ field }) });
const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

describe('a body', () => {
  it('is a JSON object; none at all is an empty one', () => {
    expect(read('{"a":{"b":[1,"ü"]}}')).toEqual({ a: { b: [1, 'ü'] } });
    expect(read('')).toEqual({});
    expect(read('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });

  it.each(['{', '{"a":1,}', "{'a':1}", '{"a":01}', 'a', ' ', '{"a":"\u0001"}'])(
    'is rejected when it is no JSON: %j',
    (text) => {
      expect(() => read(text)).toThrow(rejected('invalid_json', 'body'));
    },
  );

  it('is rejected when it is no UTF-8', () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0xc0, 0x80, 0x22],
    ]) {
      expect(() => readJsonBody(Buffer.from(bytes))).toThrow(rejected('invalid_json', 'body'));
    }
  });

  it.each(['[]', '"a"', '1', 'null', 'true', '[{"a":1}]'])('is rejected when it is no object: %s', (text) => {
    expect(() => read(text)).toThrow(rejected('invalid_body', 'body'));
  });

  it(`may be ${MAX_DEPTH} deep and no deeper; brackets in texts do not count`, () => {
    expect(() => read(nested(MAX_DEPTH))).not.toThrow();
    expect(() => read(nested(MAX_DEPTH + 1))).toThrow(rejected('too_deep', 'body'));
    expect(() => read(`{"a":"${'{['.repeat(100)}\\"{{"}`)).not.toThrow();
  });

  it('of a depth that would break a recursive reader is rejected all the same', () => {
    expect(() => read(nested(100_000))).toThrow(rejected('too_deep', 'body'));
    expect(() => read(`{"a":${'['.repeat(200_000)}`)).toThrow(rejected('too_deep', 'body'));
  });

  it('may have a thousand fields in an object and no more; elements of lists do not count', () => {
    const fields = (count: number) =>
      `{"a":{${Array.from({ length: count }, (_, index) => `"f${index}":0`).join(',')}}}`;
    expect(() => read(fields(1_000))).not.toThrow();
    expect(() => read(fields(1_001))).toThrow(rejected('invalid_body', 'body'));
    expect(() => read(`{"a":[${'{"b":0},'.repeat(2_000)}0]}`)).not.toThrow();
  });

  it('may not hold NUL or unpaired surrogates, in values or names', () => {
    expect(() => read('{"notes":"a\\u0000b"}')).toThrow(rejected('forbidden_characters', 'notes'));
    expect(() => read('{"a":{"b":["x","\\ud800"]}}')).toThrow(rejected('forbidden_characters', 'a.b.1'));
    expect(() => read('{"a":{"\\udc00":1}}')).toThrow(rejected('forbidden_characters', 'a'));
    expect(read('{"a":"\\ud83c\\udfca"}')).toEqual({ a: '🏊' });
  });

  it('may not hold a card number, as a text, a number, or behind escapes', () => {
    expect(() => read('{"notes":"pay with 4242 4242 4242 4242"}')).toThrow(rejected('card_number', 'notes'));
    expect(() => read('{"a":[{"b":4242424242424242}]}')).toThrow(rejected('card_number', 'a.0.b'));
    expect(() => read('{"notes":"\\u00342424242424242\\u00342"}')).toThrow(rejected('card_number', 'notes'));
    expect(() => read('{"notes":"first line\\n4242424242424242"}')).toThrow(rejected('card_number', 'notes'));
    expect(() => read('{"x":{"4242424242424242":1}}')).toThrow(rejected('card_number', 'x'));
    expect(() => read('{"a":6304000000000000000}')).toThrow(rejected('card_number', 'a'));
    expect(() => read('{"a":{"b":4242424242424242428}}')).toThrow(rejected('card_number', 'a.b'));
    expect(() => read('{"a":[1,4.242424242424242e15]}')).toThrow(rejected('card_number', 'a.1'));
    expect(() => read('{"a":42424242424242420e-1}')).toThrow(rejected('card_number', 'a'));
    expect(() => read('{"notes":"４２４２ ４２４２ ４２４２ ４２４２"}')).toThrow(rejected('card_number', 'notes'));
    expect(() => read('{"4242 4242 4242 4242":1}')).toThrow(rejected('card_number', 'body'));
  });

  it('may not have a field twice in an object, however its name is written', () => {
    expect(() => read('{"a":1,"b":2,"a":1}')).toThrow(rejected('duplicate_field', 'a'));
    expect(() => read('{"s":[{"date":1,"\\u0064ate":2}]}')).toThrow(rejected('duplicate_field', 'date'));
    expect(() => read('{"__proto__":1,"__proto__":2}')).toThrow(rejected('duplicate_field', '__proto__'));
    expect(() => read('{"":1,"":2}')).toThrow(rejected('duplicate_field', 'body'));
    const body = { a: [{ a: 1 }, { a: 'a' }], b: { a: { a: '"a":1' } } };
    expect(read(JSON.stringify(body))).toEqual(body);
  });

  it('never changes what objects inherit', () => {
    const body = read('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}');
    expect(Object.keys(body)).toEqual(['__proto__', 'constructor']);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});
