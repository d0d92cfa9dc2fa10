import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { until } from '../../testing/src/until.js';
import { migrate } from '../src/index.js';
import { silent } from './harness.js';

let connections: Connection[];
let folder: string;
let databases: mongo.Db[];

// Two connections represent two processes: they share only the database.
beforeAll(async () => {
  connections = await Promise.all(
    [1, 2].map(() =>
      mongoose.createConnection(process.env.TEST_MONGODB_URI!, { maxPoolSize: 2, monitorCommands: true }).asPromise(),
    ),
  );
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
});
beforeEach(() => {
  const name = `t${randomBytes(5).toString('hex')}_migrations`;
  databases = connections.map((connection) => connection.useDb(name).db!);
  folder = mkdtempSync(join(tmpdir(), 'swim-migrations-'));
});
afterEach(async () => {
  await databases[0]!.dropDatabase();
  rmSync(folder, { recursive: true, force: true });
});

/** A migration that stores its name, after other commands. */
const write = (file: string, before = '') =>
  writeFileSync(
    join(folder, file),
    `export async function up(database) { ${before}; await database.collection('traces').insertOne({ file: '${file}' }); }`,
  );
const run = (process = 0) => migrate(databases[process]!, pathToFileURL(`${folder}/`), silent);
const traces = async () =>
  (await databases[0]!.collection('traces').find().sort({ _id: 1 }).toArray()).map(({ file }) => file);
const lock = () => databases[0]!.collection<{ _id: string; holder?: string; until?: Date }>('migrations');
const isFree = async () => (await lock().findOne({ _id: 'lock' }))!.until === undefined;

describe('migrations', () => {
  it('run in order of their names, whatever the order of the folder', async () => {
    for (const file of ['0010-last.mjs', '0002-second.mjs', '0001-first.mjs']) write(file);
    await run();
    expect(await traces()).toEqual(['0001-first.mjs', '0002-second.mjs', '0010-last.mjs']);
    expect(await isFree()).toBe(true);
  });

  it('run once each, also after others were added', async () => {
    write('0001-first.mjs');
    await run();
    write('0002-second.mjs');
    await run(1);
    await run();
    expect(await traces()).toEqual(['0001-first.mjs', '0002-second.mjs']);
  });

  it('ignore files with other names', async () => {
    for (const file of ['readme.md', '1-short.mjs', '0001-first.js', '0001_first.mjs', '0001-first.mjs.bak'])
      write(file);
    write('0001-first.mjs');
    await run();
    expect(await traces()).toEqual(['0001-first.mjs']);
  });

  it('may be absent', async () => {
    await run();
    await migrate(databases[0]!, undefined, silent);
    await migrate(databases[0]!, pathToFileURL(`${folder}/absent/`), silent);
    expect(await traces()).toEqual([]);
  });

  it('run once when two processes start concurrently, one waiting for the other', async () => {
    const slow = `const busy = database.collection('busy');
      if (await busy.countDocuments({}) > 0) throw new Error('two at once');
      await busy.insertOne({ _id: 1 }); await new Promise((done) => setTimeout(done, 60)); await busy.deleteOne({ _id: 1 })`;
    for (const file of ['0001-first.mjs', '0002-second.mjs', '0003-third.mjs']) write(file, slow);
    await Promise.all([run(0), run(1), run(0), run(1)]);
    expect(await traces()).toEqual(['0001-first.mjs', '0002-second.mjs', '0003-third.mjs']);
    expect(await isFree()).toBe(true);
  });
});

describe('a migration that fails', () => {
  const failOnce = `if (!(await database.collection('tries').findOne({ _id: 1 }))) {
      await database.collection('tries').insertOne({ _id: 1 }); throw new Error('not yet'); }`;

  it('stops the start, releases the lock, and is retried by the next start', async () => {
    write('0001-first.mjs');
    write('0002-second.mjs', failOnce);
    write('0003-third.mjs');
    await expect(run()).rejects.toThrow('not yet');
    expect([await traces(), await isFree()]).toEqual([['0001-first.mjs'], true]);
    await run(1);
    expect(await traces()).toEqual(['0001-first.mjs', '0002-second.mjs', '0003-third.mjs']);
  });
});

describe('the lock', () => {
  const HOUR_MS = 3_600_000;
  const holdUntil = (ms: number) =>
    lock().updateOne(
      { _id: 'lock' },
      { $set: { holder: 'another', until: new Date(Date.now() + ms) } },
      { upsert: true },
    );

  it('of a crashed process is taken over once it has expired by the database’s clock', async () => {
    write('0001-first.mjs');
    await holdUntil(-1_000);
    await run();
    expect([await traces(), await isFree()]).toEqual([['0001-first.mjs'], true]);
  });

  it('of a live process is waited for', async () => {
    write('0001-first.mjs');
    await holdUntil(HOUR_MS);
    let looks = 0;
    const client = connections[0]!.getClient();
    client.on('commandSucceeded', ({ commandName }) => {
      if (commandName === 'update') looks++;
    });
    const waiting = run();
    await until(() => looks >= 2, 'it has looked twice');
    expect(await traces()).toEqual([]);
    await lock().updateOne({ _id: 'lock' }, { $unset: { until: 1, holder: 1 } });
    await waiting;
    expect(await traces()).toEqual(['0001-first.mjs']);
  });

  it('is not released by a process whose lock had expired while another holds it', async () => {
    write(
      '0001-slow.mjs',
      `await database.collection('migrations').updateOne({ _id: 'lock' }, { $set: { holder: 'another' } })`,
    );
    await run();
    expect(await lock().findOne({ _id: 'lock' })).toMatchObject({ holder: 'another', until: expect.any(Date) });
  });
});
