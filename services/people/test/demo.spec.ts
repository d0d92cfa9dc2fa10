import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountKind,
  DEMO_LESSONS,
  DEMO_MEMBERS,
  DEMO_PUPILS,
  listInstructors,
  listMembers,
  SCOPES,
  verifyKey,
} from '@swim/contracts';
import { parseApiKey } from '@swim/platform';
import { aPrincipal } from '@swim/testing';
import { type PeopleHarness, startPeople } from './harness.js';
import { ResetParts } from './lifecycle/reset-parts.js';

let people: PeopleHarness;
let parts: ResetParts;
beforeAll(async () => {
  people = await startPeople();
  parts = new ResetParts(people.harness, people.pools);
});
afterAll(() => people?.stop());

const asAccount = (accountId: string, kind: AccountKind) => ({ principal: aPrincipal({ accountId, kind }) });

interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a program of the demo as a process. */
async function runDemo(name: 'demo' | 'demo-data', env: Record<string, string> = {}): Promise<Outcome> {
  const program = fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...people.harness.env, NODE_OPTIONS: '', ...env },
  });
  const outcome: Outcome = { code: null, out: '', err: '' };
  child.stdout.on('data', (bytes: Buffer) => (outcome.out += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (outcome.err += bytes.toString()));
  outcome.code = await new Promise((resolve) => child.once('close', resolve));
  return outcome;
}

describe('the demo accounts', () => {
  it('are a school and three families with a key each, printed as one line, the same each time', async () => {
    const first = await runDemo('demo');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^\{.*\}\n$/);
    expect(await runDemo('demo', { LOG_LEVEL: 'trace' })).toEqual(first);
    const names = ['school', 'family', 'second_family', 'third_family'];
    expect(Object.keys(JSON.parse(first.out) as object)).toEqual(names);
    for (const [name, { id, key }] of Object.entries(
      JSON.parse(first.out) as Record<string, { id: string; key: string }>,
    )) {
      const { principal } = await people.harness.call(verifyKey, parseApiKey(key)!);
      const kind = name === 'school' ? 'school' : 'family';
      expect(principal).toMatchObject({ accountId: id, kind, env: 'test', scopes: [...SCOPES] });
      expect(id).toMatch(/^acct_[0-7][0-9a-hjkmnp-tv-z]{9}[ef][0-9a-hjkmnp-tv-z]{2}[89abr-tv][0-9a-hjkmnp-tv-z]{12}$/);
    }
  });

  it('fail with a message and without output when the database is unavailable', async () => {
    const { code, out, err } = await runDemo('demo', { MONGODB_URI: 'mongodb://' });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/could not be set up/);
  });
});

describe('the demo data', () => {
  it('are made once by the running services, and the program ends when they are complete', async () => {
    const { school, family } = JSON.parse((await runDemo('demo')).out) as Record<string, { id: string }>;
    const done = { code: 0, err: '', out: '{"school":true,"family":true}\n' };
    expect(await runDemo('demo-data')).toEqual(done);
    const ids = async () => {
      const instructors = await people.harness.call(listInstructors, { limit: 100 }, asAccount(school!.id, 'school'));
      const members = (account_id: string, kind: AccountKind) =>
        people.harness.call(listMembers, { account_id }, asAccount(account_id, kind));
      const lists = [instructors, await members(school!.id, 'school'), await members(family!.id, 'family')];
      return lists.map(({ items }) => items.map(({ id }) => id));
    };
    const made = await ids();
    expect(made.map(({ length }) => length)).toEqual([3, DEMO_PUPILS.length, DEMO_MEMBERS.length]);
    expect(parts.bookingsOf(school!.id)).toHaveLength(DEMO_LESSONS.length);
    expect(await runDemo('demo-data')).toEqual(done);
    expect(await ids()).toEqual(made);
  });

  it('fail with a message and without output when an account does not exist', async () => {
    const accounts = people.harness.database('people_test').collection<{ _id: string }>('accounts');
    await accounts.deleteMany({ name: { $regex: '^Demo ' } });
    expect(await runDemo('demo-data')).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining('The demo data could not be made'),
    });
  });
});
