import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createMember, createPool, type Operation, type Principal } from '@swim/contracts';
import { Deadline, makeRequestContext, newId, type RequestContext } from '@swim/platform';
import { identitiesOf } from './request-identity.js';

const DATA_KEY = randomBytes(32);
const principal: Principal = {
  accountId: newId('acct'),
  kind: 'family',
  env: 'test',
  keyId: newId('key'),
  scopes: ['members:write'],
};
const context = makeRequestContext({
  requestId: newId('req'),
  principal,
  deadline: new Deadline(10_000),
  idempotencyKey: 'a key',
  fingerprint: 'a body',
});
const identityOf = (changed: Partial<RequestContext> = {}, operation: Operation = createMember) =>
  identitiesOf(operation, { ...context, ...changed }, { DATA_KEY })[0];
const withPrincipal = (changed: Partial<Principal>) => ({ principal: { ...principal, ...changed } });

describe('the identity of a request', () => {
  it('is the same for its repetition by any key of the account', () => {
    const repeated = { requestId: newId('req'), attempt: 2, ...withPrincipal({ keyId: newId('key') }) };
    expect(identityOf(repeated)).toEqual(identityOf());
  });

  it.each<[string, Partial<RequestContext>, Operation]>([
    ['key', { writeKey: 'another' }, createMember],
    ['account', withPrincipal({ accountId: newId('acct') }), createMember],
    ['environment', withPrincipal({ env: 'live' }), createMember],
    ['operation', {}, createPool],
  ])('has another id for another %s', (_, changed, operation) => {
    expect(identityOf(changed, operation).id).not.toBe(identityOf().id);
  });

  it('has the same id and another fingerprint for another body', () => {
    const other = identityOf({ fingerprint: 'another body' });
    expect(other.id).toBe(identityOf().id);
    expect(other.fingerprint).not.toBe(identityOf().fingerprint);
  });

  it('has another fingerprint with the scope that reveals more, and only with that', () => {
    const revealing = identityOf(withPrincipal({ scopes: ['members:write', 'members:medical'] }));
    expect(revealing.id).toBe(identityOf().id);
    expect(revealing.fingerprint).not.toBe(identityOf().fingerprint);
    expect(identityOf(withPrincipal({ scopes: ['members:write', 'bookings:read'] }))).toEqual(identityOf());
  });
});

describe('the identities of a request', () => {
  it('are one for each master key, that of the current key first, and differ', () => {
    const others = [randomBytes(32), randomBytes(32)];
    const all = identitiesOf(createMember, context, { DATA_KEY, DATA_KEYS_ALSO_READ: others });
    expect(all.map(({ key }) => key.export())).toEqual([DATA_KEY, ...others]);
    expect(all[0]).toEqual(identityOf());
    expect(new Set(all.map(({ id }) => id)).size).toBe(3);
    expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(3);
  });
});
