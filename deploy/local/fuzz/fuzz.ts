import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readJson } from '../../system/files/json-file.ts';
import { LOCAL } from '../../system/paths.mjs';
import type { Demo } from '../demo/demo.ts';

/**
 * `npm run fuzz`: has Schemathesis request the operations of the running stack with data made from the OpenAPI document, in all its
 * phases; stateful ones follow the document's links. Requests are filled with objects that exist. `--seconds N` (300), `--account school`
 * (family), `--seed N`. Exit code 0: no finding, and enough operations have answered with success. It needs Python 3, and installs
 * Schemathesis into a cache folder.
 */
const VERSION = '4.32.5';
const VENV = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), `swim-schemathesis-${VERSION}`);
const SCHEMATHESIS = path.join(VENV, 'bin/schemathesis');

/**
 * Operations that cannot be part of a run: `eraseAccount` ends its account, and with it the run; `openEventStream` never ends an
 * answer, so that each request would wait until its timeout.
 */
const EXCLUDED = ['eraseAccount', 'openEventStream'];
/** These operations change the clock or remove all objects, which the other operations need. They run last. */
const LAST = ['advanceSandboxClock', 'resetSandbox'];
const LAST_SECONDS = 60;
/** These operations need lessons that have begun. They run after a clock was advanced. */
const BEGUN = ['completeSession', 'recordAttendance', 'createReview'];
const BEGUN_SECONDS = 30;

/** The phases and their shares of the time. In a single run the first phases would use up the time. */
const PHASES: readonly (readonly [phases: string, share: number])[] = [
  ['examples,coverage', 0.4],
  ['fuzzing', 0.2],
  ['stateful', 0.4],
];

/**
 * The share of the tested operations of which at least one request has to succeed, whatever part of them the time has sufficed for. The
 * others belong to the other kind of account, or need Stripe.
 */
const LEAST_WITH_SUCCESS: Readonly<Record<string, number>> = { family: 0.65, school: 0.75 };

const MOST = 1_000_000_000;
/** The run exceeds every limit, also that of failed authentications. */
const START = `; start the product without limits:\nRATE_LIMIT_PER_HOUR=${MOST} RATE_LIMIT_PER_MINUTE=${MOST} FAILED_AUTH_PER_MINUTE=${MOST} npm start`;

function exit(message: string): never {
  console.error(`fuzz: ${message}`);
  process.exit(2);
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): number {
  // Schemathesis stores its findings in a folder below the working directory.
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', cwd: LOCAL, env: { ...process.env, ...env } });
  if (error) console.error(`${program} cannot be started: ${error.message}`);
  return status ?? 2;
}

/** Installs Schemathesis unless it is there; a folder without it belongs to an interrupted installation. */
function install(): void {
  if (fs.existsSync(SCHEMATHESIS)) return;
  fs.rmSync(VENV, { recursive: true, force: true });
  console.log(`fuzz: installing Schemathesis ${VERSION} into ${VENV} …`);
  const isInstalled =
    run('python3', ['-m', 'venv', VENV]) === 0 &&
    run(path.join(VENV, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`]) === 0;
  if (!isInstalled) process.exit(2);
}

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { seconds: { ...text, default: '300' }, account: { ...text, default: 'family' }, seed: text },
});
const demo = readJson(path.join(LOCAL, 'demo.json')) as Demo | null;
const key = demo?.accounts[values.account as keyof Demo['accounts']]?.key;
if (!demo) exit(`the product has not run here yet${START}`);
if (!key) exit(`there is no demo account ${values.account}, only family and school`);

/**
 * Returns the ids of the account and of the key. Exits when nothing answers, or when the key belongs to another
 * database.
 */
async function ownIds(baseUrl: string, text: string): Promise<NodeJS.ProcessEnv> {
  const headers = { authorization: `Bearer ${text}` };
  const answer = await fetch(`${baseUrl}/me`, { headers }).catch(() => exit(`nothing answers at ${baseUrl}${START}`));
  if (!answer.ok) exit(`GET ${baseUrl}/me with the key of the ${values.account} answers ${answer.status}${START}`);
  const { data } = (await answer.json()) as { data: { account: { id: string }; key: { id: string } } };
  return { FUZZ_ACCOUNT_ID: data.account.id, FUZZ_KEY_ID: data.key.id };
}

const here = (file: string): string => path.join(import.meta.dirname, file);
const { base_url: baseUrl } = demo;
const statuses = path.join(LOCAL, `fuzz-statuses-${values.account}.jsonl`);
fs.rmSync(statuses, { force: true });
const env = {
  SCHEMATHESIS_HOOKS: here('fuzz-checks.py'),
  FUZZ_ACCOUNT: values.account,
  FUZZ_BASE_URL: baseUrl,
  FUZZ_KEY: key,
  FUZZ_FAMILY_KEY: demo.accounts.family.key,
  FUZZ_SCHOOL_ID: demo.accounts.school.id,
  FUZZ_STATUSES: statuses,
  ...(await ownIds(baseUrl, key)),
};
install();

function fuzz(seconds: number, phases: string, operations: readonly string[], seeding: NodeJS.ProcessEnv = {}): number {
  const args = [
    ...['--config-file', here('schemathesis.toml'), 'run', `${baseUrl}/openapi.json`, '--url', baseUrl],
    ...['--header', `Authorization: Bearer ${key}`],
    ...['--phases', phases, '--max-time', String(seconds), '--request-timeout', '15'],
    ...(values.seed ? ['--seed', values.seed] : []),
    ...operations,
  ];
  return run(SCHEMATHESIS, args, { ...env, ...seeding });
}

const excluded = [...EXCLUDED, ...LAST].flatMap((operation) => ['--exclude-operation-id', operation]);
const only = (operations: readonly string[]) => operations.flatMap((each) => ['--include-operation-id', each]);
const seconds = Number(values.seconds);
const codes = PHASES.map(([phases, share]) => fuzz(Math.round(seconds * share), phases, excluded));
const STATELESS = 'examples,coverage,fuzzing';
codes.push(fuzz(BEGUN_SECONDS, STATELESS, only(BEGUN), { FUZZ_BEGUN: '1' }));
codes.push(fuzz(LAST_SECONDS, STATELESS, only(LAST)));

/** Prints which operations have answered with success, and which have not; returns 1 if they are too few. */
function coverage(): number {
  const lines = fs.readFileSync(statuses, 'utf8').trim().split('\n');
  const answered = lines.flatMap((line) => Object.entries(JSON.parse(line) as Record<string, number[]>));
  const tested = new Set(answered.map(([operation]) => operation));
  const succeeded = new Set(answered.filter(([, of]) => of.some((status) => status < 300)).map(([name]) => name));
  console.log(`fuzz: ${succeeded.size} of ${tested.size} operations have answered with success. Not these:`);
  for (const operation of tested) if (!succeeded.has(operation)) console.log(`  ${operation}`);
  const least = Math.ceil(LEAST_WITH_SUCCESS[values.account]! * tested.size);
  if (succeeded.size >= least) return 0;
  console.error(`fuzz: at least ${least} are expected: the requests of the others were all rejected.`);
  return 1;
}

process.exitCode = Math.max(...codes, coverage());
