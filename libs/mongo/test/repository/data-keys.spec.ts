import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it as jestIt } from '@jest/globals';
import { inEnvironment, newId } from '@swim/platform';
import mongoose from 'mongoose';
import { until } from '../../../testing/src/waiting/until.js';
import type { TextPlace } from '../../src/index.js';
import { type MongoHarness, startHarness } from '../harness.js';
import { type Replica, startReplica } from '../replica.js';

const it = (title: string, work: () => Promise<void>) => jestIt(title, () => inEnvironment('test', work));

let harness: MongoHarness;
let one: Replica;
let other: Replica;
let connection: mongoose.Connection;
beforeAll(async () => {
  harness = await startHarness();
  [one, other] = [await startReplica(harness), await startReplica(harness)];
  connection = await mongoose.createConnection(harness.config.MONGODB_URI).asPromise();
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await connection.close();
  await harness.stop();
});

const stored = () =>
  connection
    .useDb(`${harness.config.DATABASE_PREFIX}_people_keys_test`)
    .collection<{ _id: string; wrapped?: string; master?: string }>('personal_keys');
const aPlace = (owner = { id: newId('mem'), accountId: newId('acct') }): TextPlace => ({
  owner,
  field: 'notes',
  documentId: newId('ses'),
});

describe('the key of a member', () => {
  it('is created with the first text, once by concurrent replicas, and stored wrapped in a separate database', async () => {
    const place = aPlace();
    expect(await one.keys.find(place.owner)).toBeNull();
    const replicas = [one, other, one, other, one, other];
    const sealed = await Promise.all(replicas.map(({ texts }) => texts.seal('asthma', place)));
    for (const { texts } of [one, other])
      for (const each of sealed) expect(await texts.open(each, place)).toBe('asthma');
    expect(await stored().countDocuments({ _id: place.owner.id })).toBe(1);
    expect((await stored().findOne({ _id: place.owner.id }))!.wrapped).toHaveLength(80);
    expect(await harness.database().listCollections({ name: 'personal_keys' }).toArray()).toEqual([]);
  });

  it('decrypts a text in its own place only: not of another member, field or document', async () => {
    const place = aPlace();
    const sealed = await one.texts.seal('asthma', place);
    const { id, accountId } = place.owner;
    await one.texts.seal('x', aPlace({ id: newId('mem'), accountId }));
    const elsewhere = [
      { ...place, field: 'cancellation_reason' },
      { ...place, documentId: newId('ses') },
      { ...place, owner: { id, accountId: newId('acct') } },
    ];
    for (const each of elsewhere) await expect(other.texts.open(sealed, each)).rejects.toThrow();
    const stranger = aPlace();
    await one.texts.seal('x', stranger);
    await expect(one.texts.open(sealed, { ...place, owner: stranger.owner })).rejects.toThrow();
  });

  it('belongs to one environment: the same member has none in the other', async () => {
    const place = aPlace();
    const sealed = await one.texts.seal('asthma', place);
    expect(await inEnvironment('live', () => one.texts.open(sealed, place))).toBeNull();
  });

  it('neither encrypts nor opens what is null', async () => {
    expect(await one.texts.open(null, aPlace())).toBeNull();
    expect(await one.texts.seal(null, aPlace())).toBeNull();
  });
});

describe('a destroyed key', () => {
  it('is removed from the database; its texts are null, and late texts are not stored', async () => {
    const place = aPlace();
    const sealed = await one.texts.seal('asthma', place);
    await one.keys.destroy(place.owner.id);
    expect(await one.texts.open(sealed, place)).toBeNull();
    for (const { texts } of [one, other].slice(0, 1)) expect(await texts.seal('late', place)).toBeNull();
    expect(await stored().findOne({ _id: place.owner.id })).not.toHaveProperty('wrapped');
  });

  it('leaves its mark even without a key before: late calls create none', async () => {
    const place = aPlace();
    await one.keys.destroy(place.owner.id);
    await one.keys.destroy(place.owner.id);
    for (const { texts } of [one, other]) expect(await texts.seal('late', place)).toBeNull();
  });

  it('stays destroyed after a concurrent creation', async () => {
    const places = Array.from({ length: 20 }, () => aPlace());
    await Promise.all(
      places.flatMap((place) => [
        other.texts.seal('x', place),
        one.keys.destroy(place.owner.id),
        one.texts.seal('x', place),
      ]),
    );
    const ids = places.map(({ owner }) => owner.id);
    expect(await stored().countDocuments({ _id: { $in: ids }, wrapped: { $exists: true } })).toBe(0);
    expect(await stored().countDocuments({ _id: { $in: ids } })).toBe(20);
    for (const place of places) expect(await one.texts.seal('late', place)).toBeNull();
  });
});

describe('after a rotation of the master key', () => {
  it('all keys are rewrapped in the background, and open with the new one alone', async () => {
    const places = Array.from({ length: 120 }, () => aPlace());
    const sealed = await Promise.all(places.map((place) => one.texts.seal('asthma', place)));
    const former = await stored().distinct('master');
    const next = randomBytes(32);
    const between = await startReplica(harness, { DATA_KEY: next, DATA_KEYS_ALSO_READ: [harness.config.DATA_KEY] });
    await until(
      async () => (await stored().countDocuments({ master: { $in: former } })) === 0,
      'all are wrapped under the new one',
    );
    await between.stop();
    const [known] = await stored().distinct('master');
    const after = await startReplica(harness, { DATA_KEY: next });
    for (const [index, place] of places.entries()) expect(await after.texts.open(sealed[index], place)).toBe('asthma');
    // So they are where a running process reads another one.
    const latest = randomBytes(32);
    Object.assign(after.settings, { DATA_KEY: latest, DATA_KEYS_ALSO_READ: [next] });
    await until(
      async () =>
        (await stored().distinct('master')).length === 1 && (await stored().countDocuments({ master: known! })) === 0,
      'all are wrapped under the one that it has read',
    );
    // The former one, whose rewrapping had ended, becomes the current one again.
    const migrations = connection
      .useDb(`${harness.config.DATABASE_PREFIX}_people_test`)
      .collection<{ _id: string }>('migrations');
    await migrations.updateOne({ _id: `rewrap-under-${known}` }, { $set: { appliedAt: new Date() } });
    Object.assign(after.settings, { DATA_KEY: next, DATA_KEYS_ALSO_READ: [latest] });
    await until(
      async () => (await stored().countDocuments({ master: { $exists: true, $ne: known! } })) === 0,
      'all are wrapped under the former one',
    );
    await after.stop();
  });
});
