import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  eraseAccount,
  eraseBookingsOfAccount,
  eraseEventsOfAccount,
  eraseMember,
  erasePaymentsOfAccount,
  eraseTimesOfAccount,
} from '@swim/contracts';
import { aPrincipal, until } from '@swim/testing';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';

const OTHERS = [eraseTimesOfAccount, eraseBookingsOfAccount, erasePaymentsOfAccount, eraseEventsOfAccount] as const;
const PROGRAM = fileURLToPath(new URL('../../dist/erasures.js', import.meta.url));

let people: PeopleHarness;
let folder: string;
const requested: string[] = [];
beforeAll(async () => {
  process.env.ERASURE_DRAIN_MS = '0';
  people = await startPeople();
  folder = await mkdtemp(join(tmpdir(), 'erasures-'));
  for (const operation of OTHERS)
    people.harness.serve(operation, ({ accountId }) => {
      requested.push(`${operation.service} ${accountId}`);
      return { done: true };
    });
});
afterAll(async () => {
  await people?.stop();
  await rm(folder, { recursive: true, force: true });
});

const database = () => people.harness.database('people_test');
const run = async (...args: string[]) => {
  const env = { ...process.env, ...people.harness.env, NODE_OPTIONS: '' };
  return JSON.parse((await promisify(execFile)(process.execPath, [PROGRAM, ...args], { env })).stdout) as object;
};
const pending = () =>
  database()
    .collection('erasures')
    .countDocuments({ nextAt: { $ne: null } });
const areDone = (count: number) =>
  until(
    async () =>
      (await database().collection('erasures').countDocuments({ step: null })) >= count && (await pending()) === 0,
    'all erasures are done',
  );

type Backup = Map<string, Record<string, unknown>[]>;

async function backUp(): Promise<Backup> {
  const names = (await database().listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const all = names.map(async (name) => [name, await database().collection(name).find().toArray()] as const);
  return new Map(await Promise.all(all));
}

/** Restores all documents, and removes those that did not exist. */
async function restore(backup: Backup): Promise<void> {
  for (const { name } of await database().listCollections({}, { nameOnly: true }).toArray()) {
    await database().collection(name).deleteMany({});
    const documents = backup.get(name) ?? [];
    if (documents.length > 0) await database().collection(name).insertMany(documents);
  }
}

const personal = async () => {
  const texts = [...(await backUp())].map((each) => JSON.stringify(each));
  return texts.filter((text) => /canary/i.test(text));
};

it('an erased member stays erased when an earlier backup is restored and the list is replayed', async () => {
  const family = aPrincipal();
  await openAccounts(people.service, [family]);
  const ofFamily = { account_id: family.accountId, medical_notes: 'canary notes' };
  const gone = await people.aMember({ ...ofFamily, name: 'Canary One' }, { principal: family });
  const single = await people.aMember({ name: 'Canary Two' });
  const backup = await backUp();

  await people.harness.call(eraseAccount, { account_id: family.accountId }, { principal: family });
  await people.harness.call(eraseMember, { member_id: single.id }, { principal: people.family });
  // The account, and both members by their own events.
  await areDone(3);
  expect(await personal()).toEqual([]);
  const file = join(folder, 'erasures.json');
  expect(await run('export', file)).toEqual({ export: 3 });
  expect(await readFile(file, 'utf8')).not.toMatch(/canary/i);

  await restore(backup);
  expect((await personal()).length).toBeGreaterThan(0);
  const before = requested.length;
  expect(await run('replay', file)).toEqual({ replay: 3 });
  await areDone(3);
  expect(await run('pending')).toEqual({ pending: 0 });
  expect(await personal()).toEqual([]);
  const members = await database().collection<{ _id: string; erasedAt?: Date }>('members').find().toArray();
  for (const { id } of [gone, single]) expect(members.find(({ _id }) => _id === id)?.erasedAt).toBeInstanceOf(Date);
  // The other services, whose backups are restored too, get the requests again.
  expect(requested.slice(before)).toContain(`scheduling ${family.accountId}`);

  // A backup from before the member existed: the event is published even so.
  await database().collection('members').deleteMany({});
  await run('replay', file);
  await areDone(3);
  const listed = await database().collection<{ _id: string }>('members').find({ _id: single.id }).toArray();
  expect(listed).toMatchObject([{ erasedAt: expect.any(Date), readers: [] }]);
});

it('a test account that was reset is reset again when an earlier backup is restored', async () => {
  const school = aPrincipal({ kind: 'school' });
  await openAccounts(people.service, [school]);
  const accounts = database().collection<{ _id: string }>('accounts');
  const before = new Date('2027-01-02T03:04:05.678Z');
  await accounts.updateOne({ _id: school.accountId }, { $set: { reset: { step: null, before, offsetMs: 0 } } });
  const file = join(folder, 'resets.json');
  await run('export', file);
  await accounts.updateOne({ _id: school.accountId }, { $unset: { reset: 1 }, $set: { metadata: { canary: 'x' } } });
  await run('replay', file);
  const [stored] = await accounts.find({ _id: school.accountId }).toArray();
  expect(stored).toMatchObject({ reset: { before } });
  expect(stored).not.toHaveProperty('metadata');
  // Never instead of a later one.
  const later = { step: null, before: new Date('2027-01-03T00:00:00.000Z'), offsetMs: 0 };
  await accounts.updateOne({ _id: school.accountId }, { $set: { reset: later, resetDueAt: null } });
  await run('replay', file);
  expect(await accounts.findOne({ _id: school.accountId })).toMatchObject({ reset: later });
});

it('the list passes through standard output and input', async () => {
  const env = { ...process.env, ...people.harness.env, NODE_OPTIONS: '' };
  const exported = await promisify(execFile)(process.execPath, [PROGRAM, 'export', '-'], { env });
  const { erasures } = JSON.parse(exported.stdout) as { erasures: object[] };
  expect(exported.stderr).toContain(JSON.stringify({ export: erasures.length }));
  const replaying = promisify(execFile)(process.execPath, [PROGRAM, 'replay', '-'], { env });
  replaying.child.stdin!.end(exported.stdout);
  expect(JSON.parse((await replaying).stdout)).toEqual({ replay: erasures.length });
});

it('prints its usage for an unknown command', async () => {
  await expect(run('forget', 'x')).rejects.toThrow('export FILE, replay FILE, or pending');
});
