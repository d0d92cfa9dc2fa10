import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createMember } from '@swim/contracts';
import { type Answer, answerOf, inEnvironment, newId, type RequestContext, TooEarly } from '@swim/platform';
import { until } from '../../../testing/src/waiting/until.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { family, type Replica, startReplica } from '../replica.js';
import { hanging, made, reasonOf, request, scripted, textOf } from './scripted-handler.js';

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

const execute = (context: RequestContext, run: (context: RequestContext) => Promise<Answer>, by = replica) =>
  inEnvironment(context.principal.env, () => by.idempotency.intercept(createMember, context, run));
const answerNaming = (...ids: string[]) => answerOf(createMember, { ids, notes: 'Canary' });
const records = () => harness.database().collection('idempotency');
const forget = (memberId: string, erasedAt = new Date()) =>
  inEnvironment('test', () => replica.idempotency.forget({ memberId, accountIds: [family.accountId], erasedAt }));

describe('a stored answer that contains a member', () => {
  it('is removed by its erasure, even if it contains others too; its key repeats nothing', async () => {
    const [erased, other] = [newId('mem'), newId('mem')];
    const [both, alone] = [request(), request()];
    const { run, runs } = scripted(answerNaming(erased, other), answerNaming(other));
    await execute(both, run);
    const kept = await execute(alone, run);
    await forget(erased);
    expect(reasonOf(await execute(both, run))).toBe('resource_not_found');
    expect(textOf(await execute(alone, run))).toBe(textOf(kept));
    expect(runs).toHaveLength(2);
    expect(await records().countDocuments({ forgotten: true, answer: { $exists: true } })).toBe(0);
    await forget(erased);
  });

  it('makes the erasure wait while an earlier request is in progress', async () => {
    const erased = newId('mem');
    const context = request();
    const { answer, end } = hanging();
    const { run, runs } = scripted(answer);
    const first = execute(context, run);
    await until(() => runs.length > 0, 'it runs');
    await expect(forget(erased)).rejects.toThrow(TooEarly);
    // A request long after the erasure cannot contain the member, and delays nothing.
    await forget(erased, new Date(Date.now() - 60_000));
    end(answerNaming(erased));
    await first;
    await forget(erased);
    expect(reasonOf(await execute(context, run))).toBe('resource_not_found');
  });
});

describe('a run that was paused past its lease', () => {
  it('stores no answer about a member that was erased meanwhile', async () => {
    const erased = newId('mem');
    const context = request();
    const { answer, end } = hanging();
    const { run, runs } = scripted(answer);
    const first = execute(context, run);
    await until(() => runs.length > 0, 'it runs');
    const open = { state: 'running', accountId: family.accountId };
    await records().updateMany(open, { $set: { leaseUntil: new Date(0) } });
    await forget(erased);
    end(answerNaming(erased));
    await first;
    expect(await records().countDocuments({ subjects: erased })).toBe(0);
    const { run: repeat } = scripted(made('without the member'));
    const again = await execute(context, repeat);
    expect(textOf(again)).toContain('without the member');
  });
});

describe('during a rotation of the master key', () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  let before: Replica;
  let after: Replica;
  beforeAll(async () => {
    before = await startReplica(harness, { DATA_KEY: oldKey, DATA_KEYS_ALSO_READ: [oldKey, newKey] });
    after = await startReplica(harness, { DATA_KEY: newKey, DATA_KEYS_ALSO_READ: [oldKey, newKey] });
  });
  afterAll(() => Promise.all([before.stop(), after.stop()]));

  it('an answer stored under either key is returned under both, byte for byte', async () => {
    const { run, runs } = scripted(made('under one'));
    for (const [one, other] of [
      [before, after],
      [after, before],
    ] as const) {
      const context = request();
      const first = await execute(context, run, one);
      const repeated = await execute(context, run, other);
      expect(repeated).toMatchObject({ replayed: true });
      expect(textOf(repeated)).toBe(textOf(first));
      expect(reasonOf(await execute({ ...context, fingerprint: 'another' }, run, other))).toBe(
        'idempotency_key_reused',
      );
    }
    expect(runs).toHaveLength(2);
  });

  it('a repetition that is killed before it has removed its own record leaves none that runs', async () => {
    const context = request();
    const { run, runs } = scripted(made('first'), made('second'));
    const first = await execute(context, run, before);
    const own = (after.idempotency as unknown as { records: { free(): Promise<void> } }).records;
    const killed = jest.spyOn(own, 'free').mockRejectedValue(new Error('The process was killed.'));
    await execute(context, run, after).catch(() => undefined);
    killed.mockRestore();
    await records().updateMany({ state: 'running' }, { $set: { leaseUntil: new Date(0) } });
    expect(textOf(await execute(context, run, after))).toBe(textOf(first));
    expect(runs).toHaveLength(1);
  });

  it('concurrent requests under both keys run once', async () => {
    for (let round = 0; round < 20; round++) {
      const context = request();
      const { run, runs } = scripted(made());
      const race = await Promise.all([before, after, before, after].map((each) => execute(context, run, each)));
      for (const one of race) if (one.error) expect(reasonOf(one)).toBe('idempotency_in_progress');
      await until(async () => !(await execute(context, run, after)).error, 'it is done');
      expect(runs).toHaveLength(1);
    }
  });
});
