import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@swim/contracts';
import fc from 'fast-check';
import { type Limits, RateLimiter } from './rate-limiter.js';
import { countIn, HOUR, minuteWindow, unitOf } from './shared-counter.js';

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
let totals: Map<string, bigint>;
let increments: [string, bigint][];

/** Counters in this process that take a turn of the event loop, as the real ones do. */
async function increment(subject: string, by: bigint): Promise<bigint> {
  increments.push([subject, by]);
  await new Promise(setImmediate);
  totals.set(subject, (totals.get(subject) ?? 0n) + by);
  return totals.get(subject)!;
}

const limiter = (limits: Limits) => new RateLimiter(limits, increment, () => nowMs);
const outcomes = async (work: RateLimiter, times: number, who = someone()) =>
  (await Promise.all(Array.from({ length: times }, () => work.admit(who)))).map(
    ({ denied }) => denied?.reason ?? 'let in',
  );
const sum = (list: string[]) =>
  Object.fromEntries([...Map.groupBy(list, (each) => each)].map(([each, same]) => [each, same.length]));

/** What the hour of the one account that there is has counted. */
const charged = () => countIn([...totals.values()][0] ?? 0n, HOUR);

beforeEach(() => {
  nowMs = Date.UTC(2027, 0, 1, 10, 30, 15);
  totals = new Map();
  increments = [];
});

describe('limits', () => {
  it('admit exactly the limit within a minute, and as many in the next', async () => {
    const limits = limiter({ perHour: 1_000, perMinute: 5 });
    expect(sum(await outcomes(limits, 12))).toEqual({ 'let in': 5, burst_limit: 7 });
    nowMs += MINUTE_MS;
    expect(sum(await outcomes(limits, 12))).toEqual({ 'let in': 5, burst_limit: 7 });
  });

  it('admit exactly the limit within an hour, and as many in the next', async () => {
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

  it('charge nothing to the hour for what the minute rejects', async () => {
    const limits = limiter({ perHour: 100, perMinute: 5 });
    await outcomes(limits, 30);
    expect(charged()).toBe(5);
  });

  it('are of each account and environment by itself', async () => {
    const limits = limiter({ perHour: 100, perMinute: 2 });
    expect(await outcomes(limits, 2)).toEqual(['let in', 'let in']);
    expect(await outcomes(limits, 1, someone('acct_b'))).toEqual(['let in']);
    expect(await outcomes(limits, 1, someone('acct_a', 'live'))).toEqual(['let in']);
    expect(await outcomes(limits, 1)).toEqual(['burst_limit']);
  });

  it('send no request for an account that is known to be over them', async () => {
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
    expect(charged()).toBe(200);
  });

  it('reject while the counters are unreachable, and count as soon as they are back', async () => {
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

describe('both windows, counted at once', () => {
  it('take one increment of one counter', async () => {
    const limits = limiter({ perHour: 100, perMinute: 5 });
    const admissions = limits.admit(someone());
    await admissions;
    expect(increments).toEqual([[expect.any(String), unitOf(HOUR) + unitOf(minuteWindow(30))]]);
  });

  it('charge nothing of the hour where other replicas have filled the minute unseen', async () => {
    await outcomes(limiter({ perHour: 100, perMinute: 5 }), 5);
    const fresh = limiter({ perHour: 100, perMinute: 5 });
    const { quota, denied } = await fresh.admit(someone());
    expect([denied?.reason, quota.remaining]).toEqual(['burst_limit', 95]);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(charged()).toBe(5);
  });

  // The distance of each replica from the counters, in turns of the event loop, there and back.
  const rounds = fc.record({
    perMinute: fc.integer({ min: 1, max: 8 }),
    perHour: fc.integer({ min: 1, max: 60 }),
    distances: fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 1, maxLength: 4 }),
    requests: fc.array(fc.record({ replica: fc.nat(3), turns: fc.nat(3) }), { minLength: 1, maxLength: 40 }),
    minutes: fc.integer({ min: 1, max: 3 }),
  });
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
  };

  it('never admit one too many, never reject one that fits, and charge what was admitted', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async ({ perMinute, perHour, distances, requests, minutes }) => {
        totals = new Map();
        const replicas = distances.map(
          ([there, back]) =>
            new RateLimiter(
              { perHour, perMinute },
              async (subject, by) => {
                await turns(there);
                const total = (totals.get(subject) ?? 0n) + by;
                totals.set(subject, total);
                await turns(back);
                return total;
              },
              () => nowMs,
            ),
        );
        let letIn = 0;
        for (let minute = 0; minute < minutes; minute++, nowMs += MINUTE_MS) {
          const admissions: Promise<string>[] = [];
          for (const { replica, turns: pause } of requests) {
            await turns(pause);
            const admission = replicas[replica % replicas.length]!.admit(someone());
            admissions.push(admission.then(({ denied }) => denied?.reason ?? 'let in'));
          }
          const admitted = (await Promise.all(admissions)).filter((outcome) => outcome === 'let in').length;
          await turns(12);
          // A count that is not given back yet may reject one at the end of the hour, only among those who race for it.
          const fits = Math.min(perMinute, perHour - letIn, requests.length);
          expect(admitted).toBeLessThanOrEqual(fits);
          if (perHour - letIn >= requests.length) expect(admitted).toBe(fits);
          letIn += admitted;
          expect(charged()).toBe(letIn);
        }
        nowMs = Date.UTC(2027, 0, 1, 10, 30, 15);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the rate limit headers', () => {
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

  it('names the rest of the window that tripped', async () => {
    const limits = limiter({ perHour: 1, perMinute: 100 });
    await limits.admit(someone());
    expect((await limits.admit(someone())).denied?.retryAfterSeconds).toBe(29 * 60 + 45);
  });
});
