import { describe, expect, it } from '@jest/globals';
import { Deadline, newId } from '@swim/platform';
import { causeOf, makeCall, systemCall } from './call.js';

describe('the cause of an event', () => {
  it('is the request and the key of the call', () => {
    const principal = {
      accountId: newId('acct'),
      kind: 'family',
      env: 'test',
      keyId: newId('key'),
      scopes: [],
    } as const;
    const call = makeCall({
      requestId: newId('req'),
      principal: { ...principal, scopes: [] },
      deadline: new Deadline(1),
      idempotencyKey: 'k',
    });
    const { accountId, keyId } = principal;
    expect(causeOf(call)).toEqual({ requestId: call.requestId, idempotencyKey: 'k', actor: keyId, accountId });
  });

  it('is no request when the service acted by itself', () => {
    const accountId = newId('acct');
    expect(causeOf(systemCall('test', accountId))).toEqual({
      requestId: null,
      idempotencyKey: null,
      actor: 'system',
      accountId,
    });
  });
});
