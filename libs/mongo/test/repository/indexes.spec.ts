import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Schema } from 'mongoose';
import { indexesFor } from '../../../testing/src/storage/sent-queries.js';
import { Databases, dueBy, indexDue } from '../../src/index.js';
import { type MongoHarness, silent, startHarness } from '../harness.js';

interface Task {
  _id: string;
  dueAt: Date | null;
}

let harness: MongoHarness;
const started: Databases[] = [];
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((databases) => databases.onApplicationShutdown()));
  await harness.database().dropCollection('pools');
});
afterAll(() => harness?.stop());

/** Starts a service whose tasks have these indexes. */
async function start(declare: (schema: Schema<Task>) => void): Promise<void> {
  const schema = new Schema<Task>({ _id: String, dueAt: Date }, { versionKey: false });
  declare(schema);
  const databases = new Databases(harness.config, 'people', silent, { addCheck: () => undefined } as never);
  databases.collection('pools', schema);
  started.push(databases);
  await databases.onModuleInit();
}

const tasks = () => harness.database().collection<Task>('pools');
const indexes = async () => (await tasks().indexes()).filter(({ name }) => name !== '_id_');

describe('the index of a due field', () => {
  it('is used for the documents that are due', async () => {
    await start((schema) => indexDue(schema, 'dueAt'));
    const settled = Array.from({ length: 500 }, (_, index) => ({ _id: `settled ${index}`, dueAt: null }));
    await tasks().insertMany([...settled, { _id: 'due', dueAt: new Date(0) }]);
    const query = { collection: 'pools', filter: { dueAt: dueBy(new Date()) }, sort: { dueAt: 1 } as const };
    expect(await indexesFor(harness.database(), query)).toEqual(['dueAt_1']);
    expect(await tasks().find(query.filter).toArray()).toEqual([{ _id: 'due', dueAt: new Date(0) }]);
    // Without the type, the planner does not know that the index has every match.
    const untyped = { ...query, filter: { dueAt: { $lt: new Date() } } };
    expect(await indexesFor(harness.database(), untyped)).toEqual([]);
  });
});

describe('an index whose options have changed', () => {
  it('is replaced when the service starts, also by two replicas at a time', async () => {
    await start((schema) => schema.index({ dueAt: 1 }, { expireAfterSeconds: 100 }));
    expect(await indexes()).toEqual([expect.not.objectContaining({ partialFilterExpression: expect.anything() })]);
    const changed = (schema: Schema<Task>) => indexDue(schema, 'dueAt', { expireAfterSeconds: 100 });
    await Promise.all([start(changed), start(changed)]);
    expect(await indexes()).toEqual([
      expect.objectContaining({ expireAfterSeconds: 100, partialFilterExpression: { dueAt: { $type: 'date' } } }),
    ]);
  });

  it('is not replaced when it makes values unique: the start fails', async () => {
    await start((schema) => schema.index({ dueAt: 1 }, { unique: true }));
    await expect(start((schema) => schema.index({ dueAt: 1 }))).rejects.toThrow(/index/i);
    expect(await indexes()).toEqual([expect.objectContaining({ unique: true })]);
  });
});
