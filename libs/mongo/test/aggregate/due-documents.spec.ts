import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { asSystem, lookAgain } from '../../src/index.js';
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
beforeEach(async () => {
  await harness.database().collection('notes').deleteMany({});
  lookAgain();
});
afterEach(() => void jest.restoreAllMocks());

const seconds = (count: number) => new Date(NOW.getTime() + count * 1_000);
/** Stores documents as another process would. */
const store = async (...notes: Partial<Note>[]): Promise<void> =>
  void (await harness
    .database()
    .collection<Note>('notes')
    .insertMany(notes.map((each) => aNote(each))));
const dueBy = async (by: Date, limit = 10) =>
  (await replica.notes.findDueBy(sweeping, 'until', by, limit)).map(({ until }) => until);

it('documents that are due are read the most overdue first, as many as requested', async () => {
  await store(...[-1, 0, 1, -9].map((count) => ({ until: seconds(count) })), {});
  expect(await dueBy(NOW)).toEqual([seconds(-9), seconds(-1), seconds(0)]);
  expect(await dueBy(NOW, 1)).toEqual([seconds(-9)]);
});

describe('a process that has found nothing due', () => {
  let lookedAtMs: number;
  beforeEach(async () => {
    lookedAtMs = performance.now();
    expect(await dueBy(NOW)).toEqual([]);
  });
  /** Makes this process see that so much time has passed since its look, however long the database took. */
  const passMs = (ms: number) => jest.spyOn(performance, 'now').mockReturnValue(lookedAtMs + ms);

  it('does not look for six seconds; then it finds what another process has stored', async () => {
    await store({ until: seconds(-2) });
    passMs(5_900);
    expect(await dueBy(seconds(5.9))).toEqual([]);
    passMs(6_100);
    expect(await dueBy(NOW)).toEqual([seconds(-2)]);
  });

  it('looks at once for what is due by a later instant than it has looked ahead to', async () => {
    await store({ until: seconds(7) });
    expect(await dueBy(seconds(7))).toEqual([seconds(7)]);
  });

  it('finds what it has stored or changed itself', async () => {
    await store({ _id: 'mem_changed', until: seconds(9) });
    await replica.notes.tryInsert(sweeping, aNote({ until: seconds(-2) }));
    expect(await dueBy(NOW)).toEqual([seconds(-2)]);
    await harness
      .database()
      .collection('notes')
      .deleteMany({ until: seconds(-2) });
    expect(await dueBy(NOW)).toEqual([]);
    await replica.notes.update(sweeping, { _id: 'mem_changed' }, { $set: { until: seconds(-1) } });
    expect(await dueBy(NOW)).toEqual([seconds(-1)]);
  });
});

it('what a process stores while it looks is found by its next look', async () => {
  const looking = dueBy(NOW);
  await replica.notes.tryInsert(sweeping, aNote({ until: seconds(-2) }));
  await looking;
  expect(await dueBy(NOW)).toEqual([seconds(-2)]);
});

it.each([1, 3, 6])('what becomes due in %i seconds is found then, and not before', async (after) => {
  await store({ until: seconds(after) });
  for (let second = 0; second < after; second++) expect(await dueBy(seconds(second))).toEqual([]);
  expect(await dueBy(seconds(after))).toEqual([seconds(after)]);
});
