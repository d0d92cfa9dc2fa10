import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { mongo } from 'mongoose';
import { PUBLIC, type Scope } from '../../src/index.js';
import { type MongoHarness, startHarness } from '../harness.js';
import {
  aContext,
  aLesson,
  aNote,
  family,
  type Note,
  Notes,
  nobody,
  type Replica,
  startReplica,
  stranger,
} from '../replica.js';

const LOOKED_UP = new Set<unknown>(['notes', 'shared_notes', 'lessons']);

let harness: MongoHarness;
let replica: Replica;
/** The filters of all look-ups since the test began. */
let queries: mongo.BSON.Document[] = [];

beforeAll(async () => {
  harness = await startHarness();
  const uri = new URL(harness.config.MONGODB_URI);
  uri.searchParams.set('monitorCommands', 'true');
  replica = await startReplica(harness, { MONGODB_URI: uri.href });
  replica.databases.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    // Background sweeps and migrations send queries too.
    const { filter } = command;
    if (LOOKED_UP.has(command[commandName]) && (filter?._id ?? filter?.title) !== undefined) queries.push(filter);
  });
});
afterAll(async () => {
  await replica?.stop();
  await harness?.stop();
});
beforeEach(() => {
  queries = [];
});

async function store(count: number, more: Partial<Note> = {}, collection = 'notes'): Promise<Note[]> {
  const notes = Array.from({ length: count }, () => aNote(more));
  await harness.database().collection<Note>(collection).insertMany(notes);
  return notes;
}
const lookUpAll = (requests: [Scope, string][], notes: Notes = replica.notes) =>
  Promise.all(requests.map(([scope, id]) => notes.lookUp(scope, id)));

describe('a look-up', () => {
  it('returns the document, and null without one', async () => {
    const [note] = await store(1);
    expect(await lookUpAll([[family, note!._id]])).toEqual([note]);
    expect(await lookUpAll([[family, aNote()._id]])).toEqual([null]);
  });

  it('shares one query with all others of its turn, across accounts', async () => {
    const [own, others] = [await store(20), await store(20, { readers: [stranger.accountId] })];
    const requests = [...own, ...others].map((note): [Scope, string] => [
      note.readers[0] === family.accountId ? family : stranger,
      note._id,
    ]);
    expect(await lookUpAll(requests)).toEqual([...own, ...others]);
    expect(queries).toHaveLength(1);
  });

  it('shares one query with those of another repository of its collection', async () => {
    const notes = await store(4);
    const other = new Notes(replica.databases, 'notes');
    const [left, right] = [notes.slice(0, 2), notes.slice(2)].map((some) =>
      some.map(({ _id }): [Scope, string] => [family, _id]),
    );
    expect((await Promise.all([lookUpAll(left!), lookUpAll(right!, other)])).flat()).toEqual(notes);
    expect(queries).toHaveLength(1);
  });

  it('returns no token of an update that shared a command', async () => {
    const [note] = await store(1, { w: ['token'] } as object);
    const [found] = await lookUpAll([[family, note!._id]]);
    expect(found).toMatchObject({ _id: note!._id });
    expect(found).not.toHaveProperty('w');
  });

  it('of several ids returns the existing ones, each once, in the requested order', async () => {
    const [one, hidden, other] = [...(await store(1)), ...(await store(1, { readers: [] })), ...(await store(1))];
    const ids = [other, hidden, one, aNote(), other].map((note) => note!._id);
    expect(await replica.notes.lookUpAll(family, ids)).toEqual([other, one]);
    expect(queries).toHaveLength(1);
    expect(await replica.notes.lookUpAll(family, [])).toEqual([]);
  });

  it('queries again in the next turn: a result is never older than the request', async () => {
    const [note] = await store(1);
    await lookUpAll([[family, note!._id]]);
    await replica.notes.update(family, { _id: note!._id }, { $set: { text: 'later' } });
    expect(await lookUpAll([[family, note!._id]])).toEqual([{ ...note, text: 'later' }]);
  });

  it('limits the result of one query', async () => {
    const notes = await store(150);
    expect(await lookUpAll(notes.map(({ _id }) => [family, _id]))).toEqual(notes);
    expect(queries.map(({ _id }) => _id.$in.length)).toEqual([128, 22]);
  });

  it('shares the query of another one for the same document, and gives each an object of its own', async () => {
    const notes = await store(2);
    const ids = notes.map(({ _id }) => _id);
    const [one, , other] = await lookUpAll([...ids, ...ids].map((id) => [family, id]));
    expect(queries).toHaveLength(1);
    one!.text = 'changed in memory';
    one!.readers.push(stranger.accountId);
    expect(other).toEqual(notes[0]);
  });

  it('fails for all requests when the database does, and works again afterwards', async () => {
    const notes = await store(2);
    const requests = notes.map(({ _id }): [Scope, string] => [family, _id]);
    const model = replica.notes.model(family);
    const lost = new Error('connection lost');
    const fail = model.find;
    model.find = () => {
      throw lost;
    };
    const outcomes = await Promise.allSettled(requests.map(([scope, id]) => replica.notes.lookUp(scope, id)));
    model.find = fail;
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([lost, lost]);
    expect(await lookUpAll(requests)).toEqual(notes);
  });
});

describe('a check whether a document exists', () => {
  it('has the answer of its own filter and scope', async () => {
    const [note] = await store(1);
    await store(3, { text: 'several' });
    await store(1, { text: 'of another account', readers: [stranger.accountId] });
    const check = (text: string, more: object = {}) => replica.notes.exists(family, { text, ...more });
    const outcomes = await Promise.all([
      check('several'),
      check('several', { _id: { $lt: '' } }),
      check('none'),
      check('of another account'),
      check(note!.text, { _id: { $gte: note!._id } }),
    ]);
    expect(outcomes).toEqual([true, false, false, false, true]);
  });
});

describe('a read of the first document in an order', () => {
  it('returns the first that its scope may see', async () => {
    const notes = await store(3, { text: 'ordered' });
    await store(1, { text: 'ordered', readers: [stranger.accountId] });
    const ids = notes.map(({ _id }) => _id).sort();
    const first = async (scope: Scope, order: 1 | -1, more: object = {}) =>
      (await replica.notes.findFirst(scope, { text: 'ordered', ...more }, { _id: order }))?._id;
    const found = await Promise.all([
      first(family, 1),
      first(family, -1),
      first(family, -1, { _id: { $lt: ids[2]! } }),
      first(family, 1, { text: 'none' }),
    ]);
    expect(found).toEqual([ids[0], ids[2], ids[1], undefined]);
  });
});

describe('a look-up by another field', () => {
  async function storeLessons(title: string, count: number, of: Scope): Promise<string[]> {
    const readers = 'system' in of ? [] : [of.accountId];
    const lessons = Array.from({ length: count }, () => aLesson({ title, readers }));
    await replica.lessons.insertAll(aContext(), lessons);
    return lessons.map(({ _id }) => _id).sort();
  }
  const viewIds = async (scope: Scope, titles: string[]) =>
    (await replica.lessons.viewsBy(scope, 'title', titles)).map(({ _id }) => _id).sort();

  it('shares one query with all others of its turn, and gives each account only what it may see', async () => {
    const [own, others] = [await storeLessons('first', 3, family), await storeLessons('first', 2, stranger)];
    const second = await storeLessons('second', 1, family);
    queries = [];
    const found = await Promise.all([
      viewIds(family, ['first', 'second']),
      viewIds(stranger, ['first']),
      viewIds(stranger, ['second', 'absent']),
      viewIds(family, ['second']),
    ]);
    expect(found).toEqual([[...own, ...second].sort(), others, [], second]);
    expect(queries).toHaveLength(1);
  });

  it('returns all documents of a value, also more than one reply of the database has', async () => {
    const ids = await storeLessons('many', 150, family);
    expect(await viewIds(family, ['many'])).toEqual(ids);
  });

  it('returns neither removed documents nor internal fields', async () => {
    const [removed, kept] = await storeLessons('removed', 2, family);
    await replica.lessons.removeById(removed!);
    const [view, ...more] = await replica.lessons.viewsBy(family, 'title', ['removed']);
    expect(more).toEqual([]);
    expect(view).toMatchObject({ _id: kept, title: 'removed' });
    expect(Object.keys(view!)).not.toEqual(expect.arrayContaining(['ops']));
    expect(Object.keys(view!)).not.toEqual(expect.arrayContaining(['outbox']));
  });
});

describe('look-ups of different scopes in one turn', () => {
  const SCOPES: Scope[] = [family, stranger, nobody];
  const readers = fc.subarray([family.accountId, stranger.accountId, PUBLIC]);
  const requested = fc.array(fc.tuple(fc.nat(5), fc.constantFrom(...SCOPES)), { minLength: 1, maxLength: 40 });

  it.each([false, true])('return what separate queries would (public documents are shared: %s)', async (shared) => {
    const notes = shared ? replica.sharedNotes : replica.notes;
    const collection = shared ? 'shared_notes' : 'notes';
    await fc.assert(
      fc.asyncProperty(
        fc.array(readers, { minLength: 6, maxLength: 6 }),
        requested,
        async (readersOfEach, requests) => {
          const stored = readersOfEach.map((each) => aNote({ readers: each }));
          await harness.database().collection<Note>(collection).insertMany(stored);
          const expected = requests.map(([n, scope]): [Scope, string] => [scope, stored[n]!._id]);
          const alone: (Note | null)[] = [];
          for (const [scope, _id] of expected) alone.push(await notes.findOne(scope, { _id }));
          expect(await lookUpAll(expected, notes)).toEqual(alone);
        },
      ),
      { numRuns: 25 },
    );
  });
});
