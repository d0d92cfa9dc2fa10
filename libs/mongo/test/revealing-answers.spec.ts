import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember, createPool, type Operation } from '@swim/contracts';
import { type Answer, answerOf, type Call } from '@swim/messaging';
import { type MongoParts, startParts } from './mongo-parts.js';
import { type Replica, startReplica } from './replica.js';
import { reasonOf, request, story } from './story.js';

let parts: MongoParts;
let replica: Replica;
beforeAll(async () => {
  parts = await startParts();
  replica = await startReplica(parts);
});
afterAll(async () => {
  await replica.stop();
  await parts.stop();
});

const ask = (call: Call, run: (call: Call) => Promise<Answer>, operation: Operation = createMember) =>
  replica.idempotency.intercept(operation, call, run);

describe('a stored answer', () => {
  it('is no replay for a key that would be answered less, or more', async () => {
    const call = request();
    const blind = { ...call.principal, scopes: call.principal.scopes.filter((scope) => scope !== 'members:medical') };
    const seeing = { ...call.principal, scopes: [...blind.scopes, 'members:medical' as const] };
    const { run, runs } = story(answerOf(createMember, { medical_notes: 'Mild asthma' }));
    await ask({ ...call, principal: seeing }, run);
    expect(reasonOf(await ask({ ...call, principal: blind }, run))).toBe('idempotency_key_reused');
    expect((await ask({ ...call, principal: seeing }, run)).replayed).toBe(true);
    const other = request();
    await ask({ ...other, principal: seeing }, run, createPool);
    expect((await ask({ ...other, principal: blind }, run, createPool)).replayed).toBe(true);
    expect(runs).toHaveLength(2);
  });
});
