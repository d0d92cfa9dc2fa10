import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  eraseAccount,
  eraseBookingsOfAccount,
  eraseEventsOfAccount,
  erasePaymentsOfAccount,
  eraseTimesOfAccount,
} from '@swim/contracts';
import { aPrincipal, until } from '@swim/testing';
import { backUpEngine, restoreEngine } from '../../../../deploy/local/engine/backup.ts';
import { startOfflineEngine } from '../../../../deploy/local/engine/offline-engine.ts';
import { temporaryFolder } from '../../../../deploy/system/files/temporary-folder.ts';
import { freePort } from '../../../../deploy/system/processes/ports.ts';
import { createSupervisor } from '../../../../deploy/system/processes/supervisor.ts';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';

const PROGRAM = fileURLToPath(new URL('../../dist/erasures.js', import.meta.url));
const OTHERS = [eraseTimesOfAccount, eraseBookingsOfAccount, erasePaymentsOfAccount, eraseEventsOfAccount] as const;
const PASSWORD = 'of-the-test';
const NAMES = ['ferretdb', 'postgres'];
const log = () => undefined;

const made = temporaryFolder();
const [data, backup] = [join(made.folder, 'data'), join(made.folder, 'backup')];
const supervisor = createSupervisor({ logFolder: join(made.folder, 'logs'), log });
let people: PeopleHarness;
let port: number;
const start = () => startOfflineEngine({ dataDir: data, port, supervisor, log, syncsToDisk: true, password: PASSWORD });

// A database of its own, which is stopped and replaced while the service runs.
beforeAll(async () => {
  port = await freePort();
  process.env.TEST_MONGODB_URI = (await start()).uri;
  process.env.ERASURE_DRAIN_MS = '0';
  people = await startPeople();
  for (const operation of OTHERS) people.harness.serve(operation, () => ({ done: true }));
}, 300_000);
afterAll(async () => {
  await people?.stop();
  supervisor.close();
  await supervisor.stop().finally(made.remove);
}, 120_000);

const stored = () => people.harness.database('people_test');
const members = () => stored().collection<{ _id: string; erasedAt?: Date }>('members');
const run = async (...args: string[]) => {
  const env = { ...process.env, ...people.harness.env, NODE_OPTIONS: '' };
  return JSON.parse((await promisify(execFile)(process.execPath, [PROGRAM, ...args], { env })).stdout) as object;
};
const erasuresAreDone = () =>
  until(async () => {
    const erasures = stored().collection('erasures');
    return (
      (await erasures.countDocuments({ step: null })) > 0 &&
      (await erasures.countDocuments({ nextAt: { $ne: null } })) === 0
    );
  }, 'all erasures are done');
async function personal(): Promise<string[]> {
  const names = (await stored().listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const texts = await Promise.all(
    names.map(async (name) => JSON.stringify(await stored().collection(name).find().toArray())),
  );
  return texts.filter((text) => /canary/i.test(text));
}

/** Members that are made one after the other until `end` is called, each with the instants around its request. */
function load() {
  const all: { id: string; asked: string; answered: string }[] = [];
  let isOver = false;
  const working = (async () => {
    while (!isOver) {
      const asked = new Date().toISOString();
      const { id } = await people.aMember({ name: 'Made meanwhile' });
      all.push({ id, asked, answered: new Date().toISOString() });
    }
  })();
  const end = async () => {
    isOver = true;
    await working;
  };
  return { all, end };
}

it('an erased account stays erased when a backup that was taken under load before it is restored', async () => {
  const family = aPrincipal();
  await openAccounts(people.service, [family]);
  const gone = await people.aMember({ account_id: family.accountId, name: 'Canary' }, { principal: family });
  const writes = load();
  await until(async () => writes.all.length > 20, 'requests are served');
  const { from, until: end } = await backUpEngine(data, PASSWORD, backup);
  await until(async () => writes.all.at(-1)!.asked > end, 'requests are served after the backup');
  await writes.end();

  await people.harness.call(eraseAccount, { account_id: family.accountId }, { principal: family });
  await erasuresAreDone();
  expect(await personal()).toEqual([]);
  const list = join(made.folder, 'erasures.json');
  await run('export', list);

  await supervisor.stop(NAMES);
  restoreEngine(data, backup);
  await start();
  await until(
    () =>
      members()
        .countDocuments()
        .then(
          () => true,
          () => false,
        ),
    'the restored database answers',
  );
  expect((await personal()).length).toBeGreaterThan(0);
  const kept = new Set(
    (
      await members()
        .find({}, { projection: { _id: 1 } })
        .toArray()
    ).map(({ _id }) => _id),
  );
  expect(writes.all.filter(({ id, answered }) => answered < from && !kept.has(id))).toEqual([]);
  expect(writes.all.filter(({ id, asked }) => asked > end && kept.has(id))).toEqual([]);

  await run('replay', list);
  await erasuresAreDone();
  expect(await run('pending')).toEqual({ pending: 0 });
  expect(await personal()).toEqual([]);
  expect(await members().findOne({ _id: gone.id })).toMatchObject({ erasedAt: expect.any(Date) });
  // The database that was replaced serves on: it takes writes.
  await people.aMember({ name: 'Made afterwards' });
}, 900_000);
