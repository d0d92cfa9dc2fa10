import { describe, expect, it } from '@jest/globals';
import { unportableIn } from './portable.ts';

const inSchemas = (schemas: object) => unportableIn({ components: { schemas } }).map(({ message }) => message);
const inQuery = (parameter: object) =>
  unportableIn({ paths: { '/a': { get: { parameters: [{ in: 'query', name: 'a', ...parameter }] } } } });

describe('the lint of what generators of clients understand', () => {
  it.each([
    [
      'a constant boolean',
      { A: { type: 'object', properties: { success: { type: 'boolean', const: true } } } },
      'Java',
    ],
    [
      'null beside a plain value',
      { A: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] } },
      'null',
    ],
    ['alternatives of texts', { A: { anyOf: [{ type: 'string' }, { type: 'string', format: 'date' }] } }, 'texts'],
    [
      'alternatives beside members',
      { A: { type: 'object', properties: { b: {} }, oneOf: [{ required: ['b'] }, { required: ['c'] }] } },
      'beside',
    ],
    ['the name of a class of Java', { Locale: { type: 'string' } }, 'Locale'],
    ['the name of an error of pydantic', { ValidationError: { type: 'object' } }, 'ValidationError'],
    ['the name of a constructor', { Family: { type: 'object' }, NewFamily: { type: 'object' } }, 'constructor'],
    [
      'the name of the type of a member',
      { ErasedEvent: { properties: { object: { const: 'event' } } }, ErasedEventObject: { type: 'object' } },
      'ErasedEvent',
    ],
  ])('rejects %s', (_, schemas, word) => {
    expect(inSchemas(schemas)).toEqual([expect.stringContaining(word)]);
  });

  it.each([
    ['an object', { style: 'deepObject', schema: { type: 'object' } }],
    ['an instant', { schema: { type: 'string', format: 'date-time' } }],
  ])('rejects %s in a query, and says where', (_, parameter) => {
    expect(inQuery(parameter)).toMatchObject([{ pointer: '#/paths/~1a/get/parameters/0' }]);
  });

  it('accepts what the document has in their place', () => {
    const members = {
      at: { type: ['string', 'null'], format: 'date-time' },
      to: { anyOf: [{ $ref: '#/B' }, { type: 'null' }] },
    };
    const then = { oneOf: [{ required: ['at'] }, { required: ['to'] }] };
    expect(inSchemas({ A: { type: 'object', properties: members, if: {}, then }, NewB: { type: 'object' } })).toEqual(
      [],
    );
    const text = { type: 'string', contentMediaType: 'application/json', contentSchema: { type: 'object' } };
    expect(inQuery({ schema: text })).toEqual([]);
  });
});
