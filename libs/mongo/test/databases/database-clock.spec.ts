import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SharedClock } from '@swim/platform';
import mongoose from 'mongoose';
import { DatabaseClock, readDatabaseTime } from '../../src/index.js';

const REFRESH_MS = 10_000;
const THERE = new Date('2040-01-01T00:00:00Z');
let clock: DatabaseClock;

afterEach(() => {
  clock.stop();
  jest.useRealTimers();
});

describe('the database’s clock in a process', () => {
  let offsetMs: number;
  let looks: number;
  let isAway: boolean;
  let answersAfterMs: number;

  beforeEach(async () => {
    jest.useFakeTimers();
    const began = performance.now();
    [offsetMs, looks, isAway, answersAfterMs] = [0, 0, false, 0];
    clock = new DatabaseClock(async () => {
      looks++;
      if (isAway) throw new Error('away');
      const time = new Date(THERE.getTime() + performance.now() - began + offsetMs);
      if (answersAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, answersAfterMs));
      return time;
    }, new SharedClock());
    await clock.start();
  });

  it('advances with time between two readings', async () => {
    expect(clock.now()).toEqual(THERE);
    await jest.advanceTimersByTimeAsync(1_500);
    expect(clock.now().getTime() - THERE.getTime()).toBe(1_500);
    expect(clock.inMs(500).getTime() - THERE.getTime()).toBe(2_000);
    expect(looks).toBe(3);
  });

  it('does not depend on this machine’s clock', () => {
    jest.setSystemTime(new Date('2000-01-01T00:00:00Z'));
    expect(clock.now()).toEqual(THERE);
  });

  it('is corrected by the next reading', async () => {
    offsetMs = 3_000;
    await jest.advanceTimersByTimeAsync(REFRESH_MS - 1);
    expect(clock.now().getTime() - THERE.getTime()).toBe(REFRESH_MS - 1);
    await jest.advanceTimersByTimeAsync(1);
    expect(clock.now().getTime() - THERE.getTime()).toBe(REFRESH_MS + 3_000);
  });

  it('continues from the last reading while the database is down, and is read again afterwards', async () => {
    isAway = true;
    await jest.advanceTimersByTimeAsync(REFRESH_MS * 3);
    expect([looks, clock.now().getTime() - THERE.getTime()]).toEqual([6, REFRESH_MS * 3]);
    isAway = false;
    offsetMs = 7_000;
    await jest.advanceTimersByTimeAsync(REFRESH_MS);
    expect(clock.now().getTime() - THERE.getTime()).toBe(REFRESH_MS * 4 + 7_000);
  });

  it('ignores a slow reading, which is too imprecise', async () => {
    answersAfterMs = 3_000;
    await jest.advanceTimersByTimeAsync(REFRESH_MS + 9_500);
    expect([looks, clock.now().getTime() - THERE.getTime()]).toEqual([6, REFRESH_MS + 9_500]);
  });

  it('is not read any more after a stop', async () => {
    clock.stop();
    await jest.advanceTimersByTimeAsync(REFRESH_MS * 5);
    expect(looks).toBe(3);
  });
});

describe('the clock of a database that is down at start', () => {
  it('does not start', async () => {
    clock = new DatabaseClock(() => Promise.reject(new Error('away')), new SharedClock());
    await expect(clock.start()).rejects.toThrow('away');
  });
});

describe('the clock of the real database', () => {
  it('equals its own $$NOW', async () => {
    const connection = await mongoose.createConnection(process.env.TEST_MONGODB_URI!).asPromise();
    const database = connection.useDb(`t${process.pid}_clock`).db!;
    clock = new DatabaseClock(() => readDatabaseTime(database), new SharedClock());
    const startedAtMs = performance.now();
    await clock.start();
    // The reading is imprecise by its round trip.
    const slackMs = 2 + performance.now() - startedAtMs;
    const times = database.collection<{ _id: number; now: Date }>('times');
    await times.insertOne({ _id: 1, now: new Date(0) });
    const before = clock.now().getTime();
    await times.updateOne({ _id: 1 }, [{ $set: { now: '$$NOW' } }]);
    const after = clock.now().getTime();
    const { now } = (await times.findOne({ _id: 1 }))!;
    expect(now.getTime()).toBeGreaterThan(before - slackMs);
    expect(now.getTime()).toBeLessThan(after + slackMs);
    await database.dropDatabase();
    await connection.close();
  });
});
