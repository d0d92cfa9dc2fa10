import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { currentEnvironment } from '@swim/platform';
import mongoose from 'mongoose';
import { until } from '../../../testing/src/waiting/until.js';
import type { DataMigration } from '../../src/index.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { aNote, type Note, nobody, type Replica, startReplica } from '../replica.js';

let harness: MongoHarness;
let replicas: [Replica, Replica];
beforeAll(async () => {
  harness = await startHarness();
  replicas = [await startReplica(harness), await startReplica(harness)];
});
afterAll(async () => {
  await replicas[1].stop();
  await harness.stop();
});

const BATCH = 2;
const NAME = '0001-capitals';

/** A migration of notes to capitals on one replica, which awaits `inBatch` between the documents of a batch. */
class Capitals implements DataMigration {
  readonly name = NAME;
  /** The positions after which it has begun batches of the sandbox. */
  readonly begun: string[] = [];

  constructor(
    private readonly replica: Replica,
    private readonly inBatch: (batch: number) => Promise<void>,
  ) {}

  async migrate(after: string) {
    const { notes } = this.replica;
    const scope = { ...nobody, env: currentEnvironment() };
    const found = await notes.findMany(scope, { _id: mongoose.trusted({ $gt: after }) } as never, { _id: 1 }, BATCH);
    if (scope.env === 'test') this.begun.push(after);
    for (const [index, { _id, text }] of found.entries()) {
      if (index > 0) await this.inBatch(this.begun.length);
      await notes.update(scope, { _id, text }, { $set: { text: text.toUpperCase() } });
    }
    return { last: found.at(-1)?._id ?? null, changed: found.filter(({ text }) => text !== text.toUpperCase()).length };
  }
}

const stored = () => harness.database().collection<Note>('notes');
const inOldFormat = () => stored().countDocuments({ text: 'breathe' });
const progress = () =>
  harness.database().collection<{ _id: string; until?: Date; after?: string; appliedAt?: Date }>('migrations');
const progressNow = async () => (await progress().findOne({ _id: NAME }))!;
const endLease = () => progress().updateOne({ _id: NAME }, { $set: { until: new Date(0) } });

it('is resumed by another replica where one stopped in the middle of a batch, and ends when no document is left in the old format', async () => {
  const ids = Array.from({ length: 7 }, (_, n) => `mem_${n}`);
  await stored().insertMany(ids.map((_id) => aNote({ _id })));
  const stopped = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const first = new Capitals(replicas[0], async (batch) => {
    if (batch < 2) return;
    stopped.resolve();
    await goesOn.promise;
  });
  replicas[0].migrations.register(first);
  await stopped.promise;
  expect(await inOldFormat()).toBe(4);

  const second = new Capitals(replicas[1], async () => undefined);
  replicas[1].migrations.register(second);
  await endLease();
  await until(async () => (await progressNow()).after === '', 'the other replica has ended the pass');
  expect(second.begun[0]).toBe(ids[BATCH - 1]);
  expect(await inOldFormat()).toBe(0);

  // The first goes on later than that: it has lost its lease.
  goesOn.resolve();
  await replicas[0].stop();
  expect(first.begun).toEqual(['', ids[BATCH - 1]]);
  expect((await progressNow()).after).toBe('');

  await stored().insertOne(aNote({ _id: 'mem_00' }));
  const hasEnded = async () => {
    await endLease();
    return (await progressNow()).appliedAt !== undefined;
  };
  await until(hasEnded, 'a pass has found nothing to change');
  expect(await inOldFormat()).toBe(0);
});
