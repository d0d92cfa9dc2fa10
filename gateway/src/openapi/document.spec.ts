import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { OPENAPI_FILE } from '../pages.js';
import { ROUTES } from '../routes.js';
import { openApiDocument } from './document.js';
import { FIELD_TEXTS } from './field-texts.js';
import { reasonsOf } from './responses.js';

const document = openApiDocument();
const text = JSON.stringify(document);

describe('the OpenAPI document', () => {
  it('is committed as the contracts have it', () => {
    expect(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8'))).toEqual(JSON.parse(text));
  });

  it('has every route, each under a name of its own', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { method, path } of ROUTES)
      expect(document.paths[path.replace('/v1', '')]?.[method.toLowerCase()]).toBeDefined();
  });

  it('refers to nothing that is not in it', () => {
    const refs = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, ref]) => ref!);
    const followed = (ref: string) =>
      ref.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
    expect([...new Set(refs)].filter((ref) => followed(ref) === undefined)).toEqual([]);
    expect(refs.length).toBeGreaterThan(100);
  });

  it('lists every reason that an operation declares', () => {
    for (const route of ROUTES) expect(reasonsOf(route)).toEqual(expect.arrayContaining([...route.operation.errors]));
  });

  it('uses every text that describes a field', () => {
    const used = new Set([...text.matchAll(/"description":("(?:[^"\\]|\\.)*")/g)].map(([, each]) => JSON.parse(each!)));
    expect(Object.entries(FIELD_TEXTS).filter(([, each]) => !used.has(each))).toEqual([]);
  });

  it('does not bind what answers may have beside what they have today', () => {
    const { Session } = document.components.schemas;
    expect(JSON.stringify(Session)).not.toContain('additionalProperties');
  });

  it('takes a query parameter for the number that it means', () => {
    const parameters = document.paths['/sessions']!.get!.parameters as { name: string; schema: object }[];
    expect(parameters.find(({ name }) => name === 'limit')!.schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
    });
  });
});
