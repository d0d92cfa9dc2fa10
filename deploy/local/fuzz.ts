import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readJson } from '../system/json-file.ts';
import { LOCAL } from '../system/paths.mjs';
import type { Demo } from './demo.ts';

/**
 * `npm run fuzz`: has Schemathesis request the operations of the running stack with data made from the OpenAPI document, in all its
 * phases; stateful ones follow the document's links. `--seconds N` (300), `--account school` (family), `--seed N`. Exit code 0: no
 * finding. It needs Python 3, and installs Schemathesis into a cache folder.
 */
const VERSION = '4.32.5';
const VENV = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), `swim-schemathesis-${VERSION}`);
const SCHEMATHESIS = path.join(VENV, 'bin/schemathesis');

/**
 * Operations that would end the run itself: they end the key or the account, never answer, or move the clock so far that little is
 * left to book. Stripe's webhooks need its signature, and answer 503 where no processor is configured.
 */
const EXCLUDED = [
  'eraseAccount',
  'rollKey',
  'revokeKey',
  'updateKey',
  'openEventStream',
  'advanceSandboxClock',
  'resetSandbox',
  'receiveStripeWebhook',
];

const MOST = 1_000_000_000;
/** The run exceeds every limit, also that of failed authentications. */
const START = `RATE_LIMIT_PER_HOUR=${MOST} RATE_LIMIT_PER_MINUTE=${MOST} FAILED_AUTH_PER_MINUTE=${MOST} npm start`;

function run(program: string, args: readonly string[]): number {
  // It keeps what it has found in a folder below the current one.
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', cwd: LOCAL });
  if (error) console.error(`${program} cannot be started: ${error.message}`);
  return status ?? 2;
}

/** Installs Schemathesis unless it is there; a folder without it is of an install that was interrupted. */
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
if (!demo || !key) {
  console.error(`fuzz: start the product first, without limits:\n${START}`);
  process.exit(2);
}
install();
process.exitCode = run(SCHEMATHESIS, [
  ...['--config-file', path.join(import.meta.dirname, 'schemathesis.toml'), 'run'],
  `${demo.base_url}/openapi.json`,
  ...['--url', demo.base_url, '--header', `Authorization: Bearer ${key}`],
  ...['--phases', 'examples,coverage,fuzzing,stateful', '--max-time', values.seconds, '--request-timeout', '15'],
  ...(values.seed ? ['--seed', values.seed] : []),
  ...EXCLUDED.flatMap((operation) => ['--exclude-operation-id', operation]),
]);
