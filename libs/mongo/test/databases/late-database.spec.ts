import { afterAll, beforeAll, it } from '@jest/globals';
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

const users = () => admin?.db?.admin();
const databasesAt = (uri: string, logger = silent) =>
  new Databases({ ...harness.config, MONGODB_URI: uri }, 'people', logger, { addCheck: () => undefined } as never);

it('a service waits for a database whose users are not made yet', async () => {
  let refusals = 0;
  const logger = { ...silent, warn: () => void refusals++ } as unknown as typeof silent;
  const uri = new URL(harness.config.MONGODB_URI);
  Object.assign(uri, { username: USER, password: 'late' });
  const databases = databasesAt(uri.href, logger);
  const started = databases.onModuleInit();
  await until(() => refusals > 0, 'it was refused');
  await admin.db!.admin().command({
    createUser: USER,
    pwd: 'late',
    roles: [
      { role: 'clusterAdmin', db: 'admin' },
      { role: 'readWriteAnyDatabase', db: 'admin' },
    ],
  });
  await started;
  await databases.onApplicationShutdown();
});
