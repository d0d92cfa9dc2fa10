import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SCOPES, grants, principal, SCOPES, type Scope } from './principal.js';

describe('a scope', () => {
  it('grants itself', () => {
    for (const scope of SCOPES) expect(grants([scope], scope)).toBe(true);
  });

  it('to read is granted by the one to write', () => {
    for (const scope of SCOPES.filter((one) => one.endsWith(':read') && one !== 'events:read')) {
      expect(grants([scope.replace(':read', ':write') as Scope], scope)).toBe(true);
    }
  });

  it('to write is not granted by the one to read', () => {
    for (const scope of SCOPES.filter((one) => one.endsWith(':write'))) {
      expect(grants([scope.replace(':write', ':read') as Scope], scope)).toBe(false);
    }
  });

  it('of one thing is not granted by all others', () => {
    for (const scope of SCOPES) {
      const others = SCOPES.filter((one) => one.split(':')[0] !== scope.split(':')[0]);
      expect(grants(others, scope)).toBe(false);
    }
  });

  it('for medical notes is granted by no other scope of members', () => {
    expect(grants(['members:read', 'members:write'], 'members:medical')).toBe(false);
    expect(grants(['members:medical'], 'members:read')).toBe(false);
  });

  it('to manage keys, to erase an account and for medical notes is no default, nor granted by the defaults', () => {
    const onRequest: Scope[] = ['members:medical', 'keys:write', 'accounts:erase'];
    expect(onRequest.filter((scope) => grants(DEFAULT_SCOPES, scope))).toEqual([]);
    expect(new Set([...DEFAULT_SCOPES, ...onRequest])).toEqual(new Set(SCOPES));
  });

  it('is not granted without any scope', () => {
    for (const scope of SCOPES) expect(grants([], scope)).toBe(false);
  });
});

describe('a principal', () => {
  const sound = { accountId: 'acct_1', kind: 'family', env: 'test', keyId: 'key_1', scopes: ['members:read'] };

  it.each([
    ['of a third environment', { ...sound, env: 'prod' }],
    ['with a scope that does not exist', { ...sound, scopes: ['members:all'] }],
    ['that carries more', { ...sound, admin: true }],
    ['without an account', { ...sound, accountId: undefined }],
  ])('%s is rejected', (_, value) => {
    expect(principal.safeParse(sound).success).toBe(true);
    expect(principal.safeParse(value).success).toBe(false);
  });
});
