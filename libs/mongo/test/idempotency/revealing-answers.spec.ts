import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember, createPool, type Operation } from '@swim/contracts';
import { type Answer, answerOf, inEnvironment, type RequestContext } from '@swim/platform';
import { type MongoHarness, startHarness } from '../harness.js';
import { type Replica, startReplica } from '../replica.js';
import { reasonOf, request, scripted } from './scripted-handler.js';

let harness: MongoHarness;
let replica: Replica;
beforeAll(async () => {
  harness = await startHarness();
  replica = await startReplica(harness);
});
afterAll(async () => {
  await replica.stop();
  await harness.stop();
});

const execute = (
  context: RequestContext,
  run: (context: RequestContext) => Promise<Answer>,
  operation: Operation = createMember,
) => inEnvironment(context.principal.env, () => replica.idempotency.intercept(operation, context, run));

describe('a stored answer', () => {
  it('is not replayed to a key that would get less, or more', async () => {
    const context = request();
    const blind = {
      ...context.principal,
      scopes: context.principal.scopes.filter((scope) => scope !== 'members:medical'),
    };
    const seeing = { ...context.principal, scopes: [...blind.scopes, 'members:medical' as const] };
    const { run, runs } = scripted(answerOf(createMember, { medical_notes: 'Mild asthma' }));
    await execute({ ...context, principal: seeing }, run);
    expect(reasonOf(await execute({ ...context, principal: blind }, run))).toBe('idempotency_key_reused');
    expect((await execute({ ...context, principal: seeing }, run)).replayed).toBe(true);
    const other = request();
    await execute({ ...other, principal: seeing }, run, createPool);
    expect((await execute({ ...other, principal: blind }, run, createPool)).replayed).toBe(true);
    expect(runs).toHaveLength(2);
  });
});
