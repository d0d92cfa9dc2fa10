import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { asSystem } from '../src/index.js';
import { type MongoHarness, startHarness } from './harness.js';
import { aNote, type Note, type Notes, type Replica, startReplica } from './replica.js';

const NOW = new Date('2027-03-01T12:00:00.000Z');
const sweeping = asSystem('test', 'a test sweeps');

let harness: MongoHarness;
let replica: Replica;
/** The commands about notes since the test began. */
let commands: string[] = [];

beforeAll(async () => {
  harness = await startHarness();
  const uri = new URL(harness.config.MONGODB_URI);
  uri.searchParams.set('monitorCommands', 'true');
  replica = await startReplica(harness, { MONGODB_URI: uri.href });
  // Its sweep would share the commands of a test.
  await replica.relay.beforeApplicationShutdown();
  replica.databases.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    const collection = command[commandName];
    if (['notes', 'shared_notes'].includes(collection)) commands.push(`${commandName} ${collection}`);
  });
});
afterAll(async () => {
  await replica?.stop();
  await harness?.stop();
});
beforeEach(async () => {
  for (const name of ['notes', 'shared_notes']) await harness.database().collection(name).deleteMany({});
  commands = [];
});

const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);
async function store(collection: string, fields: Partial<Note>[]): Promise<void> {
  await harness
    .database()
    .collection<Note>(collection)
    .insertMany(fields.map((each) => aNote(each)));
}
const dueIn = async (notes: Notes, field: 'at' | 'until', limit = 10) =>
  (await notes.findDueBy(sweeping, field, NOW, limit)).map((note) => note[field]);

describe('documents that are due', () => {
  it('are read with one command by a sweep that is alone: the most overdue first, as many as requested', async () => {
    await store('notes', [
      { until: minutes(-1) },
      { until: minutes(0) },
      { until: minutes(1) },
      { until: minutes(-9) },
    ]);
    commands = [];
    expect(await dueIn(replica.notes, 'until')).toEqual([minutes(-9), minutes(-1), minutes(0)]);
    expect(await dueIn(replica.notes, 'until', 1)).toEqual([minutes(-9)]);
    expect(commands).toEqual(['find notes', 'find notes']);
  });

  it('are asked for with one command by all sweeps of a turn, and read only where there are any', async () => {
    await store('notes', [{ at: minutes(5), until: minutes(-3) }]);
    await store('shared_notes', [{ at: minutes(-7) }, { at: minutes(4), until: minutes(1) }]);
    commands = [];
    const { notes, sharedNotes } = replica;
    const sweeps = [dueIn(notes, 'at'), dueIn(notes, 'until'), dueIn(sharedNotes, 'at'), dueIn(sharedNotes, 'until')];
    expect(await Promise.all(sweeps)).toEqual([[], [minutes(-3)], [minutes(-7)], []]);
    expect(commands.toSorted()).toEqual(['aggregate notes', 'find notes', 'find shared_notes']);
  });

  it('are asked for again by the next turn', async () => {
    const both = () => Promise.all([dueIn(replica.notes, 'until'), dueIn(replica.sharedNotes, 'until')]);
    expect(await both()).toEqual([[], []]);
    await store('shared_notes', [{ until: minutes(-2) }]);
    expect(await both()).toEqual([[], [minutes(-2)]]);
  });
});
