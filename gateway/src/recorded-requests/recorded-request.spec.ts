import { describe, expect, it } from '@jest/globals';
import { newId } from '@swim/platform';
import { ROUTER } from '../router.js';
import { recordedAction, recordedPath, recordedQuery } from './recorded-request.js';

const pathOf = (method: string, path: string) => recordedPath(ROUTER.match(method, path));
const queryOf = (path: string, query: string) => recordedQuery(ROUTER.match('GET', path), query);

describe('the path in the log of an account', () => {
  it('has the ids of the request', () => {
    const path = `/v1/accounts/${newId('acct')}/members`;
    expect(pathOf('GET', path)).toBe(path);
    expect(pathOf('GET', '/v1/sessions')).toBe('/v1/sessions');
    expect(pathOf('POST', '/mcp')).toBe('/mcp');
  });

  it('has the name of a parameter instead of a value that is no id', () => {
    expect(pathOf('GET', '/v1/members/Anna%20Berg')).toBe('/v1/members/{member_id}');
  });

  it('is the pattern where the method is wrong, and null where no route has the path', () => {
    expect(pathOf('PUT', `/v1/members/${newId('mem')}`)).toBe('/v1/members/{member_id}');
    expect(pathOf('GET', '/v1/pupils/anna-berg')).toBeNull();
  });
});

describe('what a user did, in the activity of an account', () => {
  const actionOf = (method: string, path: string, createdId: string | null = null) =>
    recordedAction(ROUTER.match(method, path), createdId);

  it('has the pattern of a change, and the id of its object', () => {
    const [pool, member] = [newId('pool'), newId('mem')];
    expect(actionOf('DELETE', `/v1/pools/${pool}`)).toEqual({ action: 'DELETE /v1/pools/{pool_id}', object: pool });
    expect(actionOf('POST', `/v1/accounts/${newId('acct')}/members`, member)).toEqual({
      action: 'POST /v1/accounts/{account_id}/members',
      object: member,
    });
  });

  it('has no reads, nor the stream of events that a page opens', () => {
    expect(actionOf('GET', '/v1/pools')).toBeNull();
    expect(actionOf('GET', '/v1/events/stream')).toBeNull();
  });
});

describe('the query in the log of an account', () => {
  it('has paging, dates, enumerations and ids as sent', () => {
    const [member, booking] = [newId('mem'), newId('bkg')];
    expect(
      queryOf(
        '/v1/bookings',
        `limit=5&status=pending,confirmed&date_from=2027-03-01&member_id=${member}&ids=${booking}`,
      ),
    ).toEqual({ limit: '5', status: 'pending,confirmed', date_from: '2027-03-01', member_id: member, ids: booking });
    expect(queryOf('/v1/bookings', 'date_from=2027-03-01T10%3A00%3A00Z&dry_run=true')).toEqual({
      date_from: '2027-03-01T10:00:00Z',
      dry_run: 'true',
    });
  });

  it('has no text that somebody may have written', () => {
    expect(queryOf('/v1/members', 'search=Anna&swimming_level=Anna%20Berg&ids=anna')).toEqual({
      search: '[redacted]',
      swimming_level: '[redacted]',
      ids: '[redacted]',
    });
    expect(queryOf('/v1/instructors', 'location[latitude]=52.5&location%5Blongitude%5D=13.4')).toEqual({
      location: '[redacted]',
    });
    expect(queryOf('/v1/sessions', 'metadata[mother]=Berg&limit=%E0%A4%A')).toEqual({
      metadata: '[redacted]',
      limit: '[redacted]',
    });
  });

  it('leaves out parameters that the operation does not know, and those of unknown routes', () => {
    expect(queryOf('/v1/sessions', 'anna=1&__proto__=2&constructor=3')).toEqual({});
    expect(queryOf('/v1/unknown', 'limit=5')).toEqual({});
  });
});
