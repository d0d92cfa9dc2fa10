import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { asSystem, lookAgain } from '../../src/index.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { aNote, type Note, type Notes, type Replica, startReplica } from '../replica.js';

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
  lookAgain();
});
afterEach(() => void jest.restoreAllMocks());

const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);
async function store(collection: string, fields: Partial<Note>[]): Promise<void> {
  await harness
    .database()
    .collection<Note>(collection)
    .insertMany(fields.map((each) => aNote(each)));
}
const dueIn = async (notes: Notes, field: 'at' | 'until', limit = 10, by = NOW) =>
  (await notes.findDueBy(sweeping, field, by, limit)).map((note) => note[field]);
const seconds = (count: number) => new Date(NOW.getTime() + count * 1_000);
const due = (by = NOW) => dueIn(replica.notes, 'until', 10, by);
/** Makes this process see that so much time has passed. */
const passMs = (ms: number) => {
  const now = performance.now();
  jest.spyOn(performance, 'now').mockReturnValue(now + ms);
};
/** Two runs of a sweep, each without a due document: the second knows that there is none for seconds. */
const becomeQuiet = async () => {
  passMs(10_000);
  expect([await due(), await due()]).toEqual([[], []]);
  commands = [];
};

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
    lookAgain();
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

  it('are asked for again by the next run while some are due', async () => {
    await store('notes', [{ until: minutes(-2) }]);
    for (let run = 0; run < 4; run++) expect(await due()).toEqual([minutes(-2)]);
  });
});

describe('a process that has found nothing due', () => {
  it('does not ask again within three seconds', async () => {
    await becomeQuiet();
    passMs(2_000);
    expect(await due(seconds(3))).toEqual([]);
    expect(commands).toEqual([]);
  });

  it('finds after three seconds what another process has stored', async () => {
    await becomeQuiet();
    await store('notes', [{ until: minutes(-2) }]);
    passMs(3_000);
    expect(await due()).toEqual([minutes(-2)]);
  });

  it('finds with its next run what it has stored itself', async () => {
    await becomeQuiet();
    await replica.notes.tryInsert(sweeping, aNote({ until: minutes(-2) }));
    expect(await due()).toEqual([minutes(-2)]);
  });

  it('finds with its next run what it has changed itself', async () => {
    await store('notes', [{ _id: 'mem_changed', until: minutes(9) }]);
    await becomeQuiet();
    await replica.notes.update(sweeping, { _id: 'mem_changed' }, { $set: { until: minutes(-1) } });
    expect(await due()).toEqual([minutes(-1)]);
  });

  it('finds what it stores while it looks', async () => {
    await due();
    const looking = due();
    await replica.notes.tryInsert(sweeping, aNote({ until: minutes(-2) }));
    await looking;
    expect(await due()).toEqual([minutes(-2)]);
  });

  it.each([1, 2, 3, 4])('finds what becomes due after %i seconds with the first run after that', async (after) => {
    await store('notes', [{ until: seconds(after) }]);
    for (let run = 0; run < after; run++) expect(await due(seconds(run))).toEqual([]);
    expect(await due(seconds(after))).toEqual([seconds(after)]);
  });

  it('asks again for a later instant than it has looked ahead to', async () => {
    await store('notes', [{ until: minutes(1) }]);
    await becomeQuiet();
    expect(await due(minutes(2))).toEqual([minutes(1)]);
  });
});

describe('work without a date', () => {
  const find = () =>
    replica.notes.findWork(sweeping, 'texts', () => replica.notes.findMany(sweeping, { text: 'to be done' }));
  const idsOf = (found: Note[]) => found.map(({ _id }) => _id);

  it('is looked for again after three seconds, or a write of this process, where there was none', async () => {
    expect(await find()).toEqual([]);
    await store('notes', [{ _id: 'mem_first', text: 'to be done' }]);
    expect(await find()).toEqual([]);
    await replica.notes.tryInsert(sweeping, aNote());
    expect(idsOf(await find())).toEqual(['mem_first']);
    await harness.database().collection('notes').deleteMany({});
    expect(await find()).toEqual([]);
    await store('notes', [{ _id: 'mem_second', text: 'to be done' }]);
    passMs(3_000);
    expect(idsOf(await find())).toEqual(['mem_second']);
  });

  it('is looked for by each run while there is some', async () => {
    await store('notes', [{ _id: 'mem_first', text: 'to be done' }]);
    expect(idsOf(await find())).toEqual(['mem_first']);
    await store('notes', [{ _id: 'mem_second', text: 'to be done' }]);
    expect(idsOf(await find()).toSorted()).toEqual(['mem_first', 'mem_second']);
  });
});
