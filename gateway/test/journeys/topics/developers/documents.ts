import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ofSeveralTries } from '@swim/testing';
import type { Customer } from '../../fixtures/customer.js';
import { aCard, aMember, anInstructor } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const GUIDES = path.join(ROOT, 'docs/guides');
// A first `go run` compiles the standard library: on a busy machine it takes more than two minutes.
const LONGEST_MS = 240_000;

/** The code of a document in one language, block after block; without a language, what its commands print. */
function codeOf(text: string, language: string): string[] {
  const blocks = text.matchAll(/^```(\w*)\n(.*?)^```$/gms);
  return [...blocks].flatMap(([, of, code]) => (of === language ? [code!] : []));
}

/** What differs in each run: ids, and instants. */
const VARYING: [RegExp, string][] = [
  [/([a-z]+)_[0-9a-z]{26}/g, '$1_[0-9a-z]{26}'],
  [/\d{4}-\d\d-\d\dT[\d:]+(\\\.\d+)?(Z|\\\+\d\d:\d\d)/g, '[-+.:TZ0-9]+'],
  [/(?<="offset_seconds":)[1-9]\d*/g, '\\d+'],
  [/\s*\n\s*/g, '\\s*'],
];

/** Matches a text that differs in nothing else; a document wraps its lines. */
const patternOf = (shown: string): RegExp => {
  const literal = shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    VARYING.reduce((pattern, [varying, by]) => pattern.replace(varying, by), literal),
    'g',
  );
};

/** The first part of what a document shows that the output lacks after the parts before it; `…` stands for what is left out. */
function missingIn(output: string, shown: string[]): string | null {
  let from = 0;
  for (const part of shown.flatMap((block) => block.trim().split(/,?\s*…\s*/)).filter(Boolean)) {
    const pattern = patternOf(part);
    pattern.lastIndex = from;
    if (!pattern.test(output)) return part;
    from = pattern.lastIndex;
  }
  return null;
}

/** The types of the events that `output` lists, sorted: some of them follow independently from one change. */
const typesIn = (output: string): string[] => [...output.matchAll(/^\d+ (\S+)$/gm)].map(([, type]) => type!).sort();

interface Outcome {
  code: number;
  output: string;
}

/** Runs a program and returns how it ended, and what it printed. */
function run(program: string, args: string[], { env = {}, cwd = ROOT, input = '' } = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, NODE_OPTIONS: '', ...env }, timeout: LONGEST_MS };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, output: stdout + stderr });
    });
    child.stdin!.on('error', () => {});
    child.stdin!.end(input);
  });
}

/** Whether a program can be started here. */
const isHere = async (program: string, ...args: string[]) => (await run(program, args)).code === 0;

const envOf = ({ key, id }: Customer) => ({ API: `${stack.origin}/v1`, KEY: key, ACCOUNT: id });

const bash = (script: string, options: object) => run('bash', ['-euo', 'pipefail', '-c', script], options);

journey('the documents', () => {
  let folder: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    const { school, family } = stack;
    const weekly = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => ({
      day,
      start: '06:00',
      end: '22:00',
    }));
    const hours = { timezone: 'Europe/Berlin', availability_schedule: { weekly } };
    await anInstructor(school, { name: 'Greta Lindqvist', currency: 'EUR', hourly_rate_cents: 4_800, ...hours });
    await aMember(family, { name: 'Mia' });
    await aCard(family);
    folder = await mkdtemp(path.join(tmpdir(), 'documents-'));
    await mkdir(path.join(folder, '.local'));
    const keyOf = ({ id, key }: Customer) => ({ id, key });
    const demo = { base_url: `${stack.origin}/v1`, accounts: { family: keyOf(family), school: keyOf(school) } };
    await writeFile(path.join(folder, '.local/demo.json'), JSON.stringify(demo));
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    env = envOf(family);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function aFamily(): Promise<Customer> {
    const family = await stack.open('family');
    await aMember(family);
    return family;
  }

  it('the guides’ examples for a shell run as they are written, and print what the guides show', async () => {
    expect(await isHere('jq', '--version')).toBe(true);
    const names = (await readdir(GUIDES)).sort();
    const texts = await Promise.all(names.map((name) => readFile(path.join(GUIDES, name), 'utf8')));
    const scripts = texts.map((text, index) => [names[index]!, codeOf(text, 'sh').join('\n'), text] as const);
    const written = scripts.filter(([, script]) => script !== '');
    expect(written).toHaveLength(16);
    for (const [name, script, text] of written) {
      const runsWith = async (variables: object) => {
        const { code, output } = await bash(script, { cwd: folder, env: variables });
        expect([name, code, missingIn(output, codeOf(text, 'text')), output]).toEqual([name, 0, null, output]);
      };
      // Variables are set by the first guide, and used by all.
      const common = name === 'first-booking.md' ? {} : env;
      // A busy machine answers that it is busy, or that an advance or a reset has not ended yet: the examples repeat no request.
      await ofSeveralTries(async () => runsWith(name === 'sandbox.md' ? envOf(await aFamily()) : common));
    }
  });

  it('the guides’ examples in TypeScript run as they are written', async () => {
    for (const name of ['first-booking', 'errors', 'group-lessons', 'pagination', 'time-zones']) {
      const [code] = codeOf(await readFile(path.join(GUIDES, `${name}.md`), 'utf8'), 'ts');
      const file = path.join(folder, `${name}.ts`);
      await writeFile(file, code!);
      expect([name, await run(process.execPath, [file], { cwd: folder, env })]).toMatchObject([name, { code: 0 }]);
    }
  });

  describe('the guide of webhooks', () => {
    const body = '{"id":"evt_1","type":"ping"}';
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const signed = (text: string, at = Math.floor(Date.now() / 1_000)) => {
      const key = Buffer.from(secret.slice(6), 'base64');
      const signature = createHmac('sha256', key).update(`evt_1.${at}.${text}`).digest('base64');
      return { SECRET: secret, ID: 'evt_1', TIMESTAMP: String(at), SIGNATURES: `v1,AAAA v1,${signature}` };
    };

    it.each([
      ['TypeScript', 'ts', 'verify.ts', process.execPath, [] as string[]],
      ['Python', 'py', 'verify.py', 'python3', []],
      ['Go', 'go', 'verify.go', 'go', ['run']],
    ])('verifies signatures in %s', async (_, language, name, program, args) => {
      // Neither Python nor Go is needed to work on the project.
      if (!(await isHere(program, program === 'go' ? 'version' : '--version'))) return;
      const [code] = codeOf(await readFile(path.join(GUIDES, 'webhooks.md'), 'utf8'), language);
      const file = path.join(folder, name);
      await writeFile(file, code!);
      const verify = async (env: Record<string, string>, input: string) =>
        (await run(program, [...args, file], { cwd: folder, env, input })).code;
      expect(await verify(signed(body), body)).toBe(0);
      expect(await verify(signed(body), `${body} `)).not.toBe(0);
      expect(await verify(signed(body, Math.floor(Date.now() / 1_000) - 600), body)).not.toBe(0);
    });
  });

  it('the README’s commands book a lesson three times in a row, and print what the README shows', async () => {
    const readme = await readFile(path.join(ROOT, 'README.md'), 'utf8');
    const chapter = readme.slice(readme.indexOf('## Book a lesson'), readme.indexOf('The same events come as'));
    const blocks = codeOf(chapter, 'sh').map((code) => code.replace('http://127.0.0.1:8080/v1', env.API!));
    const listing = blocks.pop()!;
    const shown = codeOf(chapter, '');
    const types = typesIn(shown.pop()!);
    // A family is connected with a school once, here perhaps by a guide.
    const each = types.filter((type) => type !== 'connection.created');
    // The last event comes a moment after the answer.
    const isComplete = `[ "$(echo "$OUT" | grep -cE ' (${each.join('|')})$')" -ge ${each.length} ]`;
    const waiting = `for TRY in $(seq 100); do OUT=$(${listing.trim()}); ${isComplete} && break; sleep 0.1; done; echo "$OUT"`;
    const script = [...blocks, waiting].join('\n');
    for (let round = 1; round <= 3; round++) {
      const { code, output } = await bash(script, { cwd: folder });
      expect([round, code, missingIn(output, shown), output]).toEqual([round, 0, null, output]);
      expect([types, each]).toContainEqual(typesIn(output));
    }
  });
});
