import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from '../../system/folders.mjs';
import { accepts } from '../../system/ports.mjs';

const PROBE_TIMEOUT_MS = 3000;
const DOWNLOADS = 'https://fastdl.mongodb.org/';

/**
 * Starts a MongoDB server on a data folder.
 * @param {object} options
 * @param {string} options.command its program.
 * @param {string} options.dataDir the data goes into `mongod` below it.
 * @param {number} options.port of 127.0.0.1.
 * @param {import('../../system/supervisor.mjs').Supervisor} options.supervisor of `createSupervisor`; it gets the process `mongod`.
 * @returns {Promise<{uri: string, names: string[]}>}
 */
export async function startMongod({ command, dataDir, port, supervisor }) {
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

/**
 * @returns {Promise<boolean>} whether MongoDB can be downloaded; tries for 3 s at most.
 */
export async function isDownloadable() {
  const mirror = process.env.MONGOMS_DOWNLOAD_MIRROR ?? DOWNLOADS;
  return fetch(mirror, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
    () => true,
    () => false,
  );
}

/**
 * Downloads MongoDB's own server by mongodb-memory-server-core, where that is installed.
 * @param {(line: string) => void} log
 * @returns {Promise<{command?: string, unavailable?: string}>} the server's program, or why there is none.
 */
export async function downloadMongod(log) {
  const library = await import('mongodb-memory-server-core').catch(() => null);
  if (!library) return { unavailable: 'mongodb-memory-server-core is not installed' };
  if (!(await isDownloadable())) return { unavailable: 'the network does not let MongoDB be downloaded' };
  log('database: downloading MongoDB …');
  try {
    const downloadDir = path.join(cacheFolder(), 'mongod');
    return { command: await library.MongoBinary.getPath({ downloadDir }) };
  } catch (error) {
    return { unavailable: `MongoDB could not be downloaded: ${error.message}` };
  }
}
