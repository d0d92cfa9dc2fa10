import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SecretFiles } from '@swim/platform';
import mongoose from 'mongoose';
import { until } from '../../../testing/src/waiting/until.js';
import { Databases } from '../../src/index.js';
import { type MongoHarness, silent, startHarness } from '../harness.js';

let harness: MongoHarness;
let admin: mongoose.Connection;
const USER = `late_${process.pid}`;
beforeAll(async () => {
  harness = await startHarness();
  admin = await mongoose.createConnection(harness.config.MONGODB_URI, { maxPoolSize: 1 }).asPromise();
});
afterAll(async () => {
  await users()?.command({ dropUser: USER });
  await admin?.close();
  await harness?.stop();
});

const makeUser = (pwd: string) =>
  users()!.command({
    createUser: USER,
    pwd,
    roles: [
      { role: 'clusterAdmin', db: 'admin' },
      { role: 'readWriteAnyDatabase', db: 'admin' },
    ],
  });
const addressWith = (password: string) => {
  const uri = new URL(harness.config.MONGODB_URI);
  return Object.assign(uri, { username: USER, password }).href;
};
const users = () => admin?.db?.admin();
it('a service waits for a database whose users are not made yet, and follows a changed password without a failed command', async () => {
  const logged: string[] = [];
  const log = (_: object, message: string) => void logged.push(message);
  const logger = { ...silent, warn: log, error: log } as unknown as typeof silent;
  const settings = { ...harness.config, MONGODB_URI: addressWith('late') };
  const databases = new Databases(settings, 'people', logger, { addCheck: () => undefined } as never);
  const { test: model } = databases.collection('late', new mongoose.Schema({ _id: String, count: Number }));
  const started = databases.onModuleInit();
  await until(() => logged.length > 0, 'it was refused');
  await makeUser('late');
  await started;

  let isOver = false;
  const failures: unknown[] = [];
  const command = () => model.collection.updateOne({ _id: 'a' as never }, { $inc: { count: 1 } }, { upsert: true });
  let commands = 0;
  const load = Array.from({ length: 4 }, async () => {
    while (!isOver)
      await command().then(
        () => commands++,
        (error) => failures.push(error),
      );
  });
  const change = (password: string) => {
    const look = () => ({
      texts: new Map([['MONGODB_URI', password]]),
      settings: { MONGODB_URI: addressWith(password) },
      faults: [],
    });
    const files = new SecretFiles(settings, ['MONGODB_URI'], look, { ...look(), texts: new Map() });
    for (const _ of [1, 2]) files.look();
  };
  const former = model.db.getClient();
  change('wrong');
  await until(() => logged.at(-1)!.startsWith('the changed address'), 'the wrong password is refused');
  expect(model.db.getClient()).toBe(former);
  await users()!.command({ updateUser: USER, pwd: 'changed' });
  change('changed');
  await until(() => model.db.getClient() !== former, 'the changed password is used');
  const before = commands;
  await until(() => commands > before + 100, 'commands run on the new connection');
  isOver = true;
  await Promise.all(load);
  expect(failures).toEqual([]);
  expect(await databases.ofDriver<{ _id: string }>('test', 'late').countDocuments()).toBe(1);
  await databases.onApplicationShutdown();
});
