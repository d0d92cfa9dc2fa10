import path from 'node:path';
import { findOnPath } from '../../system/find-on-path.mjs';
import { freePort } from '../../system/ports.mjs';
import { createSupervisor } from '../../system/supervisor.mjs';
import { installEngine } from './install-engine.mjs';
import { downloadMongod, isDownloadable, startMongod } from './mongod.mjs';
import { startOfflineEngine } from './offline-engine.mjs';

/**
 * Finds or starts a database that speaks MongoDB's protocol. In order: `MONGODB_URI`; a `mongod` on PATH; MongoDB's own
 * download; the offline engine.
 * @param {object} options
 * @param {string} options.dataDir where a server that is started keeps its data, over restarts.
 * @param {(line: string) => void} options.log gets the progress, one sentence at a time.
 * @param {number} [options.port] of 127.0.0.1 for a server that is started; by default any free one.
 * @param {import('../../system/supervisor.mjs').Supervisor} [options.supervisor] of `createSupervisor`, to start processes with; by default one of its own, with logs in
 *   `logs` below `dataDir`.
 * @returns {Promise<{uri: string, how: string, stop: () => Promise<void>}>} `how` is the chosen one and the reason.
 * @throws {Error} when none of them is available, with the reason for each.
 */
export async function resolveDatabase({ dataDir, log, port, supervisor }) {
  const { MONGODB_URI: given } = process.env;
  if (given) {
    const how = 'the one that MONGODB_URI names';
    log(`database: ${how}`);
    return { uri: given, how, stop: async () => {} };
  }
  const options = {
    log,
    dataDir: path.resolve(dataDir),
    port: port ?? (await freePort()),
    supervisor: supervisor ?? createSupervisor({ logFolder: path.join(dataDir, 'logs'), log }),
  };
  const { uri, names, how } = await start(options);
  log(`database: ${how}`);
  return { uri, how, stop: () => options.supervisor.stop(names) };
}

/**
 * Does what takes long in `resolveDatabase` beforehand, and needs no installed package for it: it sets the offline engine up
 * where that is going to be used.
 * @param {{log: (line: string) => void}} options
 * @throws {Error} when no database is available.
 */
export async function prepareDatabase({ log }) {
  if (process.env.MONGODB_URI || findOnPath('mongod') || (await isDownloadable())) return;
  await installEngine({ log }).catch((error) => noDatabase('MongoDB cannot be downloaded', error));
}

async function start(options) {
  const onPath = findOnPath('mongod');
  if (onPath) return { ...(await startMongod({ ...options, command: onPath })), how: `the mongod on PATH (${onPath})` };
  const download = await downloadMongod(options.log);
  const { command } = download;
  if (command) {
    return {
      ...(await startMongod({ ...options, command })),
      how: 'MongoDB, downloaded: no mongod on PATH',
    };
  }
  const engine = await startOfflineEngine(options).catch((error) => noDatabase(download.unavailable, error));
  const why = `MONGODB_URI is not set, no mongod is on PATH, ${download.unavailable}`;
  return { ...engine, how: `the offline engine, FerretDB over PostgreSQL: ${why}` };
}

/** @returns {never} */
function noDatabase(unavailable, error) {
  const why = `MONGODB_URI is not set, no mongod is on PATH, ${unavailable}, and the offline engine says: ${error.message}`;
  const advice = 'Set MONGODB_URI to a MongoDB 7 or later, or put mongod on PATH.';
  throw new Error(`There is no database: ${why}\n${advice}`, { cause: error });
}
