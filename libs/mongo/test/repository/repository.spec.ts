import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasPassed, isDuplicate } from '../../src/index.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { aNote, family, type Note, type Notes, nobody, type Replica, startReplica, stranger } from '../replica.js';

const HOUR_MS = 3_600_000;
let harness: MongoHarness;
let replica: Replica;
let notes: Notes;

beforeAll(async () => {
  harness = await startHarness();
  replica = await startReplica(harness);
  notes = replica.notes;
});
afterAll(async () => {
  await replica.stop();
  await harness.stop();
});

const insert = async (more: Partial<Note> = {}): Promise<Note> => {
  const note = aNote(more);
  expect(await notes.tryInsert(nobody, note)).toBe(true);
  return note;
};
const stored = (note: Note) => harness.database().collection<Note>('notes').findOne({ _id: note._id });
const fromNow = (ms: number) => new Date(Date.now() + ms);

describe('a repository', () => {
  it('stores a document once under concurrent and repeated inserts', async () => {
    const note = aNote();
    const tries = await Promise.all(
      Array.from({ length: 16 }, (_, n) => notes.tryInsert(nobody, { ...note, text: `try ${n}` })),
    );
    expect(tries.filter(Boolean)).toHaveLength(1);
    expect((await stored(note))!.text).toBe(`try ${tries.indexOf(true)}`);
  });

  it('throws errors other than duplicates', async () => {
    const error = await notes
      .tryInsert(nobody, { ...aNote(), text: 'x'.repeat(17 * 1024 * 1024) })
      .catch((thrown) => thrown);
    expect(error.message).toContain('range');
    expect(isDuplicate(error)).toBe(false);
  });

  it('returns whether an update found its document, also when it changed nothing', async () => {
    const note = await insert();
    const set = { $set: { text: note.text } };
    expect(await notes.update(family, { _id: note._id }, set)).toBe(true);
    expect(await notes.update(family, { _id: note._id, text: 'other' }, set)).toBe(false);
    expect(await notes.update(family, { _id: note._id, at: { $gt: note.at } }, set)).toBe(false);
  });

  it('accepts a pipeline as an update', async () => {
    const note = await insert({ text: 'a' });
    expect(await notes.update(family, { _id: note._id }, [{ $set: { text: { $concat: ['$text', 'b'] } } }])).toBe(true);
    expect((await stored(note))!.text).toBe('ab');
  });

  it('lets one of many concurrent conditional updates win', async () => {
    const note = await insert({ text: 'free' });
    const race = Array.from({ length: 32 }, (_, n) =>
      notes.update(nobody, { _id: note._id, text: 'free' }, { $set: { text: `${n}` } }),
    );
    const won = await Promise.all(race);
    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await stored(note))!.text).toBe(String(won.indexOf(true)));
  });

  it('removes once', async () => {
    const note = await insert();
    const removed = await Promise.all([1, 2, 3].map(() => notes.remove(family, { _id: note._id })));
    expect(removed.filter(Boolean)).toHaveLength(1);
  });

  it('finds at most the requested number, in the requested order', async () => {
    const texts = ['c', 'a', 'b'];
    const notesOfDay = await Promise.all(texts.map((text) => insert({ text, at: new Date('2031-01-01T00:00:00Z') })));
    const found = await notes.findMany(family, { at: notesOfDay[0]!.at }, { text: 1 }, 2);
    expect(found.map(({ text }) => text)).toEqual(['a', 'b']);
  });

  it('finds only the requested fields, and only documents of the scope', async () => {
    const note = await insert({ text: 'whole', at: new Date('2031-02-01T00:00:00Z') });
    expect(await notes.findPicked<'text'>(family, { _id: note._id }, ['text'])).toEqual([
      { _id: note._id, text: 'whole' },
    ]);
    expect(await notes.findPicked<'text'>(stranger, { _id: note._id }, ['text'])).toEqual([]);
  });
});

describe('an update conditional on a past date', () => {
  it('applies once the date has passed by the database’s clock, and returns that it did', async () => {
    const note = await insert({ until: fromNow(-HOUR_MS), holder: 'old' });
    const set = { holder: 'me', until: { $add: ['$$NOW', HOUR_MS] } };
    expect(await notes.updateIf(nobody, { _id: note._id }, hasPassed('until'), set)).toBe(true);
    const after = (await stored(note))!;
    expect(after.holder).toBe('me');
    expect(after.until!.getTime()).toBeGreaterThan(Date.now() + HOUR_MS / 2);
  });

  it.each([
    ['when its time is to come', { until: fromNow(HOUR_MS), holder: 'old' }],
    ['when its time is to come, and what would be set is null', { until: fromNow(HOUR_MS), holder: null }],
    ['when its time is to come, and what would be set is absent', { until: fromNow(HOUR_MS) }],
    ['when it has no time, which is null', { until: null, holder: 'old' }],
    ['when it has no time at all', { holder: 'old' }],
  ])('is not done %s, and nothing is changed', async (_, fields) => {
    const note = await insert(fields);
    const before = await stored(note);
    expect(await notes.updateIf(nobody, { _id: note._id }, hasPassed('until'), { holder: 'me', text: 'mine' })).toBe(
      false,
    );
    expect(await stored(note)).toEqual(before);
  });

  it('does not apply when the filter does not match, or for another account', async () => {
    const note = await insert({ until: fromNow(-HOUR_MS), holder: 'old' });
    const set = { holder: 'me' };
    expect(await notes.updateIf(nobody, { _id: note._id, holder: 'other' }, hasPassed('until'), set)).toBe(false);
    expect(await notes.updateIf(stranger, { _id: note._id }, hasPassed('until'), set)).toBe(false);
    expect((await stored(note))!.holder).toBe('old');
  });

  it('may remove a field', async () => {
    const note = await insert({ until: fromNow(-HOUR_MS), holder: 'old' });
    expect(await notes.updateIf(nobody, { _id: note._id }, hasPassed('until'), { holder: '$$REMOVE' })).toBe(true);
    expect(await stored(note)).not.toHaveProperty('holder');
  });

  it('applies once for many concurrent calls', async () => {
    const note = await insert({ until: fromNow(-HOUR_MS), holder: 'old' });
    const race = Array.from({ length: 32 }, (_, n) =>
      notes.updateIf(nobody, { _id: note._id, holder: 'old' }, hasPassed('until'), {
        holder: `racer ${n}`,
        until: { $add: ['$$NOW', HOUR_MS] },
      }),
    );
    const won = await Promise.all(race);
    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await stored(note))!.holder).toBe(`racer ${won.indexOf(true)}`);
  });

  it('applies once also when only the date excludes the others', async () => {
    const note = await insert({ until: fromNow(-HOUR_MS) });
    const lease = { until: { $add: ['$$NOW', HOUR_MS] } };
    const won = await Promise.all(
      Array.from({ length: 32 }, () => notes.updateIf(nobody, { _id: note._id }, hasPassed('until'), lease)),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
  });
});
