import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { BenchDatabase } from './database.ts';

interface StoredClaim {
  _id: string;
  [field: string]: unknown;
}

const HOUR_MS = 3_600_000;
const env = { MONGODB_URI: process.env.TEST_MONGODB_URI!, DATABASE_PREFIX: `bench_${randomUUID().slice(0, 8)}` };
const client = new MongoClient(env.MONGODB_URI);
const claims = client.db(`${env.DATABASE_PREFIX}_scheduling_test`).collection<StoredClaim>('claims');
const claimOf = (booking: string) => ({
  _id: randomUUID(),
  key: booking,
  elements: [{ resource: 'ins:1', startMs: 0, endMs: HOUR_MS, holders: [] }],
});
let database: BenchDatabase;

beforeAll(() => {
  database = new BenchDatabase(env);
});
beforeEach(() => claims.deleteMany({}));
afterAll(async () => {
  await database?.removeAll();
  await client.close();
});

describe('the background work of bookings', () => {
  it('is done when claims are fulfilled, also where an attempt was superseded and its fence is kept for a day', async () => {
    const dueAt = new Date(Date.now() + 25 * HOUR_MS);
    await claims.insertMany([
      { ...claimOf('bkg_1'), state: 'confirmed' },
      { _id: 'bkg_2/1', key: 'bkg_2', state: 'released', elements: [], dueAt },
    ]);
    expect(await database.isSettled()).toBe(true);
  });

  it.each(['confirmed', 'released', 'taking'])(
    'is not done while recovery would process a claim that is %s',
    async (state) => {
      await claims.insertOne({ ...claimOf('bkg_1'), state, dueAt: new Date() });
      expect(await database.isSettled()).toBe(false);
    },
  );
});
