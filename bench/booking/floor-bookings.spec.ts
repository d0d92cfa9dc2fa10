import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { FloorBookings } from './floor-bookings.ts';
import type { FloorOutbox } from './floor-outbox.ts';

const client = new MongoClient(process.env.TEST_MONGODB_URI!);
const db = client.db(`bench_${randomUUID().slice(0, 8)}_floor`);
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

it('the floor books lessons that open a day at the same time', async () => {
  const [readers, schoolId] = [['acct_1'], 'acct_2'];
  const store = (name: string, document: object) => db.collection<{ _id: string }>(name).insertOne(document as never);
  await store('instructors', { _id: 'ins_1', readers, schoolId, currency: 'EUR', hourlyRateCents: 4_800 });
  await store('members', { _id: 'mem_1', readers, accountId: 'acct_1' });
  await store('accounts', { _id: schoolId });
  const floor = new FloorBookings(db, { goOn: () => undefined } as unknown as FloorOutbox);
  const book = (day: number, hour: number) => {
    const sessions = [{ date: new Date(Date.UTC(2030, 0, day, hour)).toISOString(), duration_minutes: 30 }];
    return floor.book({ instructor_id: 'ins_1', member_ids: ['mem_1'], sessions }, 'acct_1', randomUUID());
  };
  for (let day = 1; day <= 10; day++) {
    const booked = await Promise.all([8, 9, 10, 11].map((hour) => book(day, hour)));
    expect(booked).not.toContain(null);
  }
});
