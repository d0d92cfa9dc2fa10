import { describe, expect, it } from '@jest/globals';
import { Deadline } from './deadline.js';
import { inEnvironment } from './environment.js';
import { newId } from './ids.js';
import { withLogContext } from './log-context.js';
import { causeOf, contextOfCause, makeRequestContext, systemContext } from './request-context.js';

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

  it('is the same for what is completed without the client', () => {
    const cause = { requestId: newId('req'), idempotencyKey: 'k', actor: newId('key'), accountId: newId('acct') };
    const acted = { ...cause, actingSchoolId: newId('acct'), traceparent: '00-4b-f9-01', isQuiet: true };
    const causes = [cause, acted, { ...cause, requestId: null, actor: 'system' }];
    const completing = inEnvironment('test', () => causes.map((each) => contextOfCause(each, new Deadline(1))));
    expect(completing.map(causeOf)).toEqual(causes);
    expect(completing[0]!.principal).toMatchObject({ env: 'test', kind: 'family', scopes: [] });
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
