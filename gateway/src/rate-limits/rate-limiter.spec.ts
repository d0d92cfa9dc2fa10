import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@swim/contracts';
import { type Limits, RateLimiter } from './rate-limiter.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const someone = (accountId = 'acct_a', env: Principal['env'] = 'test'): Principal => ({
  accountId,
  kind: 'family',
  env,
  keyId: 'key_1',
  scopes: [],
});

let nowMs: number;
let totals: Map<string, number>;
let increments: [string, number][];

/** Counters in this process that take a turn of the event loop, as the real ones do. */
async function increment(subject: string, by: number): Promise<number> {
  increments.push([subject, by]);
  await new Promise(setImmediate);
  totals.set(subject, (totals.get(subject) ?? 0) + by);
  return totals.get(subject)!;
}

const limiter = (limits: Limits) => new RateLimiter(limits, increment, () => nowMs);
const outcomes = async (work: RateLimiter, times: number, who = someone()) =>
  (await Promise.all(Array.from({ length: times }, () => work.admit(who)))).map(
    ({ denied }) => denied?.reason ?? 'let in',
  );
const sum = (list: string[]) =>
  Object.fromEntries([...Map.groupBy(list, (each) => each)].map(([each, same]) => [each, same.length]));

beforeEach(() => {
  nowMs = Date.UTC(2027, 0, 1, 10, 30, 15);
  totals = new Map();
  increments = [];
});

describe('limits', () => {
  it('let in exactly so many within a minute, and the same again in the next', async () => {
    const limits = limiter({ perHour: 1_000, perMinute: 5 });
    expect(sum(await outcomes(limits, 12))).toEqual({ 'let in': 5, burst_limit: 7 });
    nowMs += MINUTE_MS;
    expect(sum(await outcomes(limits, 12))).toEqual({ 'let in': 5, burst_limit: 7 });
  });

  it('let in exactly so many within an hour, and the same again in the next', async () => {
    const limits = limiter({ perHour: 7, perMinute: 100 });
    expect(sum(await outcomes(limits, 12))).toEqual({ 'let in': 7, hourly_limit: 5 });
    nowMs += HOUR_MS;
    expect(sum(await outcomes(limits, 12))).toEqual({ 'let in': 7, hourly_limit: 5 });
  });

  it('are exact for replicas that share the counters', async () => {
    const replicas = Array.from({ length: 4 }, () => limiter({ perHour: 100, perMinute: 50 }));
    const all = await Promise.all(replicas.map((replica) => outcomes(replica, 40)));
    expect(sum(all.flat())['let in']).toBe(50);
    nowMs += MINUTE_MS;
    const more = await Promise.all(replicas.map((replica) => outcomes(replica, 40)));
    expect(sum(more.flat())['let in']).toBe(50);
    nowMs += MINUTE_MS;
    expect(sum(await outcomes(replicas[0]!, 5))).toEqual({ hourly_limit: 5 });
  });

  it('charge nothing of the hour for what the minute refuses', async () => {
    const limits = limiter({ perHour: 100, perMinute: 5 });
    await outcomes(limits, 30);
    expect([...totals].filter(([subject]) => subject.includes('.hour.')).map(([, total]) => total)).toEqual([5]);
  });

  it('are of each account and environment by itself', async () => {
    const limits = limiter({ perHour: 100, perMinute: 2 });
    expect(await outcomes(limits, 2)).toEqual(['let in', 'let in']);
    expect(await outcomes(limits, 1, someone('acct_b'))).toEqual(['let in']);
    expect(await outcomes(limits, 1, someone('acct_a', 'live'))).toEqual(['let in']);
    expect(await outcomes(limits, 1)).toEqual(['burst_limit']);
  });

  it('ask nobody about an account that is known to be over them', async () => {
    const limits = limiter({ perHour: 100, perMinute: 3 });
    await outcomes(limits, 4);
    const before = increments.length;
    await outcomes(limits, 50);
    expect(increments.length).toBe(before);
  });

  it('share an increment among all that arrive while one is under way', async () => {
    const limits = limiter({ perHour: 1_000, perMinute: 1_000 });
    await outcomes(limits, 200);
    expect(increments.length).toBeLessThanOrEqual(4);
    expect(increments.reduce((sum_, [, by]) => sum_ + by, 0)).toBe(400);
  });

  it('reject when nobody can count, and count again as soon as somebody can', async () => {
    let isBroken = true;
    const failing = new RateLimiter(
      { perHour: 10, perMinute: 10 },
      async (...by) => {
        if (isBroken) throw new Error('down');
        return increment(...by);
      },
      () => nowMs,
    );
    await expect(failing.admit(someone())).rejects.toThrow('down');
    isBroken = false;
    expect((await failing.admit(someone())).denied).toBeNull();
  });
});

describe('what the headers tell', () => {
  it('describes the hour: its limit, what is left, and the second in which it ends', async () => {
    const limits = limiter({ perHour: 3, perMinute: 100 });
    const resetAtSeconds = Date.UTC(2027, 0, 1, 11) / 1000;
    const quotas = await Promise.all([1, 2, 3, 4].map(async () => (await limits.admit(someone())).quota));
    expect(quotas.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
    for (const quota of quotas) expect(quota).toMatchObject({ limit: 3, resetAtSeconds });
  });

  it('describes the hour also where a fresh replica meets a full minute', async () => {
    await outcomes(limiter({ perHour: 100, perMinute: 3 }), 4);
    const { quota, denied } = await limiter({ perHour: 100, perMinute: 3 }).admit(someone());
    expect([denied?.reason, denied?.retryAfterSeconds, quota.remaining]).toEqual(['burst_limit', 45, 97]);
  });

  it('says how long the window that tripped still lasts', async () => {
    const limits = limiter({ perHour: 1, perMinute: 100 });
    await limits.admit(someone());
    expect((await limits.admit(someone())).denied?.retryAfterSeconds).toBe(29 * 60 + 45);
  });
});
