import { describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openApiDocument } from './document.js';
import type { JsonSchema } from './schemas.js';
import { openApi30 } from './version-30.js';

const document = openApiDocument();
const with30 = (schema: JsonSchema): unknown => {
  const components = { ...document.components, schemas: { Tried: schema, Offer: { type: 'object' } } };
  const { components: rewritten } = openApi30({ ...document, components }) as typeof document;
  return rewritten.schemas.Tried;
};

describe('the document in OpenAPI 3.0', () => {
  it.each([
    [
      { type: ['string', 'null'], format: 'date-time' },
      { type: 'string', nullable: true, format: 'date-time' },
    ],
    [
      { anyOf: [{ $ref: '#/components/schemas/Offer' }, { type: 'null' }], description: 'The offer' },
      { allOf: [{ $ref: '#/components/schemas/Offer' }], type: 'object', nullable: true, description: 'The offer' },
    ],
    [{ type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    [
      { type: 'string', const: 'class' },
      { type: 'string', enum: ['class'] },
    ],
    [
      { type: 'number', exclusiveMinimum: 0, examples: [1.5, 2] },
      { type: 'number', minimum: 0, exclusiveMinimum: true, example: 1.5 },
    ],
    [{ $ref: '#/components/schemas/Offer', description: 'The offer' }, { $ref: '#/components/schemas/Offer' }],
    [
      { type: 'object', propertyNames: { maxLength: 40 }, additionalProperties: false },
      { type: 'object', additionalProperties: false },
    ],
    [
      { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }], description: 'Some' },
      { type: 'array', items: { type: 'string' }, nullable: true, description: 'Some' },
    ],
    [
      {
        type: 'object',
        properties: { a: {}, b: {} },
        if: {},
        // biome-ignore lint/suspicious/noThenProperty: this is a keyword of JSON Schema.
        then: { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      },
      { type: 'object', properties: { a: {}, b: {} } },
    ],
    [{ type: 'string', contentMediaType: 'application/json', contentSchema: { type: 'object' } }, { type: 'string' }],
    [
      { type: 'object', properties: { type: { type: ['integer', 'null'] }, examples: { type: 'string' } } },
      { type: 'object', properties: { type: { type: 'integer', nullable: true }, examples: { type: 'string' } } },
    ],
  ])('writes the schema %j as %j', (schema, expected) => {
    expect(with30(schema)).toEqual(expected);
  });

  it('has the same operations and schemas, and no webhooks', () => {
    const rendered = openApi30(document) as typeof document;
    expect(rendered.openapi).toBe('3.0.3');
    expect(Object.keys(rendered.paths)).toEqual(Object.keys(document.paths));
    expect(Object.keys(rendered.components.schemas)).toEqual(Object.keys(document.components.schemas));
    expect(rendered).not.toHaveProperty('webhooks');
  });

  it('is valid by the rules of Redocly', async () => {
    const config = await createConfig({ extends: ['spec'] });
    const problems = await lintFromString({ source: JSON.stringify(openApi30(document)), config });
    expect(problems.map(({ message, location }) => [location[0]?.pointer, message])).toEqual([]);
  });
});
