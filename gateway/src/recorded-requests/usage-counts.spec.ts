import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Principal, UsageCount } from '@swim/contracts';
import { createLogger } from '@swim/platform';
import fc from 'fast-check';
import { UsageCounts } from './usage-counts.js';

const HOUR_MS = 3_600_000;
const TEN = Date.parse('2027-03-08T10:00:00.000Z');
const PAUSE_MS = 2_000;

const principalOf = (fields: Partial<Principal> = {}): Principal => ({
  accountId: 'acct_a',
  kind: 'family',
  env: 'test',
  keyId: 'key_1',
  scopes: [],
  ...fields,
});
const answered = (status = 200, durationMs = 1) => ({ status, isLimited: false, durationMs });
const REJECTED = { status: 429, isLimited: true, durationMs: 1 };

let nowMs: number;
let stored: Map<string, UsageCount>;
let isStoring: boolean;
let counts: UsageCounts;

/** A store that has the highest state of each count, as notification does. */
async function store(_env: unknown, states: readonly UsageCount[]): Promise<void> {
  if (!isStoring) throw new Error('notification is away');
  for (const state of states) {
    const known = stored.get(state.id);
    if (!known || known.requests + known.limited <= state.requests + state.limited) stored.set(state.id, { ...state });
  }
}
const newCounts = () => new UsageCounts(store, createLogger('tests', 'silent'), () => nowMs);
const sumsOf = () => {
  const sums: Record<string, number> = {};
  for (const { key_id: key, hour, requests } of stored.values())
    sums[`${key} ${hour}`] = (sums[`${key} ${hour}`] ?? 0) + requests;
  return sums;
};

beforeEach(() => {
  jest.useFakeTimers();
  nowMs = TEN + 60_000;
  stored = new Map();
  isStoring = true;
  counts = newCounts();
});
afterEach(async () => {
  await counts.stop();
  jest.useRealTimers();
});

describe('usage counts of a gateway', () => {
  it('are of each key and hour, with errors by their kind; what a limit rejected is apart', async () => {
    for (const status of [200, 201, 404, 422, 429, 503]) counts.add(principalOf(), answered(status));
    counts.add(principalOf(), REJECTED);
    counts.add(principalOf({ keyId: 'key_2' }), answered());
    await counts.stop();
    expect([...stored.values()].map(({ id: _, ...rest }) => rest)).toEqual([
      {
        account_id: 'acct_a',
        key_id: 'key_1',
        hour: '2027-03-08T10:00:00.000Z',
        requests: 6,
        client_errors: 3,
        server_errors: 1,
        limited: 1,
      },
      expect.objectContaining({ key_id: 'key_2', requests: 1 }),
    ]);
  });

  it('have no requests of users of the dashboard', async () => {
    counts.add(principalOf({ userId: 'usr_1', keyId: 'usr_1' }), answered());
    await counts.stop();
    expect(stored.size).toBe(0);
  });

  it('have a request in the hour in which it arrived', async () => {
    nowMs = TEN + 500;
    counts.add(principalOf(), answered(200, 900));
    counts.add(principalOf(), answered(200, 100));
    await counts.stop();
    expect(sumsOf()).toEqual({ 'key_1 2027-03-08T09:00:00.000Z': 1, 'key_1 2027-03-08T10:00:00.000Z': 1 });
  });

  it('are stored as they are by then once the store is back, however long it was away', async () => {
    isStoring = false;
    counts.add(principalOf(), answered());
    await jest.advanceTimersByTimeAsync(10 * 60_000);
    counts.add(principalOf(), answered());
    expect(stored.size).toBe(0);
    isStoring = true;
    await jest.advanceTimersByTimeAsync(PAUSE_MS);
    expect(sumsOf()).toEqual({ 'key_1 2027-03-08T10:00:00.000Z': 2 });
  });

  it('are removed from memory for those of further keys once they are stored; until then at most 10,000 keys are counted', async () => {
    isStoring = false;
    const add = (from: number, to: number) => {
      for (let key = from; key < to; key++) counts.add(principalOf({ keyId: `key_${key}` }), answered());
    };
    add(0, 10_100);
    isStoring = true;
    await jest.advanceTimersByTimeAsync(PAUSE_MS);
    expect(stored.size).toBe(10_000);
    add(10_000, 10_100);
    await counts.stop();
    expect(stored.size).toBe(10_100);
  });

  const steps = fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ kind: fc.constant('add' as const), key: fc.nat(2), lateMs: fc.nat(2 * HOUR_MS) }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('store' as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('away' as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(2 * HOUR_MS) }) },
    ),
    { maxLength: 40 },
  );

  it('sum up to what was answered, whatever is lost or late on the way', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        stored = new Map();
        isStoring = true;
        nowMs = TEN;
        const counting = newCounts();
        const expected: Record<string, number> = {};
        for (const step of history) {
          if (step.kind === 'add') {
            counting.add(principalOf({ keyId: `key_${step.key}` }), answered(200, step.lateMs));
            const hour = new Date(Math.floor((nowMs - step.lateMs) / HOUR_MS) * HOUR_MS).toISOString();
            const place = `key_${step.key} ${hour}`;
            expected[place] = (expected[place] ?? 0) + 1;
          } else if (step.kind === 'pass') nowMs += step.ms;
          else {
            isStoring = step.kind === 'store';
            await jest.advanceTimersByTimeAsync(PAUSE_MS);
          }
        }
        isStoring = true;
        await counting.stop();
        expect(sumsOf()).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});
