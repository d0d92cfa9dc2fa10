import { describe, expect, it } from '@jest/globals';
import { accessOf, addressesOf, DEFAULT_SCOPES, grantable, withAccess, withScope } from './scopes.ts';

describe('the scopes of a new key', () => {
  it('are by default neither to write keys nor to read medical notes nor to erase', () => {
    expect(accessOf(DEFAULT_SCOPES, 'keys')).toBe('read');
    expect(DEFAULT_SCOPES).not.toEqual(expect.arrayContaining([expect.stringMatching(/medical|erase|keys:write/)]));
  });

  it('have one access to each resource, of which writing includes reading', () => {
    const read = withAccess(['sessions:write', 'events:read'], 'sessions', 'read');
    expect(read).toEqual(['events:read', 'sessions:read']);
    expect(accessOf(read, 'sessions')).toBe('read');
    expect(withAccess(read, 'sessions', 'none')).toEqual(['events:read']);
  });

  it('have a single scope once', () => {
    expect(withScope(['events:read'], 'events:read', true)).toEqual(['events:read']);
    expect(withScope(['events:read'], 'events:read', false)).toEqual([]);
  });

  it('are those of the user at most', () => {
    const own = ['sessions:read', 'keys:write', 'events:read'];
    expect(grantable(['sessions:write', 'keys:read', 'members:medical', 'events:read'], own)).toEqual([
      'sessions:read',
      'keys:read',
      'events:read',
    ]);
  });
});

it('the allow-list of a key is read from lines and from commas', () => {
  expect(addressesOf(' 198.51.100.7, 2001:db8::/32\n10.0.0.0/8 ')).toEqual([
    '198.51.100.7',
    '2001:db8::/32',
    '10.0.0.0/8',
  ]);
});
