import { describe, expect, it } from '@jest/globals';
import { Deadline } from './deadline.js';
import { newId } from './ids.js';
import { withLogContext } from './log-context.js';
import { causeOf, makeRequestContext, systemContext } from './request-context.js';

describe('the cause of an event', () => {
  it('is the request and the key of the context', () => {
    const principal = {
      accountId: newId('acct'),
      kind: 'family',
      env: 'test',
      keyId: newId('key'),
      scopes: [],
    } as const;
    const context = makeRequestContext({
      requestId: newId('req'),
      principal: { ...principal, scopes: [] },
      deadline: new Deadline(1),
      idempotencyKey: 'k',
    });
    const { accountId, keyId } = principal;
    expect(causeOf(context)).toEqual({ requestId: context.requestId, idempotencyKey: 'k', actor: keyId, accountId });
  });

  it('has the trace of the request, also for consequences of its events', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const context = withLogContext({ requestId: 'evt_1', operation: 'member.erased', traceparent }, () =>
      systemContext('test', newId('acct')),
    );
    expect(context.traceparent).toBe(traceparent);
    expect(causeOf(context)).toMatchObject({ requestId: null, actor: 'system', traceparent });
  });

  it('is no request when the service acts by itself', () => {
    const accountId = newId('acct');
    expect(causeOf(systemContext('test', accountId))).toEqual({
      requestId: null,
      idempotencyKey: null,
      actor: 'system',
      accountId,
    });
  });
});
