import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { BusConnection, connectNats, RATE_LIMITS } from '@swim/messaging';
import { createLogger } from '@swim/platform';
import { startNats, type TestNats, until } from '@swim/testing';
import { CounterStream } from './counter-stream.js';
import { RateLimiter } from './rate-limiter.js';
import { countIn, HOUR, minuteWindow, unitOf } from './shared-counter.js';

let nats: TestNats;
const connections: NatsConnection[] = [];

async function replica(): Promise<CounterStream> {
  const connection = await connectNats(nats.url, 'tests', createLogger('tests', 'silent'));
  connections.push(connection);
  return new CounterStream(connection, new BusConnection(connection));
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
    expect(await one.increment('limits.test.acct_1.1', 3n)).toBe(3n);
    expect(await other.increment('limits.test.acct_1.1', 4n)).toBe(7n);
    expect(await one.increment('limits.test.acct_1.1', 0n)).toBe(7n);
    expect(await one.increment('limits.test.acct_2.1', 0n)).toBe(0n);
    expect(await one.increment('limits.test.acct_1.1', -2n)).toBe(5n);
    expect(await other.increment('limits.test.acct_1.1', 0n)).toBe(5n);
  });

  it('take numbers as long as all windows of an hour together make them', async () => {
    const [one, other] = [await replica(), await replica()];
    const all = [HOUR, ...Array.from({ length: 60 }, (_, minute) => minuteWindow(minute))];
    const longest = all.reduce((sum, window) => sum + 1_000_000n * unitOf(window), 0n);
    await one.increment('limits.test.acct_long.1', longest);
    const total = await other.increment('limits.test.acct_long.1', -unitOf(HOUR));
    expect(countIn(total, HOUR)).toBe(999_999);
    for (const window of all.slice(1)) expect(countIn(total, window)).toBe(1_000_000);
  });

  it('let exactly so many of 400 racing requests through, on four replicas', async () => {
    const limits = { perHour: 1_000, perMinute: 100 };
    const nowMs = Date.now();
    const limiters = await Promise.all(
      [1, 2, 3, 4].map(async () => new RateLimiter(limits, (await replica()).increment, () => nowMs)),
    );
    const who = { accountId: 'acct_race', env: 'test' } as const;
    const racing = Array.from({ length: 400 }, (_, index) => limiters[index % 4]!.admit(who));
    const admissions = await Promise.all(racing);
    expect(admissions.filter(({ denied }) => denied === null).length).toBe(100);
  });

  it('count a request again whose first increment nobody has answered', async () => {
    const counters = await replica();
    const [connection] = connections;
    // Takes what the stream would count, as a server does that has just handed the stream over.
    const silent = connection!.subscribe('limits.test.acct_5.1', { max: 1 });
    await connection!.request(`$JS.API.STREAM.DELETE.${RATE_LIMITS}`);
    expect(await counters.increment('limits.test.acct_5.1', 2n)).toBe(2n);
    expect(silent.getReceived()).toBe(1);
  });

  it('start at zero after a restart of NATS, and the stream is made automatically', async () => {
    const counters = await replica();
    await counters.increment('limits.test.acct_3.1', 5n);
    await nats.kill();
    await nats.restart();
    let tries = 0;
    const count = () => {
      tries++;
      return counters.increment('limits.test.acct_3.1', 1n).catch(() => null);
    };
    const total = await until(count, 'counting resumes');
    // One of which the answer was lost has been counted, too.
    expect(Number(total)).toBeGreaterThanOrEqual(1);
    expect(Number(total)).toBeLessThanOrEqual(tries);
  });

  it('are unavailable while NATS is down: no request is admitted uncounted', async () => {
    const counters = await replica();
    await nats.kill();
    await expect(counters.increment('limits.test.acct_4.1', 1n)).rejects.toMatchObject({ reason: 'unavailable' });
    await nats.restart();
    expect(
      await until(() => counters.increment('limits.test.acct_4.1', 1n).catch(() => null), 'counting resumes'),
    ).toBeGreaterThan(0n);
  });
});
