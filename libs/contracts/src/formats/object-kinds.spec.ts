import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import * as contracts from '../index.js';
import { EVENT_CATALOGUE, eventOfType, objectKindOf } from '../notification/event-catalogue.js';
import { EVENT_TYPES } from '../operations/event.js';
import type { Operation } from '../operations/operation.js';
import { apiObject, kindOf, withKinds } from './object-kinds.js';

const lane = apiObject('lane', { id: z.string(), name: z.string() });
const bath = apiObject('bath', { id: z.string(), lanes: z.array(lane.omit({ name: true })), first: lane.nullish() });
const lane1 = { object: 'lane', id: 'lane_1' };

describe('an object in an answer', () => {
  it('names its kind, also where another object contains it', () => {
    const value = { id: 'bath_1', lanes: [{ id: 'lane_1' }], first: { id: 'lane_1', name: 'Left' } };
    expect(withKinds(bath, value)).toEqual({
      object: 'bath',
      id: 'bath_1',
      lanes: [lane1],
      first: { ...lane1, name: 'Left' },
    });
    expect(withKinds(z.object({ baths: z.array(bath) }), { baths: [value] }).baths).toEqual([withKinds(bath, value)]);
  });

  it('names its kind first, and once', () => {
    const named = withKinds(lane, { id: 'lane_1', name: 'Left' });
    expect(Object.keys(named)).toEqual(['object', 'id', 'name']);
    expect(withKinds(lane, named)).toEqual(named);
  });

  it('leaves the value of the handler as it was', () => {
    const value = { id: 'bath_1', lanes: [{ id: 'lane_1' }], first: null };
    const before = structuredClone(value);
    withKinds(bath, value);
    expect(value).toEqual(before);
  });

  it('may be null or absent', () => {
    expect(withKinds(lane.nullable(), null)).toBeNull();
    expect(withKinds(bath, { id: 'bath_1', lanes: [], first: null })).toEqual({
      object: 'bath',
      id: 'bath_1',
      lanes: [],
      first: null,
    });
    expect(withKinds(bath.partial({ lanes: true }), { id: 'bath_1' })).toEqual({ object: 'bath', id: 'bath_1' });
  });

  it('without a kind in its schema has none, and is passed on as it is', () => {
    const value = { start: 1 };
    expect(withKinds(z.object({ start: z.int() }), value)).toBe(value);
  });
});

const isOperation = (value: unknown): value is Operation => typeof value === 'object' && 'subject' in (value ?? {});

/** The operations of the API whose answer is an object with an id, by their names; with the schema of the answer. */
const answers = Object.values(contracts as Record<string, unknown>)
  .filter(isOperation)
  .filter(({ callers, summary }) => callers.includes('gateway') && summary !== undefined)
  .flatMap(({ name, output }) =>
    output instanceof z.ZodObject && 'id' in output.shape ? [[name, output as z.ZodObject] as const] : [],
  );

describe('an operation', () => {
  it.each(answers)('%s answers an object with an id, and names its kind', (_, output) => {
    expect(kindOf(output)).toEqual(expect.stringMatching(/^[a-z]+(_[a-z]+)*$/));
  });

  it('answers objects of these kinds', () => {
    expect([...new Set(answers.map(([, output]) => kindOf(output)))].sort()).toEqual([
      'access_log_entry',
      'account',
      'api_key',
      'booking',
      'class',
      'closure',
      'connection',
      'enrollment',
      'event',
      'hold',
      'import',
      'instructor',
      'lesson',
      'makeup_credit',
      'member',
      'message',
      'payment',
      'payment_method',
      'pool',
      'refund',
      'request_log_entry',
      'review',
      'session',
      'waitlist_entry',
      'webhook_delivery',
      'webhook_endpoint',
    ]);
  });
});

describe('the object of an event', () => {
  it.each(EVENT_TYPES)('%s is of a kind that operations answer, and says so', (type) => {
    const kind = objectKindOf(type);
    expect(kind).toBe(kindOf(EVENT_CATALOGUE[type].object));
    expect(answers.map(([, output]) => kindOf(output))).toContain(kind);
    const { data } = eventOfType(type).shape as { data: z.ZodObject };
    expect(kindOf(data.shape.object as z.ZodObject)).toBe(kind);
  });

  it('of a type that is not known is named after the type', () => {
    expect(objectKindOf('lane_rental.created')).toBe('lane_rental');
    expect(objectKindOf('constructor')).toBe('constructor');
  });
});
