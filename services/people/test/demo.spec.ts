import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES, verifyKey } from '@swim/contracts';
import { parseApiKey } from '@swim/platform';
import { type PeopleHarness, startPeople } from './harness.js';

let people: PeopleHarness;
beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people?.stop());

interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the demo as a process. */
async function runDemo(env: Record<string, string> = {}): Promise<Outcome> {
  const program = fileURLToPath(new URL('../dist/demo.js', import.meta.url));
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
  it('are a school and a family with a key each, printed as one line, the same each time', async () => {
    const first = await runDemo();
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^\{.*\}\n$/);
    expect(await runDemo({ LOG_LEVEL: 'trace' })).toEqual(first);
    for (const [kind, { id, key }] of Object.entries(
      JSON.parse(first.out) as Record<string, { id: string; key: string }>,
    )) {
      const { principal } = await people.harness.call(verifyKey, parseApiKey(key)!);
      expect(principal).toMatchObject({ accountId: id, kind, env: 'test', scopes: [...SCOPES] });
      expect(id).toMatch(/^acct_[0-7][0-9a-hjkmnp-tv-z]{9}[ef][0-9a-hjkmnp-tv-z]{2}[89abr-tv][0-9a-hjkmnp-tv-z]{12}$/);
    }
  });

  it('fail with a message and without output when the database is unavailable', async () => {
    const { code, out, err } = await runDemo({ MONGODB_URI: 'mongodb://' });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/could not be set up/);
  });
});
