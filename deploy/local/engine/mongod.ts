import fs from 'node:fs';
import path from 'node:path';
import { MongoClient, MongoServerError } from 'mongodb';
import { cacheFolder } from '../../system/files/folders.ts';
import { accepts } from '../../system/processes/ports.ts';
import type { Supervisor } from '../../system/processes/supervisor.ts';

const USER = 'swim';
const UNAUTHORIZED = 13;
const PROBE_TIMEOUT_MS = 3000;
const DOWNLOADS = 'https://fastdl.mongodb.org/';

export interface StartMongodOptions {
  command: string;
  /** The folder `mongod` below it contains the data. */
  dataDir: string;
  /** The port on 127.0.0.1. */
  port: number;
  /** The password of the server's user `swim`. */
  password: string;
  supervisor: Supervisor;
}

/** Starts a MongoDB server on a data folder. */
export async function startMongod({
  command,
  dataDir,
  port,
  password,
  supervisor,
}: StartMongodOptions): Promise<{ uri: string; names: string[] }> {
  const folder = path.join(dataDir, 'mongod');
  fs.mkdirSync(folder, { recursive: true });
  // Without `journal`, a standalone server acknowledges before its journal is on disk.
  const uri = `mongodb://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/?journal=true`;
  await supervisor.launch({
    name: 'mongod',
    command,
    args: ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--auth'],
    isReady: async () => {
      if (!(await accepts(port))) return false;
      await makeUser(`mongodb://127.0.0.1:${port}/`, password);
      await withClient(uri, (client) => client.db('admin').command({ ping: 1 }));
      return true;
    },
  });
  return { uri, names: ['mongod'] };
}

/** A server without any user lets a client on its machine make the first one, and nothing else. */
async function makeUser(uri: string, password: string) {
  const command = { createUser: USER, pwd: password, roles: ['root'] };
  await withClient(uri, (client) => client.db('admin').command(command)).catch((error) => {
    if (!(error instanceof MongoServerError && error.code === UNAUTHORIZED)) throw error;
  });
}

async function withClient(uri: string, use: (client: MongoClient) => Promise<unknown>) {
  const client = new MongoClient(uri);
  await use(client).finally(() => client.close());
}

/** Returns whether MongoDB can be downloaded, after 3 s at most. */
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
