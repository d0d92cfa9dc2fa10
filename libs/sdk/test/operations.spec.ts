import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Document, methodsOf } from '../generator/operations.js';
import { Swim } from '../src/index.js';

const document = JSON.parse(
  readFileSync(new URL('../../../gateway/openapi.json', import.meta.url), 'utf8'),
) as Document;
const client = new Swim({ apiKey: 'swl_test_x', baseUrl: 'http://127.0.0.1:9/v1' });
const has = (resource: string, name: string): boolean =>
  typeof (client as unknown as Record<string, Record<string, unknown>>)[resource]?.[name] === 'function';

/** Operations that need a key and have no method made from the document, with the method that stands for them. */
const WRITTEN_BY_HAND: Record<string, [string, string]> = { openEventStream: ['events', 'listen'] };

describe('the client', () => {
  const methods = methodsOf(document);

  it('has a method for every operation of the document', () => {
    expect(methods.length).toBeGreaterThan(70);
    expect(methods.filter(({ resource, name }) => !has(resource, name))).toEqual([]);
  });

  it('leaves out operations without a key, and those that are written by hand', () => {
    const made = new Set(methods.map(({ operationId }) => operationId));
    const left = Object.values(document.paths)
      .flatMap((verbs) => Object.values(verbs))
      .filter(({ operationId, security }) => security === undefined && !made.has(operationId));
    expect(left.filter(({ operationId }) => !has(...(WRITTEN_BY_HAND[operationId] ?? ['', ''])))).toEqual([]);
  });

  it('names methods after operations, without the words of their resource', () => {
    const names = new Map(methods.map(({ operationId, resource, name }) => [operationId, `${resource}.${name}`]));
    expect(names.get('createBooking')).toBe('bookings.create');
    expect(names.get('listBookingsOfAccount')).toBe('bookings.listOfAccount');
    expect(names.get('quoteBookingCancellation')).toBe('bookings.quoteCancellation');
    expect(names.get('rotateWebhookSecret')).toBe('webhookEndpoints.rotateSecret');
    expect(names.get('eraseAccount')).toBe('accounts.erase');
  });

  it('is not made of a document in which two operations would be one method', () => {
    const get = document.paths['/sessions']!.get!;
    const twice = { ...document, paths: { '/a': { get }, '/b': { get: { ...get, operationId: 'listSession' } } } };
    expect(() => methodsOf(twice)).toThrow('listSessions and listSession would both be client.sessions.list');
  });
});
