import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember, getMember } from '@swim/contracts';
import { MasterKeys, newId } from '@swim/platform';
import {
  aPrincipal,
  ChaosProxy,
  freePort,
  type ServiceProcess,
  startHarness,
  startProcess,
  type TestHarness,
  until,
} from '@swim/testing';

const MAIN = new URL('../bundle/main.js', import.meta.url);
const COMMAND = fileURLToPath(new URL('../dist/rewrap.js', import.meta.url));
const KEYS = 400;
const secret = () => randomBytes(32).toString('base64');
const [oldKey, newKey] = [secret(), secret()];
const BEFORE = { DATA_KEY: oldKey, DATA_KEYS_ALSO_READ: newKey };
const AFTER = { DATA_KEY: newKey, DATA_KEYS_ALSO_READ: oldKey };
const ALONE = { DATA_KEY: newKey, DATA_KEYS_ALSO_READ: '' };

let harness: TestHarness;
let people: ServiceProcess;
const start = async (keys: Record<string, string>) =>
  startProcess(MAIN, { ...harness.env, ...keys, HEALTH_PORT: String(await freePort()) });
beforeAll(async () => {
  harness = await startHarness();
  people = await start(BEFORE);
});
afterAll(async () => {
  await people?.kill();
  await harness?.stop();
});

const dataKeys = () => harness.database('people_test').collection<{ _id: string; master?: string }>('data_keys');
const environment = (keys: Record<string, string>) => ({ ...process.env, ...harness.env, ...keys, NODE_OPTIONS: '' });
const rewrap = async (keys: Record<string, string>) => {
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND], { env: environment(keys) });
  return JSON.parse(stdout) as Record<'live' | 'test', { rewrapped: number; unreadable: string[] }>;
};

const masterOf = (key: string) => new MasterKeys('people', { DATA_KEY: Buffer.from(key, 'base64') });
const IS_NEW = { master: masterOf(newKey).current };
const IS_OLD = { master: masterOf(oldKey).current };

/** Stores keys of accounts under the old master key. */
async function fillWithKeys(): Promise<void> {
  const master = masterOf(oldKey);
  const documents = Array.from({ length: KEYS }, () => {
    const _id = newId('acct');
    const wrapped = master.wrap(randomBytes(32), `test:${_id}:data-key`);
    return { _id, readers: [_id], ...wrapped, createdAt: new Date() };
  });
  await dataKeys().insertMany(documents);
}

async function restart(keys: Record<string, string>): Promise<void> {
  const next = await start(keys);
  await people.kill('SIGTERM');
  people = next;
}

/**
 * Runs the command and kills it once it has done some of its work. It reaches the database through this process, one write at
 * a time: a delay of this process delays the command too, so that it cannot finish before it is killed.
 */
async function interrupted(keys: Record<string, string>): Promise<void> {
  const proxy = await ChaosProxy.before(harness.env.MONGODB_URI!);
  proxy.disturb({ latencyMs: 20 });
  const env = { ...environment(keys), MONGODB_URI: proxy.uri };
  const command: ChildProcess = spawn(process.execPath, [COMMAND], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => command.once('exit', resolve));
  const before = await dataKeys().countDocuments(IS_NEW);
  await until(async () => (await dataKeys().countDocuments(IS_NEW)) > before + 5, 'some keys are wrapped anew');
  command.kill('SIGKILL');
  await ended;
  await proxy.close();
}

describe('the master key', () => {
  it('is replaced by another while reads continue, also by a command that is killed and run again', async () => {
    const family = aPrincipal();
    const input = { account_id: family.accountId, name: 'Mia', date_of_birth: '2016-02-29', medical_notes: 'Asthma' };
    const { id } = await harness.call(createMember, input, { principal: family });
    const read = () => harness.call(getMember, { member_id: id }, { principal: family });
    await fillWithKeys();
    await restart(AFTER);
    let reads = 0;
    let stopped = false;
    const reading = (async () => {
      for (; !stopped; reads++) expect(await read()).toMatchObject({ medical_notes: 'Asthma' });
    })();
    await interrupted(AFTER);
    const left = await dataKeys().countDocuments(IS_OLD);
    expect(left).toBeGreaterThan(0);
    const { test } = await rewrap(AFTER);
    stopped = true;
    await reading;
    expect(reads).toBeGreaterThan(10);
    expect(test.unreadable).toEqual([]);
    expect(test.rewrapped).toBeGreaterThanOrEqual(left);
    expect(await dataKeys().distinct('master')).toEqual([IS_NEW.master]);
    await restart(ALONE);
    expect(await read()).toMatchObject({ medical_notes: 'Asthma' });
    expect(await rewrap(ALONE)).toEqual({
      live: { rewrapped: 0, unreadable: [] },
      test: { rewrapped: 0, unreadable: [] },
    });
  });

  it('is reported as missing when it is unknown, and no data are lost', async () => {
    const stranger = { DATA_KEY: secret(), DATA_KEYS_ALSO_READ: '' };
    const before = await dataKeys().find().toArray();
    const failure = (await rewrap(stranger).catch((error) => error)) as { code: number; stderr: string };
    expect(failure).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not in DATA_KEY or DATA_KEYS_ALSO_READ'),
    });
    expect(await dataKeys().find().toArray()).toEqual(before);
  });
});
