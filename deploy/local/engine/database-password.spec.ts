import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { type TemporaryFolder, temporaryFolder } from '../../system/files/temporary-folder.ts';
import { runCommand } from '../../system/processes/run-command.mjs';
import type { ProcessDescription } from '../../system/processes/supervised-process.ts';
import { createSupervisor } from '../../system/processes/supervisor.ts';
import { resolveDatabase } from './resolve-database.ts';

const PASSWORD = 'right/+= of a test';
const launched: ProcessDescription[] = [];
const lines: string[] = [];
let made: TemporaryFolder;
let database: Awaited<ReturnType<typeof start>>;

async function start() {
  const shared = process.env.MONGODB_URI;
  delete process.env.MONGODB_URI;
  const log = (line: string) => void lines.push(line);
  const supervisor = createSupervisor({ logFolder: path.join(made.folder, 'logs'), log });
  const launch = (description: ProcessDescription) => {
    launched.push(description);
    return supervisor.launch(description);
  };
  const options = { dataDir: made.folder, log, supervisor: { ...supervisor, launch }, password: PASSWORD };
  return resolveDatabase(options).finally(() => {
    if (shared !== undefined) process.env.MONGODB_URI = shared;
  });
}

beforeAll(async () => {
  made = temporaryFolder();
  database = await start();
});
afterAll(async () => {
  await database?.stop();
  made?.remove();
});

/** Returns the answer of the database to a client with this password, or without any. */
async function ask(password: string) {
  const uri = new URL(database.uri);
  Object.assign(uri, password ? { password } : { password, username: '' });
  const client = new MongoClient(uri.href);
  const index = client.db('test').collection('pools').createIndex({ name: 1 });
  return index.then(() => 'answered', String).finally(() => client.close());
}

const postgres = () => launched.find(({ name }) => name === 'postgres');

async function askPostgres(password: string) {
  const { command, args = [], cwd, uid, gid } = postgres()!;
  const port = args[args.indexOf('-p') + 1]!;
  const words = ['-w', '-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-d', 'postgres', '-c', 'select 1'];
  const env = { ...process.env, PGPASSWORD: password };
  const answer = runCommand(path.join(path.dirname(command), 'psql'), words, { cwd, uid, gid, env });
  return answer.then(() => 'answered', String);
}

describe('a database that a local stack starts', () => {
  it('answers only clients that have the password', async () => {
    expect(await ask(PASSWORD)).toBe('answered');
    expect(await ask('wrong')).toMatch(/authentication failed/i);
    expect(await ask('')).toMatch(/requires? authentication/i);
  });

  it('runs on a PostgreSQL that asks for the password too, where there is one', async () => {
    if (!postgres()) return;
    expect(await askPostgres(PASSWORD)).toBe('answered');
    expect(await askPostgres('wrong')).toMatch('password authentication failed');
    expect(await askPostgres('')).toMatch('no password supplied');
  });

  it('keeps its password out of arguments, logs and files', () => {
    const logs = path.join(made.folder, 'logs');
    const written = fs.readdirSync(logs).map((name) => fs.readFileSync(path.join(logs, name), 'utf8'));
    const said = JSON.stringify([launched.map(({ args }) => args), lines, written]);
    for (const each of [PASSWORD, encodeURIComponent(PASSWORD)]) expect(said).not.toContain(each);
    const files = fs.readdirSync(made.folder, { recursive: true }).map(String);
    expect(files.filter((name) => name.endsWith('.password'))).toEqual([]);
  });

  it('starts again on its data with the same password, and says what to do with data that have none', async () => {
    await database.stop();
    database = await start();
    expect(await ask(PASSWORD)).toBe('answered');
    if (!postgres()) return;
    await database.stop();
    const rules = path.join(made.folder, 'postgres/cluster/pg_hba.conf');
    fs.writeFileSync(rules, fs.readFileSync(rules, 'utf8').replaceAll('scram-sha-256', 'trust'));
    await expect(start()).rejects.toThrow(/asks for no password: remove them \(rm -r .*\), or set DATA_DIR/);
  });
});
