import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChaosProxy } from '../../../testing/src/faults/chaos-proxy.js';
import { until } from '../../../testing/src/waiting/until.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { aContext, aLesson, type Replica, startReplica } from '../replica.js';

// Several times the number of connections, each in use for longer than a request may wait.
const READERS = 200;
const LATENCY_MS = 3_000;

let harness: MongoHarness;
let proxy: ChaosProxy;
let replica: Replica;

beforeAll(async () => {
  harness = await startHarness();
  proxy = await ChaosProxy.before(harness.config.MONGODB_URI);
  replica = await startReplica(harness, { MONGODB_URI: proxy.uri });
});
afterAll(async () => {
  await replica?.stop();
  await proxy?.close();
  await harness?.stop();
});

describe('while the database is so slow that no connection comes free', () => {
  it('requests fail as overloaded instead of waiting forever, and succeed when it has recovered', async () => {
    const { _id } = await replica.lessons.insert(aContext(), aLesson());
    const read = () =>
      replica.lessons.get(_id).then(
        () => 'read',
        (error: unknown) => replica.idempotency.explain(error)?.reason ?? String(error),
      );
    proxy.disturb({ latencyMs: LATENCY_MS });
    // Look-ups of one turn share a query: these are in separate turns.
    const readers: Promise<string>[] = [];
    for (let reader = 0; reader < READERS; reader++) {
      readers.push(read());
      await new Promise(setImmediate);
    }
    const outcomes = new Set(await Promise.all(readers));
    proxy.disturb({});
    expect(outcomes).toContain('overloaded');
    expect([...outcomes].filter((each) => !['read', 'overloaded', 'unavailable'].includes(each))).toEqual([]);
    await until(async () => (await read()) === 'read', 'it is read again');
  });
});
