import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { asSystem } from '../../src/index.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { aNote, type Note, type Replica, startReplica } from '../replica.js';

const NOW = new Date('2027-03-01T12:00:00.000Z');
const sweeping = asSystem('test', 'a test sweeps');

let harness: MongoHarness;
let replica: Replica;
beforeAll(async () => {
  harness = await startHarness();
  replica = await startReplica(harness);
});
afterAll(async () => {
  await replica?.stop();
  await harness?.stop();
});
beforeEach(() => harness.database().collection('notes').deleteMany({}));

const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);

it('documents that are due are read the most overdue first, as many as requested', async () => {
  const notes = [minutes(-1), minutes(0), minutes(1), minutes(-9)].map((until) => aNote({ until }));
  await harness
    .database()
    .collection<Note>('notes')
    .insertMany([...notes, aNote()]);
  const dueOf = async (limit: number) =>
    (await replica.notes.findDueBy(sweeping, 'until', NOW, limit)).map(({ until }) => until);
  expect(await dueOf(10)).toEqual([minutes(-9), minutes(-1), minutes(0)]);
  expect(await dueOf(1)).toEqual([minutes(-9)]);
});
