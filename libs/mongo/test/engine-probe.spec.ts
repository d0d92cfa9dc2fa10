import { describe, expect, it } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { proveConditionalUpdates } from '../src/index.js';

const RACERS = 24;

/** An engine of which `wins` says whether the nth of all racing updates wins; each leaves an element if `keeps`. */
function engine(wins: (n: number) => boolean, keeps = wins): { database: mongo.Db; left: () => number } {
  let documents = 0;
  let tries = 0;
  let stored = 0;
  const collection = {
    async insertOne() {
      documents++;
      stored = 0;
    },
    async updateOne() {
      const n = tries++ % RACERS;
      const won = wins(n);
      if (keeps(n)) stored++;
      return { modifiedCount: won ? 1 : 0 };
    },
    findOne: async () => ({ busy: Array.from({ length: stored }) }),
    async deleteOne() {
      documents--;
    },
  };
  return { database: { collection: () => collection } as unknown as mongo.Db, left: () => documents };
}

describe('the probe of an engine', () => {
  it('passes the real database and leaves nothing in it', async () => {
    const connection = await mongoose.createConnection(process.env.TEST_MONGODB_URI!).asPromise();
    const database = connection.useDb(`t${process.pid}_probe`).db!;
    await proveConditionalUpdates(database);
    expect(await database.collection('engine_probe').countDocuments({})).toBe(0);
    await database.dropDatabase();
    await connection.close();
  });

  it('passes one on which one racer wins', async () => {
    await proveConditionalUpdates(engine((n) => n === 3).database);
  });

  it.each([
    ['all racers win', () => true, undefined, '24 of 24 racers won'],
    ['two racers win', (n: number) => n < 2, undefined, '2 of 24 racers won, 2 stored'],
    ['two racers are told that they won', (n: number) => n < 2, (n: number) => n === 0, '2 of 24 racers won, 1 stored'],
    ['nobody wins', () => false, undefined, '0 of 24 racers won, 0 stored'],
    ['the winner’s write is lost', (n: number) => n === 0, () => false, '1 of 24 racers won, 0 stored'],
  ])('refuses one on which %s, with a sentence, and cleans up', async (_, wins, keeps, sentence) => {
    const { database, left } = engine(wins, keeps);
    await expect(proveConditionalUpdates(database)).rejects.toThrow(
      `This database does not keep conditional updates apart: ${sentence}`,
    );
    expect(left()).toBe(0);
  });

  it('refuses one that goes wrong only the second time', async () => {
    let rounds = 0;
    const { database } = engine((n) => {
      if (n === 0) rounds++;
      return n === 0 || (rounds > 1 && n === 1);
    });
    await expect(proveConditionalUpdates(database)).rejects.toThrow('2 of 24');
  });
});
