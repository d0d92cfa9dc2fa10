import { describe, expect, it } from '@jest/globals';
import { BOUND_NAMES } from '@swim/contracts';
import { ROUTES } from '../routes.js';
import { openApiDocument } from './document.js';
import type { DocumentedResponse } from './documented-operation.js';

const document = openApiDocument();

/** A response, as far as its headers matter. */
interface Answered {
  headers: Record<string, object>;
}

/** The entries of `errors[]` of every example in a value. */
function errorEntriesIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'errors' && Array.isArray(member) ? member : errorEntriesIn(member),
  );
}

describe('the responses in the OpenAPI document', () => {
  it('has examples of bad input of which each entry says what would be right', () => {
    const entries = errorEntriesIn(document);
    expect(entries.length).toBeGreaterThan(50);
    const isComplete = (entry: object) => BOUND_NAMES.some((name) => name in entry);
    expect(entries.filter((entry) => !isComplete(entry))).toEqual([]);
  });

  it('states Retry-After where another try may succeed, and Idempotent-Replayed where an error may be a stored one', () => {
    const { responses } = document.paths['/sessions/{session_id}']!.patch!;
    const headersOf = (status: number) => Object.keys((responses[status] as unknown as Answered).headers);
    expect(headersOf(409)).toEqual(expect.arrayContaining(['Retry-After', 'Idempotent-Replayed']));
    expect(headersOf(404)).toContain('Idempotent-Replayed');
    expect(headersOf(400)).not.toContain('Idempotent-Replayed');
  });

  it('has a body for the dry run of a DELETE, and the errors of its body', () => {
    for (const { method, path } of ROUTES.filter((route) => route.method === 'DELETE' && route.status === 204)) {
      const { responses } = document.paths[path.replace('/v1', '')]![method.toLowerCase()]!;
      expect([path, Object.keys((responses[200] as DocumentedResponse).content ?? {})]).toEqual([
        path,
        ['application/json'],
      ]);
      expect([path, 413 in responses, 415 in responses]).toEqual([path, true, true]);
    }
  });
});
