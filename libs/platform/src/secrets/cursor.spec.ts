import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../errors/app-error.js';
import { CursorCodec, type CursorScope } from './cursor.js';

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const codec = new CursorCodec({ CURSOR_SECRET: randomBytes(32) });
const scope: CursorScope = {
  list: 'booking.list',
  accountId: 'acct_1',
  env: 'test',
  filters: { status: 'confirmed', member_id: 'mem_1' },
};
const position = ['2027-03-01T16:00:00.000Z', 'bkg_1'];

const isRejected = (cursor: string, requested: CursorScope = scope, by = codec): boolean => {
  try {
    by.decode(cursor, requested);
    return false;
  } catch (error) {
    return error instanceof AppError && error.reason === 'invalid_cursor' && error.details.field === 'cursor';
  }
};

describe('a cursor', () => {
  it('decodes to its position', () => {
    const positions = fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 4 });
    const filters = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()));
    fc.assert(
      fc.property(positions, filters, (given, filtered) => {
        const bound = { ...scope, filters: filtered };
        expect(codec.decode(codec.encode(given, bound), bound)).toEqual(given);
      }),
    );
  });

  it('is rejected when any single character differs', () => {
    const cursor = codec.encode(position, scope);
    for (let place = 0; place < cursor.length; place++) {
      for (const character of BASE64URL) {
        if (character === cursor[place]) continue;
        expect(isRejected(cursor.slice(0, place) + character + cursor.slice(place + 1))).toBe(true);
      }
    }
  });

  it('is rejected when truncated, extended or encoded differently', () => {
    const cursor = codec.encode(position, scope);
    for (let length = 0; length < cursor.length; length++) expect(isRejected(cursor.slice(0, length))).toBe(true);
    for (const odd of [`${cursor}A`, `${cursor}=`, ` ${cursor}`, `${cursor}\n`, `${cursor}!`])
      expect(isRejected(odd)).toBe(true);
  });

  it('is never decoded from junk, which always throws invalid_cursor', () => {
    fc.assert(fc.property(fc.string(), (junk) => expect(isRejected(junk)).toBe(true)));
    expect(isRejected(randomBytes(64).toString('base64url'))).toBe(true);
  });

  it.each([
    ['account', { accountId: 'acct_2' }],
    ['environment', { env: 'live' }],
    ['list', { list: 'payment.list' }],
    ['value of a filter', { filters: { ...scope.filters, status: 'pending' } }],
    ['set of filters, fewer', { filters: { status: 'confirmed' } }],
    ['set of filters, more', { filters: { ...scope.filters, instructor_id: 'ins_1' } }],
    ['set of filters, none', { filters: {} }],
    ['type of a filter', { filters: { ...scope.filters, member_id: ['mem_1'] } }],
  ])('of another %s is rejected', (_, other) => {
    expect(isRejected(codec.encode(position, scope), { ...scope, ...other })).toBe(true);
  });

  it('fits the same filters in any order', () => {
    const filters = { status: ['pending', 'confirmed'], metadata: { a: '1', b: '2' } };
    const reordered = { metadata: { b: '2', a: '1' }, status: ['confirmed', 'pending'] };
    const cursor = codec.encode(position, { ...scope, filters });
    expect(codec.decode(cursor, { ...scope, filters: reordered })).toEqual(position);
    expect(isRejected(cursor, { ...scope, filters: { ...filters, metadata: { a: '2', b: '1' } } })).toBe(true);
  });

  it('of values that only concatenate to the same text is rejected', () => {
    const cursor = codec.encode(position, { ...scope, filters: { a: 'x","b":"y' } });
    expect(isRejected(cursor, { ...scope, filters: { a: 'x', b: 'y' } })).toBe(true);
    expect(
      isRejected(codec.encode(position, { ...scope, list: 'a', accountId: 'bc' }), {
        ...scope,
        list: 'ab',
        accountId: 'c',
      }),
    ).toBe(true);
  });

  it('of another secret is rejected', () => {
    expect(isRejected(codec.encode(position, scope), scope, new CursorCodec({ CURSOR_SECRET: randomBytes(32) }))).toBe(
      true,
    );
  });

  it('ignores the order of filters, and absent ones', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (filters) => {
        const cursor = codec.encode(position, { ...scope, filters });
        const reversed = Object.fromEntries(Object.entries(filters).reverse());
        expect(codec.decode(cursor, { ...scope, filters: { ...reversed, 'not set': undefined } })).toEqual(position);
      }),
    );
  });
});
