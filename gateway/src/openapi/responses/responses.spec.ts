import { describe, expect, it } from '@jest/globals';
import { BOUND_NAMES } from '@swim/contracts';
import type { z } from 'zod';
import { ROUTES } from '../../routes.js';
import { openApiDocument } from '../document.js';
import type { DocumentedResponse } from '../documented-operation.js';

const document = openApiDocument();

const headersOf = (path: string, method: string, status: number): string[] =>
  Object.keys((document.paths[path]![method]!.responses[status] as DocumentedResponse).headers ?? {});

/** The entries of `errors[]` of every example of an error in a value; those of an import are about its rows. */
function errorEntriesIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'errors' && Array.isArray(member) ? member.filter((entry) => !('row' in entry)) : errorEntriesIn(member),
  );
}

describe('the answers of the OpenAPI document', () => {
  it('has examples of bad input of which each entry says what would be right', () => {
    const entries = errorEntriesIn(document);
    expect(entries.length).toBeGreaterThan(50);
    const isComplete = (entry: object) => BOUND_NAMES.some((name) => name in entry);
    expect(entries.filter((entry) => !isComplete(entry))).toEqual([]);
  });

  it('has Retry-After where a reason of a conflict or of overload has one by default', () => {
    const has = (path: string, method: string, status: number) =>
      headersOf(path, method, status).includes('Retry-After');
    expect(has('/sessions', 'post', 409)).toBe(true);
    expect(has('/holds/{hold_id}', 'delete', 409)).toBe(true);
    expect(has('/events/stream', 'get', 409)).toBe(false);
    for (const name of ['RateLimited', 'Unavailable'])
      expect(document.components.responses[name]!.headers).toHaveProperty('Retry-After');
  });

  it('has Idempotent-Replayed on every answer that is stored under a key, and on no other', () => {
    const has = (path: string, method: string, status: number) =>
      headersOf(path, method, status).includes('Idempotent-Replayed');
    for (const status of [201, 402, 409]) expect([status, has('/payments', 'post', status)]).toEqual([status, true]);
    expect(has('/sessions/{session_id}/cancel', 'post', 404)).toBe(true);
    expect(has('/payments', 'post', 400)).toBe(false);
    expect(has('/holds/{hold_id}', 'delete', 404)).toBe(false);
  });

  it('has what the body of a DELETE is rejected for, and the answer to its dry run', () => {
    const { responses } = document.paths['/holds/{hold_id}']!.delete!;
    expect(responses[413]).toEqual({ $ref: '#/components/responses/BodyTooLarge' });
    expect(responses[415]).toEqual({ $ref: '#/components/responses/UnsupportedMediaType' });
    expect(responses[422]).toBeUndefined();
    expect((responses[400] as DocumentedResponse)['x-reasons']).toEqual(
      expect.arrayContaining(['invalid_body', 'invalid_json', 'too_deep', 'invalid_value']),
    );
    expect(responses[200]).toEqual({ $ref: '#/components/responses/NothingKept' });
    expect(document.components.responses.NothingKept!.content!['application/json']!.schema).toMatchObject({
      required: ['success', 'data', 'meta'],
    });
    for (const { operation } of ROUTES.filter(({ status }) => status === 204))
      expect([operation.name, (operation.output as z.ZodObject).shape]).toEqual([operation.name, {}]);
  });

  it('has the bodies and headers of the pages that need no key', () => {
    const { '/health': health, '/openapi.json': page, '/openapi-3.0.json': older } = document.paths;
    expect(Object.keys(older!.get!.responses)).toEqual(Object.keys(page!.get!.responses));
    expect(health!.get!.responses[200]).toMatchObject({
      headers: { 'X-Request-Id': expect.anything() },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/HealthEnvelope' } } },
    });
    expect(page!.get!.responses[200]).toMatchObject({
      headers: { 'X-Request-Id': expect.anything(), ETag: expect.anything() },
      content: { 'application/json': { schema: { type: 'object' } } },
    });
    expect(page!.get!.responses[304]).toMatchObject({ headers: { ETag: expect.anything() } });
  });

  it('requires the errors of the fields in the details of bad input', () => {
    const { schemas } = document.components;
    for (const name of ['OtherValidationDetails', 'OutOfRangeDetails', 'CardDeclinedDetails'])
      expect([name, schemas[name]!.required]).toEqual([name, expect.arrayContaining(['field', 'errors'])]);
  });

  it('offers no version for the PATCH of a booking, which takes none', () => {
    const { Booking, Session, UpdateBookingBody } = document.components.schemas;
    expect(UpdateBookingBody!.properties).not.toHaveProperty('version');
    expect(Booking!.properties!.version!.description).not.toContain('PATCH');
    expect(Session!.properties!.version!.description).toContain('PATCH');
  });
});
