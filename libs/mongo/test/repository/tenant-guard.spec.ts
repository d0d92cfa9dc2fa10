import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import mongoose, { type Model } from 'mongoose';
import { asSystem, hasPassed, readableAmongFew } from '../../src/index.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { aNote, family, type Note, nobody, PUBLIC, type Replica, startReplica, stranger } from '../replica.js';

let harness: MongoHarness;
let replica: Replica;
let model: Model<Note>;
let [own, foreign, open] = [aNote(), aNote(), aNote()];

beforeAll(async () => {
  harness = await startHarness();
  replica = await startReplica(harness);
  model = replica.notes.model(nobody);
});
afterAll(async () => {
  await replica.stop();
  await harness.stop();
});
beforeEach(async () => {
  own = aNote({ text: 'own' });
  foreign = aNote({ text: 'foreign', readers: [stranger.accountId] });
  open = aNote({ text: 'open', readers: [PUBLIC, stranger.accountId] });
  const collections = ['notes', 'shared_notes'].map((name) => harness.database().collection<Note>(name));
  await Promise.all(collections.map((collection) => collection.deleteMany({})));
  await Promise.all(collections.map((collection) => collection.insertMany([own, foreign, open])));
});

const set = { $set: { text: 'taken over' } };

// Every mongoose method that selects documents by a filter.
const ways: Record<string, (filter: object, options: object) => Promise<unknown>> = {
  find: (filter, options) => model.find(filter, null, options).lean(),
  'find by cursor': (filter, options) => model.find(filter, null, options).lean().cursor().next(),
  findOne: (filter, options) => model.findOne(filter, null, options).lean(),
  exists: (filter, options) => model.exists(filter).setOptions(options),
  countDocuments: (filter, options) => model.countDocuments(filter, options),
  estimatedDocumentCount: (_, options) => model.estimatedDocumentCount(options),
  distinct: (filter, options) => model.distinct('text', filter, options),
  updateOne: (filter, options) => model.updateOne(filter, set, options),
  updateMany: (filter, options) => model.updateMany(filter, set, options),
  replaceOne: (filter, options) => model.replaceOne(filter, { text: 'taken over' }, options),
  findOneAndUpdate: (filter, options) => model.findOneAndUpdate(filter, set, options),
  findOneAndReplace: (filter, options) => model.findOneAndReplace(filter, { text: 'taken over' }, options),
  findOneAndDelete: (filter, options) => model.findOneAndDelete(filter, options),
  deleteOne: (filter, options) => model.deleteOne(filter, options),
  deleteMany: (filter, options) => model.deleteMany(filter, options),
  aggregate: (filter, options) => model.aggregate([{ $match: filter }], options),
  'aggregate by cursor': (filter, options) =>
    model
      .aggregate([{ $match: filter }], options)
      .cursor()
      .next(),
  bulkWrite: (filter, options) => model.bulkWrite([{ deleteOne: { filter } }], options),
};
const byId: Record<string, () => Promise<unknown>> = {
  findById: () => model.findById(foreign._id).lean(),
  findByIdAndUpdate: () => model.findByIdAndUpdate(foreign._id, set),
  findByIdAndDelete: () => model.findByIdAndDelete(foreign._id),
  'aggregate of everything': () => model.aggregate([{ $match: {} }]),
  'aggregate that names the reader late': () =>
    model.aggregate([{ $limit: 1 }, { $match: { readers: family.accountId } }]),
  bulkSave: () => model.bulkSave([model.hydrate({ ...foreign, text: 'was' }).set('text', 'taken over')]),
};

describe('a query without a reader is rejected, and does nothing:', () => {
  const untouched = async (): Promise<void> => {
    const texts = await harness.database().collection('notes').distinct('text');
    expect(texts.sort()).toEqual(['foreign', 'open', 'own']);
  };

  it.each(Object.keys(ways))('%s', async (way) => {
    await expect(ways[way]!({ _id: foreign._id }, {})).rejects.toThrow('names no reader');
    await expect(ways[way]!({}, {})).rejects.toThrow('names no reader');
    await untouched();
  });

  it.each(Object.keys(byId))('%s', async (way) => {
    await expect(byId[way]!()).rejects.toThrow('names no reader');
    await untouched();
  });

  it('for an unknown reader, or one named in one alternative only', async () => {
    const either = { $or: [{ readers: family.accountId }, { text: 'foreign' }] };
    const others = { $nor: [{ readers: family.accountId }, { readers: undefined }] };
    for (const filter of [{ readers: undefined }, either, others]) {
      await expect(model.find(filter as object).lean()).rejects.toThrow('names no reader');
      await expect(model.aggregate([{ $match: filter }])).rejects.toThrow('names no reader');
    }
  });

  it('for readers among few documents under a further condition, or an unknown one', async () => {
    const others = { $nin: [family.accountId] };
    const within = [
      { readers: others, text: 'own' },
      { readers: { ...others, $exists: false } },
      { readers: { $nin: [undefined] } },
      { readers: { $nin: [family.accountId, null] } },
      { readers: { $nin: family.accountId } },
    ];
    for (const each of within.map(({ readers, ...more }) => ({ readers: mongoose.trusted(readers), ...more }))) {
      await expect(model.find({ $nor: [each] } as object).lean()).rejects.toThrow('names no reader');
      await expect(model.aggregate([{ $match: { $nor: [each] } }])).rejects.toThrow('names no reader');
    }
  });

  it('for a system scope without a reason', async () => {
    for (const asSystem of [undefined, '', null]) {
      await expect(ways.find!({}, { asSystem })).rejects.toThrow('names no reader');
      await expect(ways.aggregate!({}, { asSystem })).rejects.toThrow('names no reader');
    }
  });
});

describe('a query passes', () => {
  const reading = Object.keys(ways).filter((way) => !['bulkWrite', 'estimatedDocumentCount'].includes(way));

  it.each(reading)('that names a reader: %s', async (way) => {
    await ways[way]!({ readers: family.accountId }, {});
    const left = await harness
      .database()
      .collection('notes')
      .find({ text: { $in: ['foreign', 'open'] } })
      .toArray();
    expect(left.length).toBe(2);
  });

  it('that names its readers for few documents, and finds what one that names a reader finds', async () => {
    for (const readers of [[family.accountId], [family.accountId, PUBLIC], [stranger.accountId], []]) {
      const named = await model.find({ readers: mongoose.trusted({ $in: readers }) }).lean();
      expect(await model.find(readableAmongFew(readers)).lean()).toEqual(named);
      expect(await model.aggregate([{ $match: readableAmongFew(readers) }])).toHaveLength(named.length);
    }
  });

  it.each(Object.keys(ways))('that the service makes for itself, with a reason: %s', async (way) => {
    await ways[way]!({ _id: foreign._id }, { asSystem: 'a test looks' });
  });
});

describe('through a repository an account', () => {
  it('finds, counts and lists its own documents only', async () => {
    expect(await replica.notes.findOne(family, { _id: foreign._id })).toBeNull();
    expect(await replica.notes.findOne(family, { _id: open._id })).toBeNull();
    expect((await replica.notes.findMany(family, {})).map(({ text }) => text)).toEqual(['own']);
  });

  it('changes and removes no document of another account', async () => {
    expect(await replica.notes.update(family, { _id: foreign._id }, set)).toBe(false);
    expect(await replica.notes.updateIf(family, { _id: foreign._id }, hasPassed('at'), { text: 'mine' })).toBe(false);
    expect(await replica.notes.remove(family, { _id: foreign._id })).toBe(false);
    expect(await replica.notes.findOne(nobody, { _id: foreign._id })).toEqual(foreign);
  });

  it('does not widen its scope by a filter of its own', async () => {
    const theirs = { readers: stranger.accountId };
    expect(await replica.notes.findMany(family, theirs)).toEqual([own]);
    const either = { $or: [theirs, { text: 'foreign' }] };
    expect(await replica.notes.findMany(family, either)).toEqual([]);
  });

  it('sees public documents where a collection shares them, and only there', async () => {
    const seen = await replica.sharedNotes.findMany(family, {}, { text: 1 });
    expect(seen.map(({ text }) => text)).toEqual(['open', 'own']);
  });

  it('of one environment sees nothing of the other', async () => {
    const live = { ...family, env: 'live' as const };
    expect(await replica.notes.findMany(live, {})).toEqual([]);
    expect(await replica.notes.tryInsert(live, own)).toBe(true);
    expect(await replica.notes.remove(live, { _id: own._id })).toBe(true);
    expect(await replica.notes.findOne(family, { _id: own._id })).toEqual(own);
  });

  it('is not needed in a system scope', async () => {
    expect(await replica.notes.findMany(asSystem('test', 'a test looks'), {})).toHaveLength(3);
  });
});

describe('a filter', () => {
  it('with an unknown field throws, and never matches everything', async () => {
    const typo = { readers: family.accountId, tezt: 'own' };
    await expect(model.deleteMany(typo as object)).rejects.toThrow('tezt');
    await expect(replica.notes.findMany(family, { tezt: 'own' })).rejects.toThrow('tezt');
    expect(await replica.notes.findMany(family, {})).toEqual([own]);
  });

  it('treats an operator from outside as a value, which matches nothing', async () => {
    const fromOutside = JSON.parse('{"$ne": null}');
    const outcome = await model
      .find({ readers: family.accountId, text: fromOutside })
      .lean()
      .catch((error) => error);
    expect(outcome).not.toEqual([own]);
    const nested = { readers: family.accountId, $or: [{ text: fromOutside }] };
    const nestedOutcome = await model
      .find(nested)
      .lean()
      .catch((error) => error);
    expect(nestedOutcome).not.toEqual([own]);
    expect(
      await model.find({ readers: family.accountId, text: mongoose.trusted({ $ne: null }) } as object).lean(),
    ).toEqual([own]);
  });
});
