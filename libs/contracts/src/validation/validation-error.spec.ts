import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { validationErrorOf } from './validation-error.js';

const reject = (schema: z.ZodType, value: unknown) => {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) throw new Error('It was not rejected.');
  return validationErrorOf(parsed.error, schema);
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

  it('names the range of the field for an integer that JavaScript cannot count exactly', () => {
    for (const length of [2 ** 53, -(2 ** 53)])
      expect(reject(lesson, { ...sound, length }).message).toMatch(/^length must be (?:an integer )?from 15 to 240/);
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

  it('names a field by at most a hundred characters, none of them cut in two', () => {
    const [error] = reject(lesson, { ...sound, [`x${'🏊'.repeat(100)}`]: 1 }).details.errors!;
    expect(error!.field.isWellFormed()).toBe(true);
    expect(error!.field.length).toBeLessThanOrEqual(100);
    expect(error!.field).toMatch(/^x(?:🏊)+$/u);
  });

  it('describes the first field first, and names it in its message', () => {
    expect(reject(lesson, { ...sound, length: 1, tags: [] })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'length must be from 15 to 240; you sent 1.',
      details: { field: 'length', reason: 'too_small' },
    });
  });

  it('of a value that is no object names the body', () => {
    expect(reject(lesson, [])).toMatchObject({
      message: 'body must be an object; you sent an array.',
      details: { field: 'body', reason: 'invalid_type' },
    });
  });

  it('does not call a patch empty whose only field is unknown', () => {
    const changes = z.strictObject({ a: z.string() }).partial();
    const patch = changes.refine((body) => Object.keys(body).length > 0, { error: 'empty_patch' });
    expect(reasons(patch, { b: 1 })).toEqual({ b: 'unknown_field' });
    expect(reasons(patch, {})).toEqual({ body: 'empty_patch' });
  });

  it.each([
    ['lenght', 'length'],
    ['titles', 'title'],
    ['plce', 'place'],
    ['tabs', 'tags'],
    ['tags[]', 'tags'],
    ['Title', 'title'],
  ])('of the unknown field %s asks whether %s is meant', (given, meant) => {
    expect(reject(lesson, { ...sound, [given]: 1 }).message).toBe(`${given} is unknown. Did you mean ${meant}?`);
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
