import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { JsonSchema } from './schema.rules.ts';
import type { Collection, Snapshot } from './snapshot.ts';
import { findingsOf } from './upgrade.rules.ts';

const NOTHING: Snapshot = {
  operations: {},
  events: {},
  subscriptions: {},
  streams: {},
  consumers: {},
  collections: {},
};
const schema = (of: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(of, { io, unrepresentable: 'any' }) as JsonSchema;

const found = (base: Partial<Snapshot>, head: Partial<Snapshot>) =>
  findingsOf({ ...NOTHING, ...base }, { ...NOTHING, ...head }).map(
    ({ level, where, text }) => `${level} ${where}: ${text}`,
  );

interface Contract {
  input?: z.ZodType;
  output?: z.ZodType;
  callers?: string[];
  kind?: string;
}
const operation = ({
  input = z.strictObject({}),
  output = z.object({}),
  callers = ['booking'],
  kind = 'read',
}: Contract) => ({
  operations: { 'x.do': { kind, callers, input: schema(input, 'input'), output: schema(output, 'output') } },
});
const ofInput = (base: z.ZodType, head: z.ZodType, callers?: string[]) =>
  found(
    operation({ input: base, ...(callers && { callers }) }),
    operation({ input: head, ...(callers && { callers }) }),
  );
const ofOutput = (base: z.ZodType, head: z.ZodType, callers?: string[]) =>
  found(
    operation({ output: base, ...(callers && { callers }) }),
    operation({ output: head, ...(callers && { callers }) }),
  );

const text = z.string().max(10);
const level = z.enum(['a', 'b']);

describe('an operation', () => {
  it('that stays the same is no finding', () => {
    const same = operation({
      input: z.strictObject({ text, level: level.nullable(), list: z.array(z.union([text, z.int()])) }),
    });
    expect(found(same, same)).toEqual([]);
  });

  it('must not be removed, change its kind or lose a caller', () => {
    expect(found(operation({}), {})).toEqual(['break x.do: is removed: processes of BASE request it']);
    expect(found(operation({}), operation({ kind: 'write' }))).toEqual(['break x.do: is a write, and was a read']);
    expect(found(operation({ callers: ['booking', 'people'] }), operation({}))).toEqual([
      'break x.do: may not be requested by people any more, which does so in BASE',
    ]);
  });

  it('that services newly request is served before', () => {
    const text = 'is newly requested by people';
    expect(found(operation({}), operation({ callers: ['booking', 'people'] }))).toEqual([
      `order x.do: ${text}: NATS gets its new permissions before`,
    ]);
    expect(found({}, operation({ callers: ['gateway', 'people'] }))).toEqual([
      `order x.do: ${text}: its service is replaced before`,
    ]);
    expect(found({}, operation({ callers: ['gateway'] }))).toEqual([]);
  });
});

describe('a request', () => {
  const of = (shape: z.ZodRawShape) => z.strictObject({ text, ...shape });

  it.each<[string, z.ZodType, z.ZodType, string[]]>([
    ['a new required field', of({}), of({ n: z.int() }), ['break x.do: request n is required, and was not']],
    [
      'an optional field that becomes required',
      of({ n: z.int().optional() }),
      of({ n: z.int() }),
      ['break x.do: request n is required, and was not'],
    ],
    ['a removed field', of({ n: z.int().optional() }), of({}), ['break x.do: request n is not accepted any more']],
    [
      'null that is not accepted any more',
      of({ n: level.nullable() }),
      of({ n: level }),
      ['break x.do: request n does not accept null any more'],
    ],
    [
      'a value that is not accepted any more',
      of({ level }),
      of({ level: z.enum(['a']) }),
      ['break x.do: request level does not accept b any more'],
    ],
    [
      'a narrower limit',
      z.strictObject({ text }),
      z.strictObject({ text: z.string().max(5) }),
      ['break x.do: request text accepts less: maxLength is 5, and was 10'],
    ],
    [
      'another pattern',
      of({ n: z.string().regex(/^a+$/) }),
      of({ n: z.string().regex(/^a$/) }),
      ['break x.do: request n has another pattern, which may accept less'],
    ],
    [
      'a pattern with a word more',
      of({ n: z.string().regex(/^(?:a|b)(?:,(?:a|b))*$/) }),
      of({ n: z.string().regex(/^(?:a|b|c)(?:,(?:a|b|c))*$/) }),
      [],
    ],
    [
      'another type',
      of({ n: z.int() }),
      of({ n: z.string() }),
      ['break x.do: request n does not accept integer any more'],
    ],
    [
      'a break inside of a list',
      of({ l: z.array(z.strictObject({})) }),
      of({ l: z.array(z.strictObject({ n: z.int() })) }),
      ['break x.do: request l[].n is required, and was not'],
    ],
    [
      'a wider limit and type',
      z.strictObject({ text, n: z.int() }),
      z.strictObject({ text: z.string().max(20), n: z.number() }),
      [],
    ],
    [
      'a new optional field of an operation between services',
      of({}),
      of({ n: z.int().optional() }),
      ['order x.do: request n is new'],
    ],
    [
      'a new value of one',
      of({ level }),
      of({ level: z.enum(['a', 'b', 'c']) }),
      ['order x.do: request level accepts c too'],
    ],
  ])('%s', (_, base, head, expected) => {
    expect(ofInput(base, head)).toEqual(expected);
  });

  it('of clients may get optional fields: they send them after the update', () => {
    expect(ofInput(of({}), of({ n: z.int().optional() }), ['gateway'])).toEqual([]);
  });
});

describe('an answer', () => {
  it.each<[string, z.ZodType, z.ZodType, string[]]>([
    ['a removed field', z.object({ text }), z.object({}), ['break x.do: answer text is removed']],
    [
      'a field that may be absent',
      z.object({ text }),
      z.object({ text: text.optional() }),
      ['break x.do: answer text may be absent'],
    ],
    [
      'a field that may be null',
      z.object({ text }),
      z.object({ text: text.nullable() }),
      ['break x.do: answer text may be null, which it never was'],
    ],
    ['a new field that other services read', z.object({}), z.object({ text }), ['order x.do: answer text is new']],
    ['a new value, which no reader refuses', z.object({ level }), z.object({ level: z.enum(['a', 'b', 'c']) }), []],
    ['null that does not come any more', z.object({ text: text.nullable() }), z.object({ text }), []],
  ])('%s', (_, base, head, expected) => {
    expect(ofOutput(base, head)).toEqual(expected);
  });

  it('of clients may get new fields', () => {
    expect(ofOutput(z.object({}), z.object({ text }), ['gateway'])).toEqual([]);
  });

  it('of a recursive schema is compared to its end', () => {
    const tree = (leaf: z.ZodType): z.ZodType => {
      const node: z.ZodType = z.object({ leaf, nodes: z.lazy(() => z.array(node)) });
      return node;
    };
    expect(ofOutput(tree(text), tree(text))).toEqual([]);
    expect(ofOutput(tree(text), tree(z.int()))).toContain('break x.do: answer leaf may be integer, which it never was');
  });
});

describe('events', () => {
  const event = (of: z.ZodRawShape = {}, kind = 'pool', service = 'x') => ({
    service,
    object: schema(z.object({ object: z.literal(kind), ...of }), 'output'),
  });

  it('must not be removed, lose fields or change their service', () => {
    expect(found({ events: { 'pool.made': event() } }, {})).toEqual([
      'break pool.made: is removed: services of BASE consume it',
    ]);
    expect(
      found({ events: { 'pool.made': event({ text }) } }, { events: { 'pool.made': event({}, 'pool', 'y') } }),
    ).toEqual(['break pool.made: is published by y, and was by x', 'break pool.made: event text is removed']);
    expect(found({ events: { 'pool.made': event() } }, { events: { 'pool.made': event({ text }) } })).toEqual([]);
  });

  it('are consumed on, and a new one together with those that may be in its message', () => {
    const events = { 'pool.made': event(), 'pool.gone': event(), 'car.made': event({}, 'car') };
    const before = { events, subscriptions: { y: ['car.made'], z: ['*'] } };
    expect(found(before, { events, subscriptions: { y: [], z: ['*'] } })).toEqual([
      'break y: does not consume car.made any more, as BASE does',
    ]);
    expect(found(before, { events, subscriptions: { y: ['car.made', 'pool.made'], z: ['*'] } })).toEqual([
      'break y: consumes pool.made, which BASE may publish in one message with pool.gone: consume these too',
    ]);
    expect(found(before, { events, subscriptions: { y: ['car.made', 'pool.made', 'pool.gone'], z: ['*'] } })).toEqual(
      [],
    );
  });
});

it('streams and consumers keep their names and what cannot be changed', () => {
  const streams = { EVENTS: { subjects: ['event.>'], storage: 'file' } };
  expect(found({ streams }, { streams: { EVENTS: { subjects: ['event.>'], storage: 'memory' } } })).toEqual([
    'break EVENTS: storage is "memory", and was "file"',
  ]);
  const consumers = { 'EVENTS/people': { ack_policy: 'explicit' } };
  expect(found({ consumers }, { consumers: { 'EVENTS/persons': consumers['EVENTS/people'] } })).toEqual([
    'break EVENTS/people: is removed or renamed: processes of BASE use it',
  ]);
});

describe('documents', () => {
  const field = { type: 'String', isRequired: true, hasDefault: false, values: null };
  const of = (fields: Collection['fields'], unique: Collection['unique'] = {}) => ({
    collections: { 'x.pools': { fields, unique } },
  });

  it.each<[string, Partial<Snapshot>, Partial<Snapshot>, string[]]>([
    ['a removed collection', of({}), {}, ['break x.pools: is removed or renamed: BASE stores documents in it']],
    ['a removed field', of({ a: field }), of({}), ['break x.pools: a is removed, which BASE requires']],
    ['a removed optional field', of({ a: { ...field, isRequired: false } }), of({}), []],
    [
      'a new required field',
      of({}),
      of({ a: field }),
      ['break x.pools: a is required: documents that BASE writes lack it'],
    ],
    ['a new one with a default', of({}), of({ a: { ...field, hasDefault: true } }), []],
    ['a new optional one', of({}), of({ a: { ...field, isRequired: false } }), []],
    [
      'another type',
      of({ a: field }),
      of({ a: { ...field, type: 'Number' } }),
      ['break x.pools: a is a Number, and was a String'],
    ],
    [
      'a value less',
      of({ a: { ...field, values: ['b', 'c'] } }),
      of({ a: { ...field, values: ['b'] } }),
      ['break x.pools: a may not be c any more, which BASE stores'],
    ],
    [
      'a new unique index',
      of({}),
      of({}, { '{"a":1}': '{"unique":true}' }),
      [
        'break x.pools: the unique index {"a":1} is new or changed: what BASE writes may violate it, and none is replaced',
      ],
    ],
    ['a unique index that goes', of({}, { '{"a":1}': '{"unique":true}' }), of({}), []],
  ])('%s', (_, base, head, expected) => {
    expect(found(base, head)).toEqual(expected);
  });
});
