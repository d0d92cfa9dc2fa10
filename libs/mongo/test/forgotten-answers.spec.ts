import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember } from '@swim/contracts';
import { type Answer, answerOf, type Call, TooEarly } from '@swim/messaging';
import { newId } from '@swim/platform';
import { until } from '../../testing/src/until.js';
import { type MongoParts, startParts } from './mongo-parts.js';
import { family, type Replica, startReplica } from './replica.js';
import { hanging, made, reasonOf, request, story, textOf } from './story.js';

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

const ask = (call: Call, run: (call: Call) => Promise<Answer>, by = replica) =>
  by.idempotency.intercept(createMember, call, run);
const telling = (...ids: string[]) => answerOf(createMember, { ids, notes: 'Canary' });
const records = () => parts.database().collection('idempotency');
const forget = (memberId: string, erasedAt = new Date()) =>
  replica.idempotency.forget({ env: 'test', memberId, accountIds: [family.accountId], erasedAt });

describe('an answer that tells of a member', () => {
  it('goes with its erasure, also where it tells of others too; its key repeats nothing', async () => {
    const [erased, other] = [newId('mem'), newId('mem')];
    const [both, alone] = [request(), request()];
    const { run, runs } = story(telling(erased, other), telling(other));
    await ask(both, run);
    const kept = await ask(alone, run);
    await forget(erased);
    expect(reasonOf(await ask(both, run))).toBe('resource_not_found');
    expect(textOf(await ask(alone, run))).toBe(textOf(kept));
    expect(runs).toHaveLength(2);
    expect(await records().countDocuments({ forgotten: true, answer: { $exists: true } })).toBe(0);
    await forget(erased);
  });

  it('is waited for while a request that began before is under way', async () => {
    const erased = newId('mem');
    const call = request();
    const { answer, end } = hanging();
    const { run, runs } = story(answer);
    const first = ask(call, run);
    await until(() => runs.length > 0, 'it runs');
    await expect(forget(erased)).rejects.toThrow(TooEarly);
    // What began long after the erasure cannot tell of the member, and holds nothing up.
    await forget(erased, new Date(Date.now() - 60_000));
    end(telling(erased));
    await first;
    await forget(erased);
    expect(reasonOf(await ask(call, run))).toBe('resource_not_found');
  });
});

describe('while one master key takes the place of another', () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  let before: Replica;
  let after: Replica;
  beforeAll(async () => {
    before = await startReplica(parts, { DATA_KEY: oldKey, DATA_KEYS_ALSO_READ: [newKey] });
    after = await startReplica(parts, { DATA_KEY: newKey, DATA_KEYS_ALSO_READ: [oldKey] });
  });
  afterAll(() => Promise.all([before.stop(), after.stop()]));

  it('an answer stored under either is told by both, byte for byte', async () => {
    const { run, runs } = story(made('under one'));
    for (const [one, other] of [
      [before, after],
      [after, before],
    ] as const) {
      const call = request();
      const first = await ask(call, run, one);
      const again = await ask(call, run, other);
      expect(again).toMatchObject({ replayed: true });
      expect(textOf(again)).toBe(textOf(first));
      expect(reasonOf(await ask({ ...call, fingerprint: 'another' }, run, other))).toBe('idempotency_key_reused');
    }
    expect(runs).toHaveLength(2);
  });

  it('racers on both sides never run twice', async () => {
    for (let round = 0; round < 20; round++) {
      const call = request();
      const { run, runs } = story(made());
      const race = await Promise.all([before, after, before, after].map((each) => ask(call, run, each)));
      for (const one of race) if (one.error) expect(reasonOf(one)).toBe('idempotency_in_progress');
      await until(async () => !(await ask(call, run, after)).error, 'it is done');
      expect(runs).toHaveLength(1);
    }
  });
});
