import { describe, expect, it } from '@jest/globals';
import { newId } from '@swim/platform';
import { Router } from '../router.js';
import { PAGES, ROUTES } from '../routes.js';
import { bodyField, checkedInput, readDryRun } from './input.js';

const router = new Router(ROUTES, PAGES);
const account = newId('acct');

function checked(method: string, path: string, fields: Record<string, unknown>): Record<string, unknown> {
  const match = router.match(method, path);
  if (match.kind !== 'operation') throw new Error(`${method} ${path} is no route`);
  return checkedInput(match.endpoint, match.values, fields);
}
const rejected = (reason: string, field: string) =>
  expect.objectContaining({ reason, details: expect.objectContaining({ field }) });

describe('the input of an operation', () => {
  it('is the path beside the query, as text', () => {
    const instructor = newId('ins');
    expect(checked('GET', `/v1/sessions`, { limit: '5', instructor_id: instructor })).toEqual({
      limit: '5',
      instructor_id: instructor,
    });
    expect(checked('GET', `/v1/accounts/${account}/bookings`, { limit: '5' })).toEqual({
      account_id: account,
      limit: '5',
    });
  });

  it('is the path beside the body', () => {
    const session = newId('ses');
    expect(checked('POST', `/v1/sessions/${session}/cancel`, {})).toEqual({ session_id: session });
    expect(checked('POST', `/v1/sessions/${session}/cancel`, { reason: 'Flu' })).toEqual({
      session_id: session,
      reason: 'Flu',
    });
  });

  it('holds the body of a PATCH as changes, a name that no client sees', () => {
    const session = newId('ses');
    const path = `/v1/sessions/${session}`;
    expect(checked('PATCH', path, { notes: 'x' })).toEqual({ session_id: session, changes: { notes: 'x' } });
    expect(() => checked('PATCH', path, {})).toThrow(rejected('empty_patch', ''));
    expect(() => checked('PATCH', path, { duration_minutes: 'x' })).toThrow(
      rejected('invalid_type', 'duration_minutes'),
    );
    expect(() => checked('PATCH', path, { status: 'cancelled' })).toThrow(rejected('unknown_field', 'status'));
    expect(() => checked('PATCH', path, { location: { type: 'pool' } })).toThrow(
      rejected('required', 'location.pool_id'),
    );
    expect(() => checked('PATCH', path, { session_id: session })).toThrow(rejected('unknown_field', 'session_id'));
    expect(bodyField('changes.a.b')).toBe('a.b');
    expect(bodyField('changes')).toBe('');
    expect(bodyField('changeset')).toBe('changeset');
  });

  it('leaves out an account that only selects whose key may send it', () => {
    const method = newId('pm');
    expect(checked('DELETE', `/v1/accounts/${account}/payment-methods/${method}`, {})).toEqual({
      payment_method_id: method,
    });
  });

  it('never lets the query or the body take the place of the path', () => {
    expect(() => checked('GET', `/v1/accounts/${account}/bookings`, { account_id: newId('acct') })).toThrow(
      rejected('unknown_field', 'account_id'),
    );
    expect(() => checked('POST', `/v1/accounts/${account}/members`, { account_id: account })).toThrow(
      rejected('unknown_field', 'account_id'),
    );
  });

  it('names nothing when the path cannot be the name of anything', () => {
    for (const id of ['x', 'ses_1', newId('ins'), '{"$ne":null}', `${newId('ses')}\0`]) {
      expect(() => checked('GET', `/v1/sessions/${encodeURIComponent(id)}`, {})).toThrow(
        expect.objectContaining({ reason: 'resource_not_found' }),
      );
      expect(() => checked('PATCH', `/v1/sessions/${encodeURIComponent(id)}`, { nonsense: 1 })).toThrow(
        expect.objectContaining({ reason: 'resource_not_found' }),
      );
    }
  });

  it('rejects names of Object.prototype like any other unknown one', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const body = JSON.parse(`{"${name}":{"x":1}}`) as Record<string, unknown>;
      expect(() => checked('POST', `/v1/sessions/${newId('ses')}/cancel`, body)).toThrow(
        rejected('unknown_field', name),
      );
      expect(() => checked('PATCH', `/v1/sessions/${newId('ses')}`, body)).toThrow(rejected('unknown_field', name));
    }
  });
});

describe('dry_run', () => {
  it('is true or false, and the only parameter of a write', () => {
    expect(readDryRun(new Map())).toBe(false);
    expect(readDryRun(new Map([['dry_run', 'false']]))).toBe(false);
    expect(readDryRun(new Map([['dry_run', 'true']]))).toBe(true);
    for (const value of ['', '1', 'TRUE', 'yes'])
      expect(() => readDryRun(new Map([['dry_run', value]]))).toThrow(rejected('invalid_value', 'dry_run'));
    expect(() => readDryRun(new Map([['limit', '1']]))).toThrow(rejected('unknown_field', 'limit'));
  });
});
