import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { REASONS } from './errors.js';
import * as contracts from './index.js';
import type { Operation } from './operation.js';
import { validationErrorOf } from './validation-error.js';

const reject = (schema: z.ZodType, value: unknown) => {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) throw new Error('It was not rejected.');
  return validationErrorOf(parsed.error);
};

const reasons = (schema: z.ZodType, value: unknown) =>
  Object.fromEntries(reject(schema, value).details.errors!.map(({ field, reason }) => [field, reason]));

const lesson = z.strictObject({
  title: z.string().min(2).max(5),
  length: z.int().min(15).max(240),
  tags: z.array(z.string()).min(1).max(2),
  place: z.strictObject({ kind: z.enum(['pool', 'home']) }),
  times: z.array(z.strictObject({ start: z.string() })),
  mail: z.email().optional(),
});
const sound = { title: 'Crawl', length: 30, tags: ['a'], place: { kind: 'pool' }, times: [] };

describe('a validation error', () => {
  it('names each absent field as required', () => {
    expect(reasons(lesson, {})).toEqual({
      title: 'required',
      length: 'required',
      tags: 'required',
      place: 'required',
      times: 'required',
    });
  });

  it('distinguishes null and a wrong type from an absent field', () => {
    expect(reasons(lesson, { ...sound, title: null, length: '30', tags: {}, times: 'x' })).toEqual({
      title: 'invalid_type',
      length: 'invalid_type',
      tags: 'invalid_type',
      times: 'invalid_type',
    });
  });

  it('reports short and long for texts and lists, small and large for numbers', () => {
    expect(reasons(lesson, { ...sound, title: 'x', length: 1, tags: [] })).toEqual({
      title: 'too_short',
      length: 'too_small',
      tags: 'too_short',
    });
    expect(reasons(lesson, { ...sound, title: 'longer', length: 1e9, tags: ['a', 'b', 'c'] })).toEqual({
      title: 'too_long',
      length: 'too_large',
      tags: 'too_long',
    });
  });

  it('reports a value that is not allowed, and one of another format', () => {
    expect(reasons(lesson, { ...sound, place: { kind: 'moon' }, mail: 'nobody' })).toEqual({
      'place.kind': 'invalid_value',
      mail: 'invalid_format',
    });
  });

  it('writes paths through lists and objects with dots', () => {
    expect(reasons(lesson, { ...sound, times: [{ start: 'x' }, { start: 5 }] })).toEqual({
      'times.1.start': 'invalid_type',
    });
  });

  it('names every unknown field, also deep inside and under odd names', () => {
    const given = JSON.parse(
      '{"title":"Crawl","length":30,"tags":["a"],"times":[],"place":{"kind":"pool","x":1,"y":2},"__proto__":{},"$where":1}',
    );
    expect(reject(lesson, given).details.errors!.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      'place.x unknown_field',
      'place.y unknown_field',
      '__proto__ unknown_field',
      '$where unknown_field',
    ]);
  });

  it('describes the first field first, and names it in its message', () => {
    expect(reject(lesson, { ...sound, length: 1, tags: [] })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'length: This value is too small.',
      details: { field: 'length', reason: 'too_small' },
    });
  });

  it('of a value that is no object names no field', () => {
    expect(reject(lesson, [])).toMatchObject({
      message: REASONS.invalid_type.message,
      details: { field: '', reason: 'invalid_type' },
    });
  });

  it('lists at most twenty fields', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, 1]));
    expect(reject(lesson, { ...sound, ...many }).details.errors).toHaveLength(20);
  });

  it('of nested alternatives has one of our reasons at the path where the alternatives differ', () => {
    const cat = z.object({ kind: z.literal('cat'), lives: z.int() });
    const dog = z.object({ kind: z.literal('dog'), owner: z.union([z.string(), z.object({ name: z.string() })]) });
    const pet = z.object({ pet: z.union([cat, dog, z.union([z.int(), z.null()])]) });
    expect(reasons(pet, { pet: { kind: 'dog', owner: 5 } })).toEqual({ pet: 'invalid_value' });
    expect(reasons(pet, {})).toEqual({ pet: 'required' });
  });

  it('has the reason that a schema defines', () => {
    const range = z.object({ to: z.string() }).refine(() => false, { error: 'range_reversed', path: ['to'] });
    expect(reject(range, { to: 'x' }).details).toMatchObject({ field: 'to', reason: 'range_reversed' });
  });
});

const isOperation = (thing: unknown): thing is Operation =>
  typeof thing === 'object' && thing !== null && 'subject' in thing;
const operations = Object.values<unknown>(contracts).filter(isOperation);

const isOurs = (reason: string, message: string | undefined): boolean =>
  reason in REASONS && REASONS[reason as keyof typeof REASONS].message === message;

describe('every operation', () => {
  it('is included in these tests', () => {
    expect(operations.length).toBeGreaterThan(20);
  });

  it('has a unique subject of its service and name', () => {
    expect(new Set(operations.map(({ subject }) => subject)).size).toBe(operations.length);
    for (const { name, service, subject } of operations) {
      expect(subject).toBe(`rpc.${name}`);
      expect(name.startsWith(`${service}.`)).toBe(true);
    }
  });

  it('has known reasons only', () => {
    for (const { name, errors } of operations)
      expect([name, errors.filter((reason) => !(reason in REASONS))]).toEqual([name, []]);
  });

  it('rejects an unknown field', () => {
    for (const { name, input } of operations)
      expect([name, reasons(input, { surely_not_known: 1 }).surely_not_known]).toEqual([name, 'unknown_field']);
  });

  it('of a PATCH rejects an empty one', () => {
    const changing = operations.filter(({ input }) => 'shape' in input && 'changes' in (input.shape as object));
    expect(changing.length).toBeGreaterThan(2);
    for (const { name, input } of changing)
      expect([name, reasons(input, { changes: {} }).changes]).toEqual([name, 'empty_patch']);
  });

  it('describes any value in our own messages, and names only fields of the input', () => {
    for (const { name, input } of operations) {
      const known = 'shape' in input ? Object.keys(input.shape as object) : [];
      const junk = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...known, 'x'), fc.jsonValue()));
      fc.assert(
        fc.property(junk, (given) => {
          const parsed = input.safeParse(given, { reportInput: true });
          if (parsed.success) return;
          const { message, details } = validationErrorOf(parsed.error);
          const odd = details.errors!.filter(({ reason, message: text }) => !isOurs(reason, text));
          expect([name, odd]).toEqual([name, []]);
          expect(message.endsWith(details.errors![0]!.message!)).toBe(true);
        }),
        { numRuns: 20 },
      );
    }
  });
});
