import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from '../../system/folders.ts';
import { accepts } from '../../system/ports.ts';
import type { Supervisor } from '../../system/supervisor.ts';

const PROBE_TIMEOUT_MS = 3000;
const DOWNLOADS = 'https://fastdl.mongodb.org/';

export interface StartMongodOptions {
  /** Its program. */
  command: string;
  /** The data goes into `mongod` below it. */
  dataDir: string;
  /** Of 127.0.0.1. */
  port: number;
  /** Of `createSupervisor`; it gets the process `mongod`. */
  supervisor: Supervisor;
}

/** Starts a MongoDB server on a data folder. */
export async function startMongod({
  command,
  dataDir,
  port,
  supervisor,
}: StartMongodOptions): Promise<{ uri: string; names: string[] }> {
  const folder = path.join(dataDir, 'mongod');
  fs.mkdirSync(folder, { recursive: true });
  await supervisor.launch({
    name: 'mongod',
    command,
    args: ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1'],
    isReady: () => accepts(port),
  });
  // By default a standalone server acknowledges before its journal is on disk.
  return { uri: `mongodb://127.0.0.1:${port}/?journal=true`, names: ['mongod'] };
}

/** @returns whether MongoDB can be downloaded; tries for 3 s at most. */
export async function isDownloadable(): Promise<boolean> {
  const mirror = process.env.MONGOMS_DOWNLOAD_MIRROR ?? DOWNLOADS;
  return fetch(mirror, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
    () => true,
    () => false,
  );
}

/**
 * Downloads MongoDB's own server by mongodb-memory-server-core, where that is installed.
 * @returns the server's program, or why there is none.
 */
export async function downloadMongod(
  log: (line: string) => void,
): Promise<{ command: string } | { unavailable: string }> {
  const library = await import('mongodb-memory-server-core').catch(() => null);
  if (!library) return { unavailable: 'mongodb-memory-server-core is not installed' };
  if (!(await isDownloadable())) return { unavailable: 'the network does not let MongoDB be downloaded' };
  log('database: downloading MongoDB …');
  try {
    const downloadDir = path.join(cacheFolder(), 'mongod');
    return { command: await library.MongoBinary.getPath({ downloadDir }) };
  } catch (error) {
    return { unavailable: `MongoDB could not be downloaded: ${(error as Error).message}` };
  }
}
