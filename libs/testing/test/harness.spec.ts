import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Msg } from '@nats-io/transport-node';
import { createPool, getPool, listPools, type Pool } from '@swim/contracts';
import { readRequestContext } from '@swim/messaging';
import { AppError, BUDGET_MS, newId } from '@swim/platform';
import { aPrincipal } from '../src/services/builders.js';
import { rejectionOf, startHarness, type TestHarness } from '../src/services/harness.js';
import { until } from '../src/waiting/until.js';

let harness: TestHarness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(async () => {
  await harness.stop();
});

const pool = (id: string): Pool => ({
  id,
  account_id: newId('acct'),
  name: 'North',
  address: 'Shore 1',
  latitude: 0,
  longitude: 0,
  timezone: 'UTC',
  lanes: null,
  metadata: {},
  created_at: new Date().toISOString(),
  updated_at: new Date().toISOString(),
});

describe('the harness', () => {
  it('lets a test fake a service, and send requests as a client does', async () => {
    const requestCount: unknown[] = [];
    const end = harness.serve(getPool, (input, principal) => {
      requestCount.push(input, principal);
      return pool(input.pool_id);
    });
    const principal = aPrincipal();
    const id = newId('pool');
    expect(await harness.call(getPool, { pool_id: id }, { principal })).toMatchObject({ id });
    expect(requestCount).toEqual([{ pool_id: id }, principal]);
    end();
    const rejection = await rejectionOf(harness.call(getPool, { pool_id: id }, { budgetMs: 200 }));
    expect(['unavailable', 'deadline_exceeded']).toContain(rejection.reason);
  });

  it('passes on errors and pages', async () => {
    const ends = [
      harness.serve(createPool, () => {
        throw new AppError('school_only', { field: 'name' });
      }),
      harness.serve(listPools, () => ({
        items: [pool(newId('pool'))],
        pagination: { has_more: false, next_cursor: null, total: 1 },
      })),
    ];
    const { id, account_id, metadata, created_at, updated_at, ...input } = pool(newId('pool'));
    expect(await rejectionOf(harness.call(createPool, input))).toMatchObject({
      reason: 'school_only',
      details: { field: 'name' },
    });
    expect(await harness.call(listPools, {})).toMatchObject({ items: [{ name: 'North' }], pagination: { total: 1 } });
    for (const end of ends) end();
  });

  it('repeats a read that timed out, and sends a write once', async () => {
    let requestCount = 0;
    const late = () => {
      requestCount += 1;
      if (requestCount < 3) throw new AppError('deadline_exceeded');
      return pool(newId('pool'));
    };
    const ends = [harness.serve(getPool, late), harness.serve(createPool, late)];
    expect(await harness.call(getPool, { pool_id: newId('pool') })).toMatchObject({ name: 'North' });
    expect(requestCount).toBe(3);
    requestCount = 0;
    const { id, account_id, metadata, created_at, updated_at, ...input } = pool(newId('pool'));
    expect(await rejectionOf(harness.call(createPool, input))).toMatchObject({ reason: 'deadline_exceeded' });
    const brief = harness.call(getPool, { pool_id: newId('pool') }, { budgetMs: 2_000 });
    expect(await rejectionOf(brief)).toMatchObject({ reason: 'deadline_exceeded' });
    expect(requestCount).toBe(2);
    for (const end of ends) end();
  });

  it('gives a request the budget that the test says, also a longer one than others have', async () => {
    const leftMs: number[] = [];
    const callback = (_: unknown, { headers }: Msg) =>
      void leftMs.push(readRequestContext(headers).deadline.remainingMs());
    const copies = harness.connection.subscribe(getPool.subject, { callback });
    const end = harness.serve(getPool, ({ pool_id }) => pool(pool_id));
    await harness.call(getPool, { pool_id: newId('pool') }, { budgetMs: 60_000 });
    await until(() => leftMs.length === 1, 'a copy of the request has come');
    expect(leftMs[0]).toBeGreaterThan(BUDGET_MS.write);
    copies.unsubscribe();
    end();
  });

  it('gives direct access to its database', async () => {
    const things = harness.database('scheduling_test').collection('things');
    await things.insertOne({ name: 'buoy' });
    expect(await things.countDocuments({})).toBe(1);
  });
});

describe('rejectionOf', () => {
  it('fails when the request succeeds, or fails with another error', async () => {
    await expect(rejectionOf(Promise.resolve(1))).rejects.toThrow('It was not rejected.');
    await expect(rejectionOf(Promise.reject(new TypeError('odd')))).rejects.toThrow('odd');
  });
});
