import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { validationErrorOf } from '../validation/validation-error.js';
import { dateOrInstant, instantOrDate, patch } from './formats.js';
import { changingFilters, listQuery, several } from './list-query.js';

/** The shortest text that a list can answer as `next_cursor`. */
const CURSOR = `${'Aa0_-'.repeat(4)}Zz9`;

const outcomeOf = (schema: z.ZodType, value: unknown): unknown => {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const { field, reason } = validationErrorOf(parsed.error).details;
  return `${field}: ${reason}`;
};

/** Two digits of the alphabet of identifiers. */
const digits = (n: number): string =>
  [n >> 5, n & 31].map((digit) => '0123456789abcdefghjkmnpqrstvwxyz'[digit]).join('');

describe('the query of a list', () => {
  const query = listQuery({ status: z.enum(['open', 'closed']).optional() });

  it('is twenty from the start when it is empty', () => {
    expect(outcomeOf(query, {})).toEqual({ limit: 20 });
  });

  it.each([
    [{ limit: '1' }, { limit: 1 }],
    [{ limit: '100' }, { limit: 100 }],
    [{ limit: 7 }, { limit: 7 }],
    [{ offset: '0' }, { limit: 20, offset: 0 }],
    [{ offset: '10000' }, { limit: 20, offset: 10_000 }],
    [
      { status: 'open', cursor: CURSOR },
      { status: 'open', limit: 20, cursor: CURSOR },
    ],
  ])('%j is taken', (given, read) => {
    expect(outcomeOf(query, given)).toEqual(read);
  });

  it.each(['0', '-1', '101', '99999', 0, 101])('limit %j is out of range', (limit) => {
    expect(outcomeOf(query, { limit })).toBe('limit: out_of_range');
  });

  it.each(['-1', '10001', '99999', -1, 10_001])('offset %j is out of range', (offset) => {
    expect(outcomeOf(query, { offset })).toBe('offset: out_of_range');
  });

  it.each(['1e2', '0x10', ' 5', '5 ', '05', '-0', '+5', '5.0', '', '٥', 'all', '9'.repeat(30), 5.5, null, { $gt: 1 }])(
    'limit or offset %j is no integer: invalid_type',
    (given) => {
      expect(outcomeOf(query, { limit: given })).toBe('limit: invalid_type');
      expect(outcomeOf(query, { offset: given })).toBe('offset: invalid_type');
    },
  );

  it.each([{ limit: 0 }, { limit: 101 }, { offset: -1 }, { offset: 10_001 }])(
    '%j is rejected as a number, too',
    (given) => {
      expect(query.safeParse(given).success).toBe(false);
    },
  );

  it('accepts a cursor or an offset, not both', () => {
    expect(outcomeOf(query, { cursor: 'abc', offset: '0' })).toBe('cursor: mutually_exclusive');
    expect(outcomeOf(query, { cursor: '', offset: '0' })).toBe('cursor: mutually_exclusive');
  });

  it.each(['', 'x', 'null', CURSOR.slice(1), `${CURSOR}=`, `${CURSOR}/`])(
    'rejects %j, which is no cursor',
    (cursor) => {
      expect(outcomeOf(query, { cursor })).toBe('cursor: invalid_cursor');
    },
  );

  it('rejects a cursor longer than any valid one', () => {
    expect(outcomeOf(query, { cursor: 'x'.repeat(2_049) })).toBe('cursor: invalid_cursor');
  });

  it.each(['sort', '__proto__', 'status[$ne]'])('rejects the parameter %s', (name) => {
    expect(outcomeOf(query, JSON.parse(`{"${name}":"x"}`))).toBe(`${name}: unknown_field`);
  });
});

describe('the filters of a list of changing objects', () => {
  const query = listQuery({
    ...changingFilters('pool'),
    status: several(['open', 'closed']).optional(),
    date_from: instantOrDate.optional(),
    date_to: instantOrDate.optional(),
  });
  const [first, second] = ['pool_01k5zr8q3ve9mbf6w2n0x4ht7c', 'pool_01k5zr8q3ve9mbf6w2n0x4ht7d'];

  it('accept several ids and values, each once', () => {
    expect(outcomeOf(query, { ids: `${first},${second},${first}`, status: 'open,closed,open' })).toEqual({
      limit: 20,
      ids: [first, second],
      status: ['open', 'closed'],
    });
  });

  it('accept 100 ids and reject more: too_long', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => first!.slice(0, -2) + digits(at)).join(',');
    expect(query.safeParse({ ids: ids(100) }).success).toBe(true);
    expect(outcomeOf(query, { ids: ids(101) })).toBe('ids: too_long');
    expect(outcomeOf(query, { ids: 'x'.repeat(5_000) })).toBe('ids: too_long');
  });

  it.each(['', 'x', `${first},`, `${first} ,${second}`, 'mem_01k5zr8q3ve9mbf6w2n0x4ht7c'])(
    'reject ids %j: invalid_id',
    (ids) => {
      expect(outcomeOf(query, { ids })).toBe('ids: invalid_id');
    },
  );

  it.each(['', 'open,', 'open,gone', 'OPEN'])('reject the values %j: invalid_value', (status) => {
    expect(outcomeOf(query, { status })).toBe('status: invalid_value');
  });

  it('list the values that are allowed', () => {
    const { error } = query.safeParse({ status: 'gone' }, { reportInput: true });
    expect(validationErrorOf(error!, query).details.errors).toEqual([
      {
        field: 'status',
        reason: 'invalid_value',
        message: 'status must be one or several, comma-separated, of open, closed; you sent gone.',
        allowed: ['open', 'closed'],
      },
    ]);
  });

  it.each(['date', 'updated'])('reject a range of %s whose end is before its start: range_reversed', (range) => {
    const between = (from: string, to: string) => ({ [`${range}_from`]: from, [`${range}_to`]: to });
    expect(outcomeOf(query, between('2027-03-02', '2027-03-01'))).toBe(`${range}_to: range_reversed`);
    expect(outcomeOf(query, between('2027-03-01T12:00:00+02:00', '2027-03-01T09:59:00Z'))).toBe(
      `${range}_to: range_reversed`,
    );
    expect(query.safeParse(between('2027-03-01T12:00:00+02:00', '2027-03-01T10:00:00Z')).success).toBe(true);
    expect(query.safeParse(between('2027-03-01', '2027-03-02')).success).toBe(true);
  });
});

describe('a range of dates in the time zone of a query', () => {
  const query = listQuery({ date_from: dateOrInstant.optional(), date_to: dateOrInstant.optional() });

  it('is rejected when its end is before its start in every zone: range_reversed', () => {
    const reversed = 'date_to: range_reversed';
    expect(outcomeOf(query, { date_from: '2027-03-02', date_to: '2027-03-01' })).toBe(reversed);
    expect(query.safeParse({ date_from: '2027-03-01', date_to: '2027-03-02' }).success).toBe(true);
    expect(query.safeParse({ date_from: '2027-03-02', date_to: '2027-03-01T23:00:00Z' }).success).toBe(true);
  });
});

describe('a patch', () => {
  const changes = patch({ name: z.string(), notes: z.string().nullable() });

  it('accepts any of its fields, null where a field can be emptied', () => {
    expect(outcomeOf(changes, { notes: null })).toEqual({ notes: null });
    expect(outcomeOf(changes, { name: 'Ada' })).toEqual({ name: 'Ada' });
  });

  it.each([
    [{}, 'body: empty_patch'],
    [{ name: null }, 'name: invalid_type'],
    [{ status: 'cancelled' }, 'status: unknown_field'],
    [[], 'body: invalid_type'],
    [null, 'body: invalid_type'],
  ])('%j is rejected', (given, outcome) => {
    expect(outcomeOf(changes, given)).toBe(outcome);
  });
});
