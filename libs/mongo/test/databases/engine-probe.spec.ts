import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import { type EngineProbe, proveRaces } from '../../src/index.js';

let connection: mongoose.Connection;
let database: mongo.Db;

beforeAll(async () => {
  connection = await mongoose.createConnection(process.env.TEST_MONGODB_URI!).asPromise();
  database = connection.useDb(`t${process.pid}_probe`).db!;
});
afterAll(async () => {
  await database.dropDatabase();
  await connection.close();
});

interface Slot {
  takers: number[];
}

const aSlot: EngineProbe = {
  what: 'a slot',
  document: { takers: [] },
  racer: (n, _id) => ({ filter: { _id, takers: { $size: 0 } }, update: { $push: { takers: n } } }),
  winners: 1,
  stored: ({ takers }: Slot) => takers.length,
};
const left = () => database.collection('engine_probe').countDocuments({});

/** The real database with changed methods of its collections. */
const otherwise = (changes: (real: mongo.Collection) => Partial<mongo.Collection>): mongo.Db => {
  const collection = (name: string) => {
    const real = database.collection(name);
    return Object.assign(Object.create(real), changes(real));
  };
  return { collection } as unknown as mongo.Db;
};

describe('the probe of an engine', () => {
  it('accepts the real database and leaves nothing in it', async () => {
    await proveRaces(database, [aSlot]);
    expect(await left()).toBe(0);
  });

  it.each<[string, Partial<EngineProbe>, string]>([
    [
      'every racer wins',
      { racer: (n, _id) => ({ filter: { _id }, update: { $push: { takers: n } } }) },
      '8 of 8 racers won and 8 are stored, where 1 must be',
    ],
    ['more win than may', { winners: 0 }, '1 of 8 racers won and 1 are stored, where 0 must be'],
    [
      'nobody wins',
      { racer: (n, _id) => ({ filter: { _id, takers: { $size: 9 } }, update: { $push: { takers: n } } }) },
      '0 of 8 racers won and 0 are stored, where 1 must be',
    ],
    ['the winner’s write is lost', { stored: () => 0 }, '1 of 8 racers won and 0 are stored, where 1 must be'],
  ])('rejects one on which %s, with a sentence, and cleans up', async (_, change, sentence) => {
    await expect(proveRaces(database, [{ ...aSlot, ...change }])).rejects.toThrow(
      `This database does not keep racing writes apart. a slot: ${sentence}. It cannot be used.`,
    );
    expect(await left()).toBe(0);
  });

  it('rejects one on which a lease ends more than once', async () => {
    let writes = 0;
    const careless = otherwise((real) => ({
      updateOne: (({ _id }: { _id: string }) =>
        real.updateOne({ _id } as object, { $set: { state: `written ${writes++}` } })) as never,
    }));
    await expect(proveRaces(careless, [])).rejects.toThrow('the end of a lease: 8 of 8 racers won');
  });

  it('rejects one on which a lease ends early', async () => {
    const hasty = otherwise((real) => ({
      updateOne: (({ _id }: { _id: string }) =>
        real.updateOne({ _id, state: 'held' } as object, { $set: { state: 'over' } })) as never,
    }));
    await expect(proveRaces(hasty, [])).rejects.toThrow('a lease that has not ended: 1 of 8 racers won');
  });

  it('rejects one whose unique indexes do not work', async () => {
    await database.collection('engine_probe').drop();
    const open = otherwise(() => ({ createIndex: (async () => '') as never }));
    await expect(proveRaces(open, [])).rejects.toThrow('a unique value: 2 of 2 racers won and 2 are stored');
    expect(await left()).toBe(0);
  });
});
