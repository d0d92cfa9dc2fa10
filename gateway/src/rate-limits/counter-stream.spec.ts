import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectNats } from '@swim/messaging';
import { createLogger } from '@swim/platform';
import { startNats, type TestNats, until } from '@swim/testing';
import { BusLink } from '../calls/bus-link.js';
import { CounterStream } from './counter-stream.js';
import { RateLimiter } from './rate-limiter.js';

let nats: TestNats;
const connections: NatsConnection[] = [];

async function replica(): Promise<CounterStream> {
  const connection = await connectNats(nats.url, 'tests', createLogger('tests', 'silent'));
  connections.push(connection);
  const counters = new CounterStream(connection, new BusLink(connection));
  await counters.ensure();
  return counters;
}

beforeAll(async () => {
  nats = await startNats();
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await nats?.stop();
});

describe('counters on JetStream', () => {
  it('answer the total of all replicas, and are read by adding nothing', async () => {
    const [one, other] = [await replica(), await replica()];
    expect(await one.increment('limits.test.acct_1.hour.1', 3)).toBe(3);
    expect(await other.increment('limits.test.acct_1.hour.1', 4)).toBe(7);
    expect(await one.increment('limits.test.acct_1.hour.1', 0)).toBe(7);
    expect(await one.increment('limits.test.acct_2.hour.1', 0)).toBe(0);
  });

  it('let exactly so many of 400 racing requests through, on four replicas', async () => {
    const limits = { perHour: 1_000, perMinute: 100 };
    const nowMs = Date.now();
    const limiters = await Promise.all(
      [1, 2, 3, 4].map(async () => new RateLimiter(limits, (await replica()).increment, () => nowMs)),
    );
    const who = { accountId: 'acct_race', kind: 'family', env: 'test', keyId: 'key_1', scopes: [] } as const;
    const racing = Array.from({ length: 400 }, (_, index) => limiters[index % 4]!.admit({ ...who, scopes: [] }));
    const admissions = await Promise.all(racing);
    expect(admissions.filter(({ denied }) => denied === null).length).toBe(100);
  });

  it('begin again after a restart of NATS, without anybody making the stream by hand', async () => {
    const counters = await replica();
    await counters.increment('limits.test.acct_3.hour.1', 5);
    await nats.kill();
    await nats.restart();
    let tries = 0;
    const count = () => {
      tries++;
      return counters.increment('limits.test.acct_3.hour.1', 1).catch(() => null);
    };
    const total = await until(count, 'counting again');
    // One of which the answer was lost has been counted, too.
    expect(total).toBeGreaterThanOrEqual(1);
    expect(total).toBeLessThanOrEqual(tries);
  });

  it('are unavailable while NATS is down: nobody is let in uncounted', async () => {
    const counters = await replica();
    await nats.kill();
    await expect(counters.increment('limits.test.acct_4.hour.1', 1)).rejects.toMatchObject({ reason: 'unavailable' });
    await nats.restart();
    expect(
      await until(() => counters.increment('limits.test.acct_4.hour.1', 1).catch(() => null), 'counting again'),
    ).toBeGreaterThan(0);
  });
});
