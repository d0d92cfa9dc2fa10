import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, getPool, listPools, type Pool } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { aPrincipal } from './builders.js';
import { type Parts, refusalOfCall, startParts } from './parts.js';

let parts: Parts;

beforeAll(async () => {
  parts = await startParts();
});
afterAll(async () => {
  await parts.stop();
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
  created_at: new Date().toISOString(),
});

describe('the parts of a test', () => {
  it('let a test answer in the place of a service, and call it as a client would', async () => {
    const asked: unknown[] = [];
    const end = parts.serve(getPool, (input, principal) => {
      asked.push(input, principal);
      return pool(input.pool_id);
    });
    const principal = aPrincipal();
    const id = newId('pool');
    expect(await parts.call(getPool, { pool_id: id }, { principal })).toMatchObject({ id });
    expect(asked).toEqual([{ pool_id: id }, principal]);
    end();
    const refusal = await refusalOfCall(parts.call(getPool, { pool_id: id }, { budgetMs: 200 }));
    expect(['unavailable', 'deadline_exceeded']).toContain(refusal.reason);
  });

  it('carry refusals and pages', async () => {
    const ends = [
      parts.serve(createPool, () => {
        throw new AppError('school_only', { field: 'name' });
      }),
      parts.serve(listPools, () => ({
        items: [pool(newId('pool'))],
        pagination: { has_more: false, next_cursor: null, total: 1 },
      })),
    ];
    const { id, account_id, created_at, ...input } = pool(newId('pool'));
    expect(await refusalOfCall(parts.call(createPool, input))).toMatchObject({
      reason: 'school_only',
      details: { field: 'name' },
    });
    expect(await parts.call(listPools, {})).toMatchObject({ items: [{ name: 'North' }], pagination: { total: 1 } });
    for (const end of ends) end();
  });

  it('read again what was not answered in time, and write once', async () => {
    let asked = 0;
    const late = () => {
      asked += 1;
      if (asked < 3) throw new AppError('deadline_exceeded');
      return pool(newId('pool'));
    };
    const ends = [parts.serve(getPool, late), parts.serve(createPool, late)];
    expect(await parts.call(getPool, { pool_id: newId('pool') })).toMatchObject({ name: 'North' });
    expect(asked).toBe(3);
    asked = 0;
    const { id, account_id, created_at, ...input } = pool(newId('pool'));
    expect(await refusalOfCall(parts.call(createPool, input))).toMatchObject({ reason: 'deadline_exceeded' });
    const brief = parts.call(getPool, { pool_id: newId('pool') }, { budgetMs: 3_000 });
    expect(await refusalOfCall(brief)).toMatchObject({ reason: 'deadline_exceeded' });
    expect(asked).toBe(2);
    for (const end of ends) end();
  });

  it('have a database that can be looked into', async () => {
    const things = parts.database('scheduling_test').collection('things');
    await things.insertOne({ name: 'buoy' });
    expect(await things.countDocuments({})).toBe(1);
  });
});

describe('the refusal of a call', () => {
  it('is none when it was answered, and no other error', async () => {
    await expect(refusalOfCall(Promise.resolve(1))).rejects.toThrow('It was not refused.');
    await expect(refusalOfCall(Promise.reject(new TypeError('odd')))).rejects.toThrow('odd');
  });
});
